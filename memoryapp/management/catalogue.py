"""Every command in a line, with examples, in the groups by which `manage.py help` shows them. Words only: to list the
commands nothing of them is loaded."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memoryapp.management.catalogue_daily import DAILY
from memoryapp.management.catalogue_upkeep import UPKEEP
from memoryapp.program import data_folder, program_name

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
# What people use: shown where the program is called without a command.
MOST_USED = ("up", "login", "key", "mcp", "ingest", "remember", "recall", "conflicts", "backup", "doctor")
Example = tuple[str, str]  # (what is typed after the program's name, what it does)


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
    """What `help` prints: every command in a line."""
    lines = ["Palimpsest: a memory for AI agents that a person can see into and correct.", ""]
    lines += [f"{program_name()} COMMAND [--data DIR] [--json] …", ""]
    group = ""
    for entry in CATALOGUE.values():
        if entry.group != group:
            group = entry.group
            lines += [group]
        lines.append(f"  {entry.name:<13} {entry.line}")
    lines += ["", f"{program_name()} help COMMAND shows its options and examples; docs/COMMANDS.md has all of them."]
    codes = (f"{code} {re.split('[;:]', said)[0]}" for code, said in EXIT_CODES.items())
    lines.append(f"Exit codes: {', '.join(codes)}.")
    return "\n".join(lines)


def first_words() -> str:
    """What the program prints without a command: what it is, the commands that people use, and where the rest is."""
    name = program_name()
    lines = ["Palimpsest: a memory for AI agents that a person can see into and correct.", ""]
    lines += [f"  {name} {one:<10} {CATALOGUE[one].line}" for one in MOST_USED]
    lines += [
        "",
        f"`{name} help` lists all {len(CATALOGUE) - 1} commands, `{name} help COMMAND` shows one with examples.",
    ]
    lines.append(f"The data is in {data_folder()}; --data DIR or MEMORY_DATA_DIR names another folder.")
    return "\n".join(lines)


def as_json() -> list[dict[str, object]]:
    return [
        {
            "command": one.name,
            "group": one.group,
            "does": one.line,
            "examples": [{"type": f"{program_name()} {words}", "does": does} for words, does in one.examples],
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
        lines += [f"  {program_name()} {words}", f"      {does}"]
    return "\n".join(lines)
