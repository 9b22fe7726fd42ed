"""docs/COMMANDS.md, made of the commands themselves: what each takes is read off its parser.
`python -m memoryapp.management.reference` writes it anew, and with it `grammar.json`, which completion reads so that a
shell does not wait for the program to start.
"""

from __future__ import annotations

import json
from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from argparse import _SubParsersAction  # isort: skip  # argparse has no other name for it
from django.core.management import get_commands, load_command_class

from memoryapp.domain.strategies import STRATEGIES
from memoryapp.management.catalogue import CATALOGUE, EXIT_CODES
from memoryapp.management.command import PalimpsestCommand
from memoryapp.program import NAME

GRAMMAR = Path(__file__).with_name("grammar.json")
_APP = "memoryapp"
_SHARED = {"help", "data", "json", "space"}  # told once, not with every verb
Fields = dict[str, Any]
_EVERYWHERE = ("--data", "--json", "--help")
FOOT = """
<!-- Made by `python -m memoryapp.management.reference` out of the commands: change those, not this page. -->
"""


def our_commands() -> dict[str, PalimpsestCommand]:
    """Every command of the project, in the catalogue's order, then those it does not know. Loads all of them."""
    ours = {name for name, app in get_commands().items() if app == _APP}
    known = [name for name in CATALOGUE if name in ours]
    found = {name: load_command_class(_APP, name) for name in (*known, *sorted(ours - {*known}))}
    return {name: one for name, one in found.items() if isinstance(one, PalimpsestCommand)}


def grammar() -> Fields:
    """{"commands": {name: what it takes}, "strategies": names}"""
    commands = {name: _parser_fields(one.create_parser(NAME, name), whole=True) for name, one in our_commands().items()}
    return {"commands": commands, "strategies": sorted(STRATEGIES)}


def as_text(found: Fields) -> str:
    """What completion needs of it, a command a line, so that a change shows as one."""
    lines = [f"{json.dumps(name)}: {json.dumps(_strip_sentences(one))}" for name, one in found["commands"].items()]
    strategies, commands = json.dumps(found["strategies"]), ",\n".join(lines)
    return f'{{"strategies": {strategies}, "commands": {{\n{commands}\n}}}}\n'


def _strip_sentences(value: Any) -> Any:
    """Without the sentences."""
    if isinstance(value, dict):
        return {name: _strip_sentences(one) for name, one in value.items() if name not in ("does", "form")}
    return [_strip_sentences(one) for one in value] if isinstance(value, list) else value


def _parser_fields(parser: ArgumentParser, *, whole: bool = False) -> Fields:
    """{"does", "takes": words that stand alone, "options", "verbs"}"""
    told: Fields = {"does": parser.description or "", "takes": [], "options": {}, "verbs": {}}
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            told["verbs"] = {name: _parser_fields(one) for name, one in action.choices.items()}
        elif action.help == SUPPRESS or (not whole and action.dest in _SHARED):
            continue
        elif action.option_strings:
            told["options"] |= dict(_options(action))
        else:
            word = {"name": _name(action), "form": _form(action), "choices": _choices(action)}
            told["takes"].append(word | {"does": action.help or ""})
    return told


def _options(action: Action) -> Iterator[tuple[str, Fields]]:
    takes = action.nargs != 0
    flags = [flag for flag in action.option_strings if flag.startswith("--")]
    for flag in flags:
        value = _name(action) if takes else ""
        yield flag, {"value": value, "choices": _choices(action), "does": action.help or ""}


def _name(action: Action) -> str:
    return str(action.metavar or action.dest).upper()


def _form(action: Action) -> str:
    """As it stands in a line of usage: what may be left out in brackets, what may be repeated with dots."""
    name = _name(action)
    return {"?": f"[{name}]", "*": f"[{name} …]", "+": f"{name} …"}.get(str(action.nargs), name)


def _choices(action: Action) -> list[str]:
    return [str(one) for one in action.choices or ()]


PAGE = Path(__file__).parents[2] / "docs" / "COMMANDS.md"
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


def page(found: Fields) -> str:
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


def _command(name: str, taken: Fields) -> Iterator[str]:
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
    lines = [
        *_usage_lines("", taken),
        *(line for verb, more in taken["verbs"].items() for line in _usage_lines(f"{verb} ", more)),
    ]
    if lines:
        yield ""
        yield from lines


def _usage_lines(before: str, taken: Fields) -> Iterator[str]:
    """A line for each word and option of which there is something to say."""
    for one in taken["takes"]:
        if said := one["does"] or ", ".join(one["choices"]):
            yield f"- `{before}{one['name']}`: {said}"
    for flag, one in taken["options"].items():
        said = one["does"] or ", ".join(one["choices"])
        if said and flag not in _EVERYWHERE:
            yield f"- `{before}{' '.join(filter(None, (flag, one['value'])))}`: {said}"


def _usage(name: str, taken: Fields) -> str:
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
