"""Pages without the white space that nobody sees, so that tests need not know where a template breaks its lines."""

from __future__ import annotations

import gzip
import re
from typing import Any

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

    weight = 0

    def request(self, **request: Any) -> Any:
        answer = super().request(**request)
        if not answer.streaming and answer.headers.get("Content-Type", "").startswith("text/html"):
            self.weight = len(gzip.compress(answer.content))
            answer.content = collapse(answer.content.decode())
        return answer


def collapse(html: str) -> str:
    """One blank for a run of white space, and none at the borders of blocks, as a browser sets it."""
    out: list[str] = []
    blank = -1  # the piece at the line's end whose last character is a blank
    begins = True  # whether a blank at this place would be one too many
    kept, depth = "", 0  # the element in which white space counts, and how many of that name are open
    for piece in _PIECE.findall(html):
        if piece.startswith("<!--"):
            continue
        if not (found := _NAME.match(piece)):
            if not kept:
                piece = _BLANKS.sub(" ", piece)
                piece = piece[1:] if begins and piece.startswith(" ") else piece
                if piece:
                    begins = piece.endswith(" ")
                    blank = len(out) if begins else -1
            out.append(piece)
            continue
        name, closes = found[1].lower(), piece.startswith("</")
        if kept:
            depth += 0 if name != kept else -1 if closes else 1
            kept = kept if depth else ""
        elif not closes and (name in _KEPT or _KEPT_CLASSES & _classes(piece)):
            kept, depth = name, 1
        if blank >= 0 and (name in _BLOCKS or (name in _BOXES and closes)):
            out[blank] = out[blank][:-1]
        if name in _BLOCKS or name in _BOXES:
            begins, blank = name in _BLOCKS or not closes, -1
        elif name in _THINGS and 'type="hidden"' not in piece:
            begins, blank = False, -1
        out.append(_tag(piece))
    return "".join(out).strip()


def _classes(tag: str) -> set[str]:
    return set(found[0].split()) if (found := _CLASS.search(tag)) else set()


def _tag(tag: str) -> str:
    """Its attributes on one line. What a value says stays, but for the blanks between classes."""
    parts = _VALUE.split(tag)
    parts[::2] = [_BLANKS.sub(" ", part) for part in parts[::2]]
    joined = re.sub(r" ?(/?)>$", r"\1>", "".join(parts))
    return _CLASS.sub(lambda found: " ".join(found[0].split()), joined)
