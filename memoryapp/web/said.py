"""A turn's words made ready for its page: prose and code apart, and the sentences something was learned from marked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_FENCE = re.compile(r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*+\n(.*?)(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
LONGEST = 4_000  # characters of one turn that a page shows at first


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of prose, or of code, which is shown as it stands."""

    code: bool
    spans: tuple[Span, ...]


def blocks_of(text: str, quotes: Iterable[str] = ()) -> list[Block]:
    """Fenced code as blocks of its own; in the prose between, each of `quotes` that can be found is marked."""
    wanted = [found for quote in dict.fromkeys(quotes) if (found := _finder(quote)) is not None]
    blocks: list[Block] = []
    end = 0
    for fence in _FENCE.finditer(text):
        blocks += _prose(text[end : fence.start()], wanted)
        blocks.append(Block(True, (Span(fence[2].rstrip("\n")),)))
        end = fence.end()
    return blocks + _prose(text[end:], wanted)


def cut(text: str, *, longest: int = LONGEST) -> str:
    """At most so much of it, ended between words."""
    if len(text) <= longest:
        return text
    piece = text[:longest]
    return (piece.rsplit(None, 1)[0] if len(piece.split(None, 1)) > 1 else piece) + " …"


def _prose(text: str, wanted: list[re.Pattern[str]]) -> list[Block]:
    text = text.strip("\n")
    if not text.strip():
        return []
    spans: list[Span] = []
    end = 0
    for first, last in _merged(found.span() for pattern in wanted if (found := pattern.search(text))):
        spans += [Span(text[end:first]), Span(text[first:last], True)]
        end = last
    return [Block(False, tuple(span for span in (*spans, Span(text[end:])) if span.text))]


def _finder(quote: str) -> re.Pattern[str] | None:
    """Finds the quote, white space and case aside."""
    words = quote.split()
    return re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE) if words else None


def _merged(found: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """In order, those that overlap as one."""
    out: list[tuple[int, int]] = []
    for first, last in sorted(found):
        if out and first <= out[-1][1]:
            out[-1] = (out[-1][0], max(last, out[-1][1]))
        else:
            out.append((first, last))
    return out
