"""What may follow the words typed so far. Asked by the shell at every tab: the standard library alone, no settings, no
Django, and never an error."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

from memoryapp.program import data_folder

GRAMMAR = Path(__file__).with_name("grammar.json")
PEOPLE = "people.sqlite3"  # where the spaces of a data folder are written down
Fields = dict[str, Any]


def answer(words: list[str]) -> int:
    """Prints a line for each word that may stand in place of the last one. The exit code is 0 in any case."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        for one in candidates(words[1:] if words[:1] == ["--"] else words, json.loads(GRAMMAR.read_text("utf-8"))):
            print(one)
    return 0


def candidates(words: list[str], grammar: Fields) -> list[str]:
    """`words`: those typed after the program's name, the last one as far as it is typed."""
    *before, typed = [word for word in words if word != "="] or [""]  # bash parts at “=”
    typed = "" if words[-1:] == ["="] else typed
    if typed.startswith("--") and "=" in typed:
        flag, _, typed = typed.partition("=")
        return [f"{flag}={one}" for one in candidates([*before, flag, typed], grammar)]
    return sorted({one for one in _possible_words(before, typed, grammar) if one.startswith(typed)})


def _possible_words(before: list[str], typed: str, grammar: Fields) -> list[str]:
    commands: Fields = grammar["commands"]
    before = before[1:] if before[:1] == ["help"] else before
    if not before:
        return [*commands, "help"]
    node = commands.get(before[0])
    if node is None:
        return []
    options, wanted = dict(node["options"]), None
    for word in before[1:]:
        if wanted is not None:
            wanted = None  # the option's value
        elif word in node["verbs"]:
            node = node["verbs"][word]
            options |= node["options"]
        elif word in options:
            wanted = word if options[word]["value"] else None
    if wanted is not None:
        return _values(wanted, options[wanted], grammar)
    if typed.startswith("-"):
        return list(options)
    return [*node["verbs"], *(choice for one in node["takes"] for choice in one["choices"])]


def _values(flag: str, option: Fields, grammar: Fields) -> list[str]:
    if flag in ("--space", "--parent"):
        return spaces_in(data_folder())
    if flag == "--strategy":
        return list(grammar["strategies"])
    return list(option["choices"])


def spaces_in(folder: Path) -> list[str]:
    """Names of the spaces of a data folder; none where it cannot be read."""
    file = folder.expanduser().absolute() / PEOPLE
    if not file.is_file():
        return []
    try:
        with contextlib.closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=0.5)) as people:
            return [name for (name,) in people.execute("SELECT name FROM accounts_space ORDER BY name")]
    except sqlite3.Error:
        return []
