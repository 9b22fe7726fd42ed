"""JSON into the dataclasses of `shapes`: a field that is not known here stays in `raw`, one that is missing is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import lru_cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from palimpsest_client.errors import NotUnderstood

T = TypeVar("T")


def read(kind: type[T], value: Any, *, where: str = "the answer") -> T:
    """`value` as a `kind`: a dataclass, a list or dictionary of some, a time, or plain JSON. Raises NotUnderstood."""
    found: T = _read_as(kind, value, where)
    return found


def _read_as(kind: Any, value: Any, where: str) -> Any:
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        wanted = next(one for one in inner if one is not type(None))
        return None if value is None else _read_as(wanted, value, where)
    if origin in (Any, Literal):
        return value
    if is_dataclass(origin):
        return _shape(origin, inner, value, where)
    if origin is datetime:
        return _moment(value, where)
    _check(origin, value, where)
    if origin is list and inner:
        return [_read_as(inner[0], one, f"{where}[{n}]") for n, one in enumerate(value)]
    if origin is dict and inner:
        return {name: _read_as(inner[1], one, f"{where}.{name}") for name, one in value.items()}
    return value


def _shape(kind: Any, inner: tuple[Any, ...], value: Any, where: str) -> Any:
    _check(dict, value, where)
    given: dict[str, Any] = {"raw": value}
    for name, (hint, needed) in _fields(kind).items():
        if name in value:
            given[name] = _read_as(_fill_hint(hint, inner), value[name], f"{where}.{name}")
        elif needed:
            raise NotUnderstood(
                f"{where} has no “{name}”.", advice="Install the client that belongs to this version of Palimpsest."
            )
    return kind(**given)


@lru_cache(maxsize=256)
def _fields(kind: Any) -> Mapping[str, tuple[Any, bool]]:
    """Of each field but `raw`: its type, and whether an answer must have it."""
    hints = get_type_hints(kind)
    return {
        one.name: (hints[one.name], one.default is MISSING and one.default_factory is MISSING)
        for one in fields(kind)
        if one.name != "raw"
    }


def _fill_hint(hint: Any, inner: tuple[Any, ...]) -> Any:
    """list[T] of a Page[Memory] is list[Memory]."""
    return hint[inner] if inner and getattr(hint, "__parameters__", ()) else hint


def _moment(value: Any, where: str) -> datetime:
    _check(str, value, where)
    try:
        return datetime.fromisoformat(value.replace("Z", "+00:00"))  # Python 3.10 does not read the Z
    except ValueError:
        raise NotUnderstood(f"{where} is no time: {value[:40]!r}.") from None


def _check(kind: Any, value: Any, where: str) -> None:
    expected = (int, float) if kind is float else kind
    if isinstance(expected, type | tuple) and not isinstance(value, expected):
        raise NotUnderstood(f"{where} is {type(value).__name__}, not {getattr(kind, '__name__', kind)}.")
