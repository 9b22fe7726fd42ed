"""docs/COMMANDS.md, made of the commands themselves. `python -m memoryapp.management.reference` writes it anew, and
with it what completion reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memoryapp.management.catalogue import CATALOGUE, EXIT_CODES
from memoryapp.management.grammar import GRAMMAR, as_text, grammar

PAGE = Path(__file__).parents[2] / "docs" / "COMMANDS.md"
Told = dict[str, Any]
_EVERYWHERE = ("--data", "--json", "--help")
HEAD = """# Commands

All of it is `palimpsest COMMAND`: of a checkout `.venv/bin/palimpsest`, which is its `manage.py` by a shorter name
(`palimpsest completion` prints what lets a shell find and complete it). `palimpsest` alone shows the ten commands that
people use, `palimpsest help` all of them, `palimpsest help COMMAND` one with its options, and
`palimpsest help COMMAND VERB` one verb of it.

While the app runs on a data folder, a command speaks to it; without one it opens the folder itself and says so. The
output is the same. Every command takes `--data DIR` (default: `MEMORY_DATA_DIR`, else `data` of the checkout; of an
installed package `~/.local/share/palimpsest`, on macOS `~/Library/Application Support/palimpsest`) and `--json`, which
prints on standard output what the API answers; all else goes to standard error. A bar shows how far long work is, on a
terminal only. Ctrl-C stops the work as well.

| exit code | |
|---|---|
"""
FOOT = """
<!-- Made by `python -m memoryapp.management.reference` out of the commands: change those, not this page. -->
"""


def page(found: Told) -> str:
    """The whole page, of `grammar()`."""
    lines = [*(f"| {code} | {said} |" for code, said in EXIT_CODES.items()), "", *_table()]
    for name, taken in found["commands"].items():
        lines += ["", *_command(name, taken)]
    return HEAD + "\n".join(lines) + "\n" + FOOT


def _table() -> Iterator[str]:
    group = ""
    yield "| | command | |"
    yield "|---|---|---|"
    for entry in CATALOGUE.values():
        shown = f"[`{entry.name}`](#{entry.name})" if entry.name != "help" else "`help`"
        yield f"| {entry.group if entry.group != group else ''} | {shown} | {entry.line} |"
        group = entry.group


def _command(name: str, taken: Told) -> Iterator[str]:
    yield f"## {name}"
    yield ""
    yield taken["does"]
    yield ""
    yield "```"
    yield _usage(f"palimpsest {name}", taken)
    for verb, one in taken["verbs"].items():
        yield _usage(f"palimpsest {name} {verb}", one)
    yield "```"
    if name in CATALOGUE:
        yield ""
        yield "| example | |"
        yield "|---|---|"
        for words, does in CATALOGUE[name].examples:
            yield f"| `palimpsest {words}` | {does} |"
    lines = [*_said("", taken), *(line for verb, more in taken["verbs"].items() for line in _said(f"{verb} ", more))]
    if lines:
        yield ""
        yield from lines


def _said(before: str, taken: Told) -> Iterator[str]:
    """A line for each word and option of which there is something to say."""
    for one in taken["takes"]:
        if said := one["does"] or ", ".join(one["choices"]):
            yield f"- `{before}{one['name']}`: {said}"
    for flag, one in taken["options"].items():
        said = one["does"] or ", ".join(one["choices"])
        if said and flag not in _EVERYWHERE:
            yield f"- `{before}{' '.join(filter(None, (flag, one['value'])))}`: {said}"


def _usage(name: str, taken: Told) -> str:
    """A line as it is typed: what must be there, then what may."""
    parts = [name, *(one["form"] for one in taken["takes"])]
    for flag, one in taken["options"].items():
        if flag not in _EVERYWHERE:
            parts.append(f"[{flag} {one['value']}]" if one["value"] else f"[{flag}]")
    parts += ["VERB …"] if taken["verbs"] else []
    return " ".join(parts)


def write() -> None:
    """Both files, where they have changed."""
    found = grammar()
    for file, text in ((PAGE, page(found)), (GRAMMAR, as_text(found))):
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    django.setup()
    write()
