"""What each command takes, read off its parser: verbs, options, choices. For the reference and for completion, which
reads it from `grammar.json` so that a shell does not wait for the program to start."""

from __future__ import annotations

import json
from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from argparse import _SubParsersAction  # isort: skip  # argparse has no other name for it
from django.core.management import get_commands, load_command_class

from memoryapp.domain.strategies import STRATEGIES
from memoryapp.management.catalogue import CATALOGUE
from memoryapp.management.command import PalimpsestCommand
from memoryapp.program import NAME

GRAMMAR = Path(__file__).with_name("grammar.json")
_APP = "memoryapp"
_SHARED = {"help", "data", "json", "space"}  # told once, not with every verb
Told = dict[str, Any]


def our_commands() -> dict[str, PalimpsestCommand]:
    """Every command of the project, in the catalogue's order, then those it does not know. Loads all of them."""
    ours = {name for name, app in get_commands().items() if app == _APP}
    known = [name for name in CATALOGUE if name in ours]
    found = {name: load_command_class(_APP, name) for name in (*known, *sorted(ours - {*known}))}
    return {name: one for name, one in found.items() if isinstance(one, PalimpsestCommand)}


def grammar() -> Told:
    """{"commands": {name: what it takes}, "strategies": names}"""
    commands = {name: _taken(one.create_parser(NAME, name), whole=True) for name, one in our_commands().items()}
    return {"commands": commands, "strategies": sorted(STRATEGIES)}


def as_text(found: Told) -> str:
    """What completion needs of it, a command a line, so that a change shows as one."""
    lines = [f"{json.dumps(name)}: {json.dumps(_bare(one))}" for name, one in found["commands"].items()]
    strategies, commands = json.dumps(found["strategies"]), ",\n".join(lines)
    return f'{{"strategies": {strategies}, "commands": {{\n{commands}\n}}}}\n'


def _bare(value: Any) -> Any:
    """Without the sentences."""
    if isinstance(value, dict):
        return {name: _bare(one) for name, one in value.items() if name not in ("does", "form")}
    return [_bare(one) for one in value] if isinstance(value, list) else value


def _taken(parser: ArgumentParser, *, whole: bool = False) -> Told:
    """{"does", "takes": words that stand alone, "options", "verbs"}"""
    told: Told = {"does": parser.description or "", "takes": [], "options": {}, "verbs": {}}
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            told["verbs"] = {name: _taken(one) for name, one in action.choices.items()}
        elif action.help == SUPPRESS or (not whole and action.dest in _SHARED):
            continue
        elif action.option_strings:
            told["options"] |= dict(_options(action))
        else:
            word = {"name": _name(action), "form": _form(action), "choices": _choices(action)}
            told["takes"].append(word | {"does": action.help or ""})
    return told


def _options(action: Action) -> Iterator[tuple[str, Told]]:
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
