"""An agent's settings as text: our entries put in and taken out, whatever the format, and checked both ways. JSON with
comments is edited by `jsonc`, TOML here; what is not ours keeps its words, its comments and its order.
"""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.container import Container
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from memoryapp.connect import jsonc
from memoryapp.connect.agents import Wish, starts_same_hook


def add_wishes(file: Path, content: bytes | None, wishes: Sequence[Wish]) -> bytes:
    """Return the file's content with all wishes in it; everything else is as it was. Raises ValueError, saying why, for
    a file that is not what it is taken for, or that has an entry of our name that we did not make."""
    text = (content or b"").decode("utf-8")
    wanted = copy.deepcopy(parse(file, text))
    for wish in wishes:
        if not isinstance(wanted, dict):
            raise ValueError("it is no object as a whole")
        there = _value_at(wanted, wish.path)
        if (wish.element and isinstance(there, list) and wish.value in there) or there == wish.value:
            continue
        if there is not None and not wish.element:
            raise ValueError(f"it has another “{'.'.join(wish.path)}” already")
        put = _put_in_toml if file.suffix == ".toml" else _put_in_json
        text = put(text, wish)
        _place(wanted, wish)
    if parse(file, text) != wanted:
        raise ValueError("it is written in a way that cannot be added to")
    return text.encode()


def remove_wishes(file: Path, content: bytes, wishes: Sequence[Wish], base: bytes | None) -> bytes:
    """Return the content without what the wishes put there, and without objects that are empty now and were not there
    before (`base`). Raises ValueError."""
    text = content.decode("utf-8")
    before = parse(file, (base or b"").decode("utf-8"))
    drop = remove_from_toml if file.suffix == ".toml" else jsonc.remove
    for wish in wishes:
        text = _remove_hooks(text, wish) if wish.element else drop(text, wish.path)
        for depth in range(len(wish.path), 0, -1):
            way = wish.path[:depth]
            if _value_at(parse(file, text), way) in ({}, []) and _value_at(before, way) is None:
                text = drop(text, way)
    return text.encode()


def parse(file: Path, text: str) -> Any:
    """Return the values of the settings. Raises ValueError."""
    return parse_toml(text) if file.suffix == ".toml" else jsonc.parse(text)


def has(file: Path, content: bytes | None, wish: Wish) -> bool:
    """Return whether something of ours stands where the wish would put it."""
    try:
        there = _value_at(parse(file, (content or b"").decode("utf-8")), wish.path)
    except ValueError:
        return False
    return (
        any(_is_our_group(one, wish) for one in there)
        if wish.element and isinstance(there, list)
        else there is not None
    )


def _put_in_json(text: str, wish: Wish) -> str:
    put = jsonc.add_element if wish.element else jsonc.add_member
    return put(text, wish.path, wish.value)


def _put_in_toml(text: str, wish: Wish) -> str:
    return add_toml_member(text, wish.path, wish.value)


def _remove_hooks(text: str, wish: Wish) -> str:
    """Of each group of hooks only ours go: somebody may have put one of their own beside it."""
    groups = _value_at(jsonc.parse(text), wish.path)
    for number, group in reversed(list(enumerate(groups if isinstance(groups, list) else ()))):
        if not _is_our_group(group, wish):
            continue
        hooks = group["hooks"]
        if all(_is_ours(hook, wish) for hook in hooks):
            text = jsonc.remove(text, (*wish.path, number))
            continue
        for at in reversed(range(len(hooks))):
            if _is_ours(hooks[at], wish):
                text = jsonc.remove(text, (*wish.path, number, "hooks", at))
    return text


def _is_our_group(group: Any, wish: Wish) -> bool:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return isinstance(hooks, list) and any(_is_ours(hook, wish) for hook in hooks)


def _is_ours(hook: Any, wish: Wish) -> bool:
    command = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(command, str) and any(starts_same_hook(command, one["command"]) for one in wish.value["hooks"])


def _value_at(value: Any, path: Sequence[str]) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _place(values: dict[str, Any], wish: Wish) -> None:
    *way, name = wish.path
    for step in way:
        values = values.setdefault(step, {})
    if wish.element:
        values.setdefault(name, []).append(wish.value)
    else:
        values[name] = wish.value


def parse_toml(text: str) -> Any:
    """Return the tables of the text. Raises ValueError."""
    return tomllib.loads(text)


def add_toml_member(text: str, path: Sequence[str], value: dict[str, Any]) -> str:
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


def remove_from_toml(text: str, path: Sequence[Any]) -> str:
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
