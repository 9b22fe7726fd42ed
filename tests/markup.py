"""Pages without the white space that nobody sees, so that tests need not know where a template breaks its lines."""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from typing import Any, NamedTuple

from django.test import Client

_PIECE = re.compile(r"""<!--.*?-->|<[a-z/!](?:"[^"]*"|'[^']*'|[^>"'])*>|[^<]+|<""", re.DOTALL | re.IGNORECASE)
_NAME = re.compile(r"</?([a-z0-9]+)", re.IGNORECASE)
_VALUE = re.compile(r"""("[^"]*"|'[^']*')""")
_CLASS = re.compile(r'(?<= class=")[^"]*(?=")')
_BLANKS = re.compile(r"[ \t\n\r\f]+")
# Where white space stands as it is written: in these elements, and in those of these classes.
_KEPT = {"pre", "textarea", "script", "style"}
_KEPT_CLASSES = {"pre", "given"}
# What stands apart from the line around it; what stands in a line as one thing, with lines of its own inside; and what
# stands in a line and has no inside.
_BLOCKS = frozenset(
    """
    !doctype address article aside blockquote body br caption col colgroup datalist dd details dialog div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li link main meta nav ol optgroup option
    p pre script search section style summary table tbody td template tfoot th thead title tr ul
    """.split()  # noqa: SIM905 - a list of sixty literals reads worse
)
_BOXES = {"button", "meter", "progress", "select", "svg", "textarea"}
_THINGS = {"img", "input"}


class PageClient(Client):
    """A browser that gets its pages collapsed. `weight` is how many bytes the last of them had as it was sent."""

    _sent = b""

    @property
    def weight(self) -> int:
        return len(gzip.compress(self._sent))

    def request(self, **request: Any) -> Any:
        answer = super().request(**request)
        if not answer.streaming and answer.headers.get("Content-Type", "").startswith("text/html"):
            self._sent = answer.content
            answer.content = collapse(answer.content.decode())
        return answer


class Tag(NamedTuple):
    name: str
    closes: bool
    is_kept: bool  # white space counts within it
    is_block: bool
    is_box: bool
    is_thing: bool
    text: str  # as it is set


def collapse(html: str) -> str:
    """One blank for a run of white space, and none at the borders of blocks, as a browser sets it."""
    out: list[str] = []
    blank = -1  # the piece at the line's end whose last character is a blank
    begins = True  # whether a blank at this place would be one too many
    kept, depth = "", 0  # the element in which white space counts, and how many of that name are open
    for piece in _PIECE.findall(html):
        if piece.startswith("<!--"):
            continue
        if (tag := _tag(piece) if piece[0] == "<" else None) is None:
            if not kept:
                piece = _BLANKS.sub(" ", piece)
                piece = piece[1:] if begins and piece.startswith(" ") else piece
                if piece:
                    begins = piece.endswith(" ")
                    blank = len(out) if begins else -1
            out.append(piece)
            continue
        if kept:
            depth += 0 if tag.name != kept else -1 if tag.closes else 1
            kept = kept if depth else ""
        elif tag.is_kept:
            kept, depth = tag.name, 1
        if blank >= 0 and (tag.is_block or (tag.is_box and tag.closes)):
            out[blank] = out[blank][:-1]
        if tag.is_block or tag.is_box:
            begins, blank = tag.is_block or not tag.closes, -1
        elif tag.is_thing:
            begins, blank = False, -1
        out.append(tag.text)
    return "".join(out).strip()


def _classes(tag: str) -> set[str]:
    return set(found[0].split()) if (found := _CLASS.search(tag)) else set()


@lru_cache(maxsize=20_000)  # the pages of one app share most of their tags
def _tag(tag: str) -> Tag | None:
    """None where it is none: a “<” of the text. Its attributes are set on one line. What a value says stays, but for
    the blanks between classes."""
    if not (found := _NAME.match(tag)):
        return None
    name, closes = found[1].lower(), tag.startswith("</")
    parts = _VALUE.split(tag)
    parts[::2] = [_BLANKS.sub(" ", part) for part in parts[::2]]
    joined = re.sub(r" ?(/?)>$", r"\1>", "".join(parts))
    return Tag(
        name,
        closes,
        is_kept=not closes and (name in _KEPT or bool(_KEPT_CLASSES & _classes(tag))),
        is_block=name in _BLOCKS,
        is_box=name in _BOXES,
        is_thing=name in _THINGS and 'type="hidden"' not in tag,
        text=_CLASS.sub(lambda found: " ".join(found[0].split()), joined),
    )
