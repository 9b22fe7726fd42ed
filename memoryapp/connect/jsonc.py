"""JSON with comments, edited as text: what is not ours keeps its bytes, its comments and its order."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"(?:[\s\ufeff]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"[^\s,\]}\[{:/\"]+")
_REST_OF_LINE = re.compile(r"[ \t]*(?:/\*(?:[^*\n]|\*(?!/))*\*/[ \t]*)*(?://[^\n]*?(?=\r?\n|$))?[ \t]*(?=\r?\n|$)")
_DEEPEST = 200
Step = str | int
Path = Sequence[str]


@dataclass(slots=True)
class Node:
    """A value and where it stands in the text. `members`: of an object (by name) or an array (name None), in order."""

    start: int
    end: int
    value: Any
    members: list[Member] = field(default_factory=list)


@dataclass(slots=True)
class Member:
    """`start` is where its name begins, or in an array its value."""

    name: str | None
    start: int
    node: Node


def parse(text: str) -> Any:
    """Return the value of the text; {} where it holds nothing but blanks and comments. Raises ValueError."""
    root = _root(text)
    return root.value if root else {}


def add_member(text: str, path: Path, value: Any) -> str:
    """Return the text with `value` under the names of `path`; objects on the way that are missing are made. Raises
    ValueError where something else than an object stands on the way, or the name is taken."""
    root = _root(text)
    if root is None:
        return _fill(text, _nest(path, value))
    node, depth = _deepest_node(root, path)
    if depth == len(path):
        raise ValueError(f"“{'.'.join(path)}” is there already")
    _must_be(node, dict, path[:depth])
    return _insert(text, node, path[depth], _nest(path[depth + 1 :], value))


def add_element(text: str, path: Path, value: Any) -> str:
    """Return the text with `value` behind the last element of the array at `path`, which is made where it is missing.
    Raises ValueError where something else stands there."""
    root = _root(text)
    if root is None:
        return _fill(text, _nest(path, [value]))
    node, depth = _deepest_node(root, path)
    if depth < len(path):
        return add_member(text, path, [value])
    _must_be(node, list, path)
    return _insert(text, node, None, value)


def remove(text: str, path: Sequence[Step]) -> str:
    """Return the text without the member or element at `path`; as it is where there is none. Comments stay."""
    root = _root(text)
    node = root
    for depth, step in enumerate(path):
        at = _place(node, step) if node else None
        if node is None or at is None:
            return text
        if depth == len(path) - 1:
            return _cut(text, node, at)
        node = node.members[at].node
    return text


def _cut(text: str, parent: Node, at: int) -> str:
    member = parent.members[at]
    start, end = member.start, member.node.end
    comma = _SPACE.match(text, end)
    followed = comma is not None and text[comma.end() : comma.end() + 1] == ","
    if followed and comma is not None:
        end = comma.end() + 1
    elif at:  # the last one: the comma before it goes too
        before = parent.members[at - 1].node.end
        found = _SPACE.match(text, before)
        if found and text[found.end()] == ",":
            text = text[: found.end()] + text[found.end() + 1 :]
            start, end = start - 1, end - 1
    line = text.rfind("\n", 0, start) + 1
    rest = re.compile(r"[ \t]*\r?\n").match(text, end)
    if not text[line:start].strip(" \t") and rest:  # lines of their own
        return text[:line] + text[rest.end() :]
    if not text[line:start].strip(" \t") and line:  # “}” behind it: the line end before goes
        newline = line - 2 if text[line - 2 : line] == "\r\n" else line - 1
        return text[:newline] + text[end:]
    if not followed or at:
        while text[start - 1] in " \t":
            start -= 1
    else:
        while text[end : end + 1] in (" ", "\t"):
            end += 1
    return text[:start] + text[end:]


def _insert(text: str, parent: Node, name: str | None, value: Any) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    inner = text[parent.start + 1 : parent.end - 1]
    lead = "" if name is None else json.dumps(name, ensure_ascii=False) + ": "
    if not parent.members:
        outer = _indent(text, parent.start)
        kept = inner.rstrip() if inner.strip() else ""
        body = _format(lead, value, outer + unit, unit, newline)
        new = f"{kept}{newline}{outer}{unit}{body}{newline}{outer}"
        return text[: parent.start + 1] + new + text[parent.end - 1 :]
    last = parent.members[-1]
    gap = _SPACE.match(text, last.node.end)
    trailing = gap is not None and text[gap.end()] == ","
    after = gap.end() + 1 if gap and trailing else last.node.end
    if "\n" not in inner:
        new = f" {lead}{json.dumps(value, ensure_ascii=False)}"
        return text[:after] + ("" if trailing else ",") + new + ("," if trailing else "") + text[after:]
    indent = _indent(text, last.start)
    new = newline + indent + _format(lead, value, indent, unit, newline) + ("," if trailing else "")
    rest = _REST_OF_LINE.match(text, after)
    place = rest.end() if rest and rest.end() < parent.end else after
    return text[: last.node.end] + ("" if trailing else ",") + text[last.node.end : place] + new + text[place:]


def _format(lead: str, value: Any, indent: str, unit: str, newline: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=unit).split("\n")
    return lead + (newline + indent).join(lines)


def _fill(text: str, value: Any) -> str:
    """A text without a value: what it holds stays before ours."""
    return (
        text
        + ("\n" if text and not text.endswith("\n") else "")
        + json.dumps(value, ensure_ascii=False, indent=2)
        + "\n"
    )


def _unit(text: str) -> str:
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found else "  "


def _indent(text: str, at: int) -> str:
    """Of the line in which the character stands."""
    found = re.compile(r"[ \t]*").match(text, text.rfind("\n", 0, at) + 1)
    return found[0] if found else ""


def _nest(path: Path, value: Any) -> Any:
    for name in reversed(path):
        value = {name: value}
    return value


def _must_be(node: Node, kind: type, path: Path) -> None:
    if not isinstance(node.value, kind):
        where = f"at “{'.'.join(path)}”" if path else "as a whole"
        raise ValueError(f"it is no {'object' if kind is dict else 'array'} {where}")


def _deepest_node(root: Node, path: Path) -> tuple[Node, int]:
    """The last node on the way that is there, and how many names lead to it."""
    node = root
    for depth, name in enumerate(path):
        at = _place(node, name)
        if at is None:
            return node, depth
        node = node.members[at].node
    return node, len(path)


def _place(node: Node, step: Step) -> int | None:
    if isinstance(step, int):
        return step if isinstance(node.value, list) and 0 <= step < len(node.members) else None
    # Of a name that is there twice the last one counts, as programs read it.
    return next((at for at in reversed(range(len(node.members))) if node.members[at].name == step), None)


def _root(text: str) -> Node | None:
    at = _skip(text, 0)
    if at == len(text):
        return None
    root = _value(text, at, 0)
    if _skip(text, root.end) != len(text):
        raise _syntax_error(text, root.end)
    return root


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> Node:
    if depth > _DEEPEST:
        raise ValueError(f"it nests more than {_DEEPEST} levels")
    sign = text[at : at + 1]
    if sign in ("{", "["):
        return _container(text, at, depth)
    found = _STRING.match(text, at) if sign == '"' else _WORD.match(text, at)
    if not found:
        raise _syntax_error(text, at)
    try:
        return Node(at, found.end(), json.loads(found[0]))
    except ValueError:
        raise _syntax_error(text, at) from None


def _container(text: str, start: int, depth: int) -> Node:
    closing = "}" if text[start] == "{" else "]"
    members: list[Member] = []
    at = _skip(text, start + 1)
    while text[at : at + 1] != closing:
        begin, name = at, None
        if closing == "}":
            key = _STRING.match(text, at)
            colon = _skip(text, key.end()) if key else at
            if not key or text[colon : colon + 1] != ":":
                raise _syntax_error(text, at)
            name, at = json.loads(key[0]), _skip(text, colon + 1)
        node = _value(text, at, depth + 1)
        members.append(Member(name, begin, node))
        at = _skip(text, node.end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != closing:
            raise _syntax_error(text, at)
    value: Any = [one.node.value for one in members]
    if closing == "}":
        value = {one.name: one.node.value for one in members}
    return Node(start, at + 1, value, members)


def _syntax_error(text: str, at: int) -> ValueError:
    line = text.count("\n", 0, at) + 1
    return ValueError(f"line {line} is no JSON")
