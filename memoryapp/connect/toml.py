"""TOML, edited so that what is not ours keeps its words, its comments and its order."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any

import tomlkit
from tomlkit.container import Container
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table


def parse(text: str) -> Any:
    """Return the tables of the text. Raises ValueError."""
    return tomllib.loads(text)


def add_member(text: str, path: Sequence[str], value: dict[str, Any]) -> str:
    """Return the text with a table of `value` under the names of `path`. Raises ValueError where the name is taken, or
    something else than a table stands on the way."""
    *way, name = path
    try:
        document = tomlkit.parse(text)
        place: Any = document
        for step in way:
            if step not in place:
                place.add(step, tomlkit.table(is_super_table=True))
            place = place[step]
            if not isinstance(place, (Container, Table)):
                raise ValueError(f"it has no table “{'.'.join(way)}” of its own")
        if name in place:
            raise ValueError(f"“{'.'.join(path)}” is there already")
        table = tomlkit.table()
        table.update(value)
        place.add(name, table)
        return tomlkit.dumps(document)
    except TOMLKitError as error:
        raise ValueError(str(error)) from None


def remove(text: str, path: Sequence[Any]) -> str:
    """Return the text without what stands at `path`; as it is where there is nothing. Raises ValueError."""
    *way, name = path
    try:
        document = tomlkit.parse(text)
        place: Any = document
        for step in way:
            if step not in place:
                return text
            place = place[step]
        if name in place:
            del place[name]
        return tomlkit.dumps(document)
    except TOMLKitError as error:
        raise ValueError(str(error)) from None
