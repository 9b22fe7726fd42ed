"""Where a text can be cut: at the ends of sentences and of lines."""

from __future__ import annotations

import re
from dataclasses import dataclass

_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])[」』”]?\s*|\n+")
# A stop behind one of these, or behind a single capital, ends no sentence.
_ABBREVIATED = re.compile(r"(?:^|[\s(])(?:Mrs?|Ms|Dr|St|Prof|Sr|Jr|vs|etc|approx|ca|No|e\.g|i\.e|[A-Z])\.$")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text, from `start` to before `end`, in characters."""

    start: int
    end: int


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences and lines of text[start:end] in order, without the white space around them; none is empty."""
    stop = len(text) if end is None else end
    spans: list[Span] = []
    begin = start
    for border in _END.finditer(text, start, stop):
        if "\n" in border.group() or not _ABBREVIATED.search(text[begin : border.start()][-8:]):
            spans += _bare(text, begin, border.end())
            begin = border.end()
    return spans + _bare(text, begin, stop)


def sentences(text: str) -> tuple[str, ...]:
    """The same as texts."""
    return tuple(text[span.start : span.end] for span in sentence_spans(text))


def _bare(text: str, start: int, end: int) -> list[Span]:
    piece = text[start:end]
    left, right = len(piece) - len(piece.lstrip()), len(piece.rstrip())
    return [Span(start + left, start + right)] if right > left else []
