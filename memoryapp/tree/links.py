"""Markdown of a node in, the same with its links to other nodes led to where these are now.

A link is relative to the file that it stands in, so it has to be written anew where that file moves, or the one it
leads to. Links in code stay as they are: they are not links. So do addresses, and what leads out of the tree's folder.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from urllib.parse import quote, unquote

from memoryapp.domain.memory import Memory
from memoryapp.domain.node import Node, file_of, line_key, lines_of, rewritten, with_description
from memoryapp.tree.markdown import lines_of_text

_LINK = re.compile(r"(\]\([ \t]*|^ {0,3}\[[^\[\]\n]+\]:[ \t]*)(<[^<>\n]*>|[^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)")
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|[/\\?]")
_FENCE = re.compile(r"^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}|~{3,})")
_TICKS = re.compile(r"`+")
_DEEP = "/0/1/2/3/4/5/6/7/8/9"  # stands for the folder above bank/, so that a few “..” do not climb over the top
Places = Callable[[str, str], tuple[str, str]]


def moved_places(moved: Mapping[str, str]) -> Places:
    """Where links to moved nodes lead: the same anchors at the new path. `moved`: new path by old."""
    return lambda path, anchor: (moved.get(path, path), anchor)


def relink_markdown(text: str, *, was: str, now: str, places: Places) -> str:
    """The markdown of a node that was at one path and is at another. `places`: of a node's path and an anchor, where
    they are now."""
    if "](" not in text and "]:" not in text:
        return text
    fence = ""
    written = []
    for line in lines_of_text(text):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence):
                fence = ""
        elif mark:
            fence = mark.group(1)
        else:
            line = _line(line, was, now, places)
        written.append(line)
    return "".join(written)


def led_anew(some: Iterable[Node], moved: Mapping[str, str], places: Places) -> list[tuple[Memory, Memory]]:
    """(before, after) of the nodes in whose markdown a link changes by it; what stands behind a line goes on standing
    behind it. `moved`: new path by old; those nodes are read as if they were at the new one."""
    pairs = []
    for node in some:
        text = relink_markdown(node.text, was=node.path, now=moved.get(node.path, node.path), places=places)
        if text != node.text:
            pairs.append((node.memory, reword_lines(node.memory, node.text, text)))
    return pairs


def reword_lines(memory: Memory, old: str, new: str) -> Memory:
    """The node with these words of its lines in place of those, line for line."""
    keys = {
        line_key(was): line_key(now) for was, now in zip(old.splitlines(), new.splitlines(), strict=False) if was != now
    }
    # A line that a conflict is about keeps its key: by it the conflict finds it.
    lines = [line if line.instead else replace(line, key=keys.get(line.key, line.key)) for line in lines_of(memory)]
    after = rewritten(memory, new)
    return with_description(after, lines=lines) if lines else after


def link_to(path: str, *, at: str) -> str:
    """How a link in the file of one node names that of another."""
    there = posixpath.relpath(file_of(path), posixpath.dirname(file_of(at)))
    return f"<{there}>" if re.search(r"[\s()]", there) else there


def _line(line: str, was: str, now: str, places: Places) -> str:
    if "](" not in line and "]:" not in line:
        return line
    code = _code_spans(line)

    def led(found: re.Match[str]) -> str:
        if any(first <= found.start() < last for first, last in code):
            return found.group()
        return found[1] + _target(found[2], was, now, places)

    return _LINK.sub(led, line)


def _code_spans(line: str) -> list[tuple[int, int]]:
    """Where code stands in a line: from some backticks to the next as many."""
    runs = [(found.start(), found.end()) for found in _TICKS.finditer(line)]
    behind: dict[int, list[int]] = {}
    for at in range(len(runs) - 1, -1, -1):
        behind.setdefault(runs[at][1] - runs[at][0], []).append(at)
    spans = []
    at = 0
    while at < len(runs):
        same = behind[runs[at][1] - runs[at][0]]
        while same and same[-1] <= at:
            same.pop()
        if same:
            spans.append((runs[at][0], runs[same[-1]][1]))
            at = same[-1]
        at += 1
    return spans


def _target(said: str, was: str, now: str, places: Places) -> str:
    bare = said[1:-1] if said.startswith("<") else said
    if not bare or _ELSEWHERE.match(bare):
        return said
    file, hash_, anchor = bare.partition("#")
    before, here = _absolute(was), _absolute(now)
    old = posixpath.normpath(posixpath.join(posixpath.dirname(before), unquote(file))) if file else before
    if not old.startswith(_DEEP):
        return said
    new, to = old, anchor
    path = old.removeprefix(f"{_DEEP}/bank/").removesuffix(".md") if old.endswith(".md") else old
    if path != old and not path.startswith("/"):
        to_path, to = places(path, unquote(anchor))
        to = anchor if to == unquote(anchor) else to
        new = _absolute(to_path)
    reads_now = posixpath.normpath(posixpath.join(posixpath.dirname(here), unquote(file))) if file else here
    if (reads_now, anchor) == (new, to):
        return said
    if new == here and to:
        return f"#{to}"
    there = posixpath.relpath(new, posixpath.dirname(here))
    if said.startswith("<"):
        return f"<{there}{hash_ if to else ''}{to}>"
    spelled = quote(there, safe="/") if unquote(file) != file else there
    spelled = re.sub(r"[\s()<>]", lambda found: quote(found.group()), spelled)
    return f"{spelled}{'#' if to else ''}{to}"


def _absolute(path: str) -> str:
    return f"{_DEEP}/{file_of(path)}"
