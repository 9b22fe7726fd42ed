"""A turn's text in, its sentences out, each with its place in the text. Code blocks and notes of attachments are left
out. For `clean`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

TURN_CHARS = 20_000  # of one turn are read; what is pasted beyond is a document, not something said
# Code, and what a chat notes of an attachment (“[image: a dog in a park]”): nobody said it.
_LEFT_OUT = re.compile(
    r"^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)"
    r"|\[(?:image|photo|picture|video|audio|voice|file|attachment|sticker|gif)\b[^\]\n]*\]",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_ABBREVIATED = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|inc|ltd|co|jr|sr|no|fig|approx|dept|est|e\.g|i\.e|a\.m|p\.m|u\.s|u\.k)"
    r"|\b[A-Z])\.$",
    re.IGNORECASE,
)
# A sentence ends at its marks, with the quotes and brackets they close; a line ends one as well.
_END = re.compile(r"[.!?…。！？]+[\"'”’)\]]*(?=\s|$|[\u2190-\u2bff\U0001f000-\U0001faff])")


class Piece(NamedTuple):
    """text[start:end], without white space around it."""

    start: int
    end: int
    text: str


def cut(text: str) -> list[Piece]:
    """Sentences in order; every piece's text is text[start:end]."""
    text = text[:TURN_CHARS]
    blocks = [match.span() for match in _LEFT_OUT.finditer(text)]
    pieces: list[Piece] = []
    at = 0
    for start, end in [*blocks, (len(text), len(text))]:
        pieces.extend(_prose(text, at, start))
        at = end
    return pieces


def _prose(text: str, start: int, end: int) -> Iterator[Piece]:
    line = start
    while line < end:
        stop = text.find("\n", line, end)
        stop = end if stop < 0 else stop
        yield from _line(text, line, stop)
        line = stop + 1


def _line(text: str, start: int, end: int) -> Iterator[Piece]:
    at = start
    for match in _END.finditer(text, start, end):
        if text.count("`", at, match.start()) % 2 and text.find("`", match.end(), end) >= 0:
            continue  # within code: `INSERT ... ON CONFLICT`
        if match.group() == "." and _ABBREVIATED.search(text, max(at, match.end() - 10), match.end()):
            following = text[match.end() : match.end() + 2].strip()
            if not following or not following[0].isupper() or _is_title(text[max(at, match.end() - 10) : match.end()]):
                continue
        yield from _stripped(text, at, match.end())
        at = match.end()
    yield from _stripped(text, at, end)


def _is_title(words: str) -> bool:
    return bool(re.search(r"\b(?:mr|mrs|ms|dr|prof|st)\.$", words, re.IGNORECASE))


def _stripped(text: str, start: int, end: int) -> Iterator[Piece]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield Piece(start, end, text[start:end])
