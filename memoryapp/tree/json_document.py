"""JSON that remembers how it was spelled: what is changed in it is written in the manner of the rest, and every other
letter stays as it was, down to escapes, numbers as “1.50”, lists on one line, line ends and a byte-order mark."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, NoReturn

from memoryapp.domain.errors import BadInput

DEEPEST = 60  # levels of nesting
_BLANK = re.compile(r"[ \t\n\r]*")
_SCALAR = json.JSONDecoder()
_BOM = "\ufeff"

Container = dict[str, Any] | list[Any]


@dataclass(slots=True)
class _Spelling:
    """A container as it stood in the text. `gap`: the blanks after its opening bracket; `keys`, `scalars`: the letters
    of what it holds."""

    value: Container  # kept, so that its id() is not given to another
    depth: int
    gap: str = ""
    raw: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    scalars: dict[tuple[str, Any], str] = field(default_factory=dict)


class JsonDocument:
    """`value` is the parsed document, to be changed in place; `str()` writes it.

    Raises BadInput with line and column where the text is no JSON.
    """

    def __init__(self, text: str, *, name: str = "The text") -> None:
        start = len(_BOM) if text.startswith(_BOM) else 0
        _check(text[start:], name)
        self._text = text
        self._known: dict[int, _Spelling] = {}
        self._gaps: dict[tuple[str, type], str] = {}
        self._colon = ""
        self._comma = ""
        self._newline = "\r\n" if "\r\n" in text else "\n"
        self._ascii = "\\u" in text and text[start:].isascii()
        begin = _after_blanks(text, start)
        self.value, end = self._read(begin, 0, "", None)
        self._head, self._tail = text[:begin], text[end:]
        top = self._known.get(id(self.value))
        indented = top is not None and "\n" in top.gap
        self._unit = top.gap.rpartition("\n")[2] if top is not None and indented else "  "
        self._colon = self._colon or ": "
        self._comma = self._comma or (", " if self._colon.endswith(" ") else ",")
        self._spread = self._newline + self._unit if indented or not self.value else ""

    def __str__(self) -> str:
        return f"{self._head}{self._write(self.value, 0, '', None)}{self._tail}"

    def _read(self, at: int, depth: int, key: str, within: _Spelling | None) -> tuple[Any, int]:
        opening = self._text[at]
        if opening not in "{[":
            value, end = _SCALAR.raw_decode(self._text, at)
            if within is not None:
                within.scalars.setdefault(_kind(value), self._text[at:end])
            return value, end
        known = _Spelling({} if opening == "{" else [], depth)
        self._known[id(known.value)] = known
        here = _after_blanks(self._text, at + 1)
        known.gap = self._text[at + 1 : here]
        if self._text[here] not in "}]":
            self._gaps.setdefault((key, type(known.value)), known.gap)
        while self._text[here] not in "}]":
            here = self._read_member(here, known, key)
            if self._text[here] == ",":
                after = _after_blanks(self._text, here + 1)
                if "\n" not in known.gap:
                    self._comma = self._comma or self._text[here:after]
                here = after
        known.raw = self._text[at : here + 1]
        return known.value, here + 1

    def _read_member(self, here: int, known: _Spelling, key: str) -> int:
        if isinstance(known.value, list):
            item, here = self._read(here, known.depth + 1, f"{key}/*", known)
            known.value.append(item)
            return _after_blanks(self._text, here)
        name, end = _SCALAR.raw_decode(self._text, here)
        known.keys[name] = self._text[here:end]
        here = _after_blanks(self._text, _after_blanks(self._text, end) + 1)
        self._colon = self._colon or self._text[end:here]
        known.value[name], here = self._read(here, known.depth + 1, name, known)
        if isinstance(known.value[name], (dict, list)) and known.value[name]:
            self._gaps.setdefault((f"{key}/*", type(known.value[name])), self._known[id(known.value[name])].gap)
        return _after_blanks(self._text, here)

    def _write(self, value: Any, depth: int, key: str, within: _Spelling | None) -> str:
        if not isinstance(value, (dict, list)):
            kept = within.scalars.get(_kind(value)) if within else None
            return kept if kept is not None else self._plain(value)
        known = self._known.get(id(value))
        if known is not None and known.depth == depth and _is_same_value(known.raw, value):
            return known.raw
        if not value:
            return "{}" if isinstance(value, dict) else "[]"
        members = self._members(value, depth, key, known)
        gap = known.gap if known is not None and len(known.raw) > 2 + len(known.gap) else self._gap(value, key, within)
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        if "\n" not in gap:
            return f"{opening}{gap}{self._comma.join(members)}{gap}{closing}"
        inner, outer = (self._newline + self._unit * level for level in (depth + 1, depth))
        return f"{opening}{inner}{f',{inner}'.join(members)}{outer}{closing}"

    def _members(self, value: Container, depth: int, key: str, known: _Spelling | None) -> list[str]:
        if isinstance(value, list):
            return [self._write(item, depth + 1, f"{key}/*", known) for item in value]
        keys = known.keys if known else {}
        return [
            f"{keys.get(name) or self._plain(name)}{self._colon}{self._member(item, depth + 1, name, key, known)}"
            for name, item in value.items()
        ]

    def _member(self, item: Any, depth: int, name: str, key: str, known: _Spelling | None) -> str:
        """A member is laid out as those of its name are, else as its siblings."""
        named = isinstance(item, (dict, list)) and (name, type(item)) in self._gaps
        return self._write(item, depth, name if named else f"{key}/*", known)

    def _gap(self, value: Container, key: str, within: _Spelling | None) -> str:
        """How a container that is new is laid out: as those in its place, else dicts as the whole and lists short."""
        like = self._gaps.get((key, type(value)))
        if like is not None:
            return like
        return self._spread if isinstance(value, dict) or any(isinstance(one, (dict, list)) for one in value) else ""

    def _plain(self, value: Any) -> str:
        return json.dumps(value, ensure_ascii=self._ascii, separators=(self._comma, self._colon))


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found is not None
    return found.end()


def _kind(value: Any) -> tuple[str, Any]:
    """1, 1.0 and true are equal in Python, and are not in JSON."""
    return type(value).__name__, value


def _is_same_value(raw: str, value: Any) -> bool:
    return json.dumps(json.loads(raw)) == json.dumps(value)


def _check(text: str, name: str) -> None:
    try:
        found = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise BadInput(f"{name} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise BadInput(f"{name} is nested more than {DEEPEST} levels deep.") from None
    except BadInput as error:
        raise BadInput(f"{name} {error.detail}") from None
    except ValueError:
        raise BadInput(f"{name} holds a number with more digits than can be read.") from None
    level, depth = [found], 0
    while containers := [value for value in level if isinstance(value, (dict, list))]:
        depth += 1
        if depth > DEEPEST:
            raise BadInput(f"{name} is nested more than {DEEPEST} levels deep.")
        level = [inner for one in containers for inner in (one.values() if isinstance(one, dict) else one)]


def _refuse(constant: str) -> NoReturn:
    raise BadInput(f"holds {constant}, which is not a JSON number.")
