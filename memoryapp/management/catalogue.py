"""Every command in a line, with examples, in the groups by which `manage.py help` shows them. Words only: to list the
commands nothing of them is loaded."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memoryapp.management.catalogue_daily import DAILY
from memoryapp.management.catalogue_upkeep import UPKEEP

EXIT_CODES = {
    0: "done",
    1: "refused or failed; stderr says why, in a line",
    2: "not understood: no such command, verb or option",
    130: "stopped by Ctrl-C",
}
# What may find no memory in its data folder: it begins one, or needs none. Every other command wants one to be there.
FIRST_COMMANDS = frozenset(
    ("bench", "completion", "connect", "demo", "disconnect", "doctor", "help", "import", "ingest", "key", "keys", "mcp")
    + ("people", "prepare", "remember", "restore", "session", "spaces", "up")
)
Example = tuple[str, str]  # (what is typed after manage.py, what it does)


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    group: str
    line: str
    examples: tuple[Example, ...]


def _entries() -> dict[str, Entry]:
    found = {}
    for group, commands in (*DAILY.items(), *UPKEEP.items()):
        for name, (line, *examples) in commands.items():
            found[name] = Entry(name, group, line, tuple(examples))
    return found


CATALOGUE = _entries()


def overview() -> str:
    """What `manage.py` prints without a command."""
    lines = ["Palimpsest: a memory for AI agents that a person can see into and correct.", ""]
    lines += ["manage.py COMMAND [--data DIR] [--json] …", ""]
    group = ""
    for entry in CATALOGUE.values():
        if entry.group != group:
            group = entry.group
            lines += [group]
        lines.append(f"  {entry.name:<13} {entry.line}")
    lines += ["", "manage.py help COMMAND shows its options and examples; docs/COMMANDS.md has all of them."]
    codes = (f"{code} {re.split('[;:]', said)[0]}" for code, said in EXIT_CODES.items())
    lines.append(f"Exit codes: {', '.join(codes)}.")
    return "\n".join(lines)


def as_json() -> list[dict[str, object]]:
    return [
        {
            "command": one.name,
            "group": one.group,
            "does": one.line,
            "examples": [{"type": f"manage.py {words}", "does": does} for words, does in one.examples],
        }
        for one in CATALOGUE.values()
    ]


def examples_told(name: str) -> str:
    """The end of a command's own help; empty for one that is not ours."""
    entry = CATALOGUE.get(name)
    if entry is None:
        return ""
    lines = ["examples:"]
    for words, does in entry.examples:
        lines += [f"  manage.py {words}", f"      {does}"]
    return "\n".join(lines)
