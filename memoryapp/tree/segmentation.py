"""Markdown cut into the pieces it is best cut into: stretches of whole sections, one after the other.

Where it may be cut: before a heading of the highest level that gives two parts or more; inside a section that is larger
than a node may be, before its deeper headings; where it has none, between paragraphs and the items of a list. Never in
a code fence, and never between a heading and what it heads. Which of these borders are cut: the choice of least cost,
found by dynamic programming over all of them (`choose_segments`), where two sides that are alike cost more to part
(`alike`).
"""

from __future__ import annotations

import re
import threading
from bisect import bisect_left, bisect_right
from collections import Counter, OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

import numpy as np

from memoryapp.domain.errors import EncoderError
from memoryapp.domain.identity import content_hash
from memoryapp.domain.node import MOST_BYTES, PIECE_BYTES
from memoryapp.index import tokens
from memoryapp.inference.embedding.batch import encode_in_batches
from memoryapp.spaces import Space
from memoryapp.text.hangul import HANGUL
from memoryapp.tree.markdown import Block, blocks_of, bytes_of, lines_of_text

HEAD_BYTES = PIECE_BYTES[0]  # an introduction larger than this is a piece of its own
BETWEEN_SECTIONS, BETWEEN_DEEPER, BETWEEN_PARAGRAPHS = range(3)
_MOST_UNITS = 600  # of a text of very many small ones, neighbours are taken together
_A_CUT = 0.1  # so that of two ways as good as each other the one with fewer pieces is taken
_OUT_OF_PLACE = 0.4  # for each step down from BETWEEN_SECTIONS
_SMALL, _LARGE, _OVER = 1.5, 3.0, 2.0
_PATIENCE = 30.0  # seconds to wait for a model that is still loading
_OPENING = 600  # characters: how a stretch begins tells what it is about, and a longer text costs more
_REMEMBERED = 32  # texts, so that what was looked at before is not read again to be done
_MOST = 400  # stretches that are given to the model; more are compared by their words
_LETTER = re.compile(r"[^\W\d_]")
_DIGITS = 3  # of a likeness: a model need not give the same last digits twice
_remembered: OrderedDict[tuple[str, str], list[float]] = OrderedDict()  # by model and a hash of the texts
_remembering = threading.Lock()


@dataclass(frozen=True, slots=True)
class Unit:
    """Lines [first, last) that stay together. `border`: what kind of place its beginning is to cut at. `under`: the
    heading that holds where it begins, which is its own where it begins with one."""

    first: int
    last: int
    border: int
    under: str


@dataclass(frozen=True, slots=True)
class Source:
    """A markdown taken apart. Lines [0, head) open it, and stay with the node that is split; the units are the rest.
    `starts`: the first line of each block; `in_force`: the heading that holds there, its own title if it is one;
    `upto`: bytes before each line, and of all."""

    lines: tuple[str, ...]
    blocks: tuple[Block, ...]
    starts: tuple[int, ...]
    in_force: tuple[str, ...]
    upto: tuple[int, ...]
    head: int = 0
    units: tuple[Unit, ...] = ()

    def text(self, first: int, last: int) -> str:
        return "".join(self.lines[first:last])

    def size(self, first: int, last: int) -> int:
        """Bytes of lines [first, last)."""
        return self.upto[last] - self.upto[first]

    def within(self, first: int, last: int) -> tuple[Block, ...]:
        """Blocks that begin in lines [first, last)."""
        return self.blocks[bisect_left(self.starts, first) : bisect_left(self.starts, last)]

    def headings(self, first: int, last: int) -> tuple[Block, ...]:
        return tuple(block for block in self.within(first, last) if block.level)

    def under(self, line: int) -> str:
        """The title of the heading in force at a line; empty above the first."""
        at = bisect_right(self.starts, line) - 1
        return self.in_force[at] if at >= 0 else ""


def taken_apart(text: str) -> Source:
    """The units of a markdown: two at least, if there is any place to cut it at."""
    lines = tuple(lines_of_text(text))
    blocks = blocks_of(lines)
    upto = tuple(accumulate(map(bytes_of, lines), initial=0))
    titles = tuple(accumulate(blocks, lambda held, block: block.title if block.level else held, initial=""))[1:]
    source = Source(lines, blocks, tuple(block.first for block in blocks), titles, upto)
    for most in (MOST_BYTES, PIECE_BYTES[1], PIECE_BYTES[0], 0):
        head, units = _units(source, most)
        source = replace(source, head=head, units=units)
        if len(units) > 1:
            break
    return source


def choose_segments(sizes: Sequence[int], borders: Sequence[int], alike: Sequence[float]) -> list[tuple[int, int]]:
    """Runs of units [first, last) that together are all of them, two runs at least where there are two units.

    `sizes`: bytes of each unit; `borders`: the kind of the place before each; `alike`: how alike the two sides of the
    place before each are, 0–1 (that of the first is not looked at). The cost of a run is how far its size is from
    PIECE_BYTES; that of a cut is what lies across it: less where the two sides are less alike than most.
    """
    count = len(sizes)
    mean = sum(alike[1:]) / (count - 1) if count > 1 else 0.0
    cuts = [
        _A_CUT + _OUT_OF_PLACE * border + (near - mean if n else 0.0)
        for n, (border, near) in enumerate(zip(borders, alike, strict=True))
    ]
    best = [0.0] + [float("inf")] * count
    came = [0] * (count + 1)
    for last in range(1, count + 1):
        size = 0
        for first in range(last - 1, -1, -1):
            size += sizes[first]
            if size > MOST_BYTES and first < last - 1:
                break
            if first == 0 and last == count > 1:
                continue
            cost = best[first] + _of_size(size, alone=first == last - 1) + (cuts[first] if first else 0.0)
            if cost < best[last] - 1e-9:
                best[last], came[last] = cost, first
    runs = []
    at = count
    while at:
        runs.append((came[at], at))
        at = came[at]
    return runs[::-1]


def _of_size(size: int, *, alone: bool) -> float:
    least, most = PIECE_BYTES
    if size < least:
        return _SMALL * (1 - size / least)
    if size <= most:
        return 0.0
    if size > MOST_BYTES:
        return _OVER
    # A section that is itself so large may stay whole; several need not be together.
    return 0.0 if alone else _LARGE * (size - most) / (MOST_BYTES - most)


def _units(source: Source, most: int) -> tuple[int, tuple[Unit, ...]]:
    """Where the opening ends, and the units behind it, none larger than `most` where it can be helped."""
    end = len(source.lines)
    titled = _title(source.blocks)
    level = _level([block for block in source.headings(0, end) if block is not titled])
    borders = [block.first for block in source.headings(0, end) if block is not titled and block.level <= level]
    head = _head(source, borders, titled)
    found: list[Unit] = []
    stretches = [head, *(border for border in borders if border > head), end]
    for first, last in pairwise(stretches):
        if first < last:
            found += _units_within(source, first, last, BETWEEN_SECTIONS, most)
    return head, tuple(_not_too_many(source, list(_with_what_they_head(source, found))))


def _title(blocks: Sequence[Block]) -> Block | None:
    """The one heading of level 1 that opens the text: it titles all of it."""
    first = next((block for block in blocks if block.level), None)
    ones = sum(block.level == 1 for block in blocks)
    return first if first is not None and first.level == 1 and ones == 1 else None


def _level(headings: Sequence[Block]) -> int:
    """The highest level at which there are two parts or more, else the lowest there is."""
    counted = Counter(block.level for block in headings)
    return next((n for n in range(1, 7) if sum(counted[m] for m in range(1, n + 1)) >= 2), 6)


def _head(source: Source, borders: Sequence[int], titled: Block | None) -> int:
    """All before the first section, or no more than front matter and title where that is much."""
    first = borders[0] if borders else 0
    if borders and source.size(0, first) <= HEAD_BYTES:
        return first
    opening = source.blocks[0] if source.blocks else None
    matter = opening.last if opening and source.lines[0].removeprefix("\ufeff").rstrip() == "---" else 0
    if titled is None:
        return matter if opening and not opening.level and matter < len(source.lines) else 0
    return titled.last if titled.first <= matter or titled is opening else matter


def _units_within(source: Source, first: int, last: int, border: int, most: int) -> Iterator[Unit]:
    """A stretch as one unit where it is small enough, else cut before its deeper headings, else between its blocks."""
    under = source.under(first)
    if source.size(first, last) <= most:
        yield Unit(first, last, border, under)
        return
    deeper = [block for block in source.headings(first, last) if block.first > first]
    if deeper:
        level = min(block.level for block in deeper)
        places = [first, *(block.first for block in deeper if block.level == level), last]
        for n, (begin, end) in enumerate(pairwise(places)):
            yield from _units_within(source, begin, end, border if n == 0 else BETWEEN_DEEPER, most)
        return
    places = sorted({first, *_between_blocks(source, first, last, most), last})
    for n, (begin, end) in enumerate(pairwise(places)):
        yield Unit(begin, end, border if n == 0 else BETWEEN_PARAGRAPHS, under)


def _between_blocks(source: Source, first: int, last: int, most: int) -> Iterator[int]:
    for block in source.within(first, last):
        yield block.first
        if source.size(block.first, block.last) > min(most, PIECE_BYTES[1]):
            yield from block.items


def _with_what_they_head(source: Source, found: Sequence[Unit]) -> Iterator[Unit]:
    """A unit of nothing but headings and blank lines goes with the one behind it."""
    held: Unit | None = None
    for unit in found:
        inside = source.within(unit.first, unit.last)
        if held is not None:
            unit = Unit(held.first, unit.last, held.border, held.under)
        held = unit if inside and all(block.level for block in inside) else None
        if held is None:
            yield unit
    if held is not None:
        yield held


def _not_too_many(source: Source, found: Sequence[Unit]) -> Iterator[Unit]:
    """Of more than _MOST_UNITS, neighbours taken together until each is a fair part of the whole."""
    least = source.size(0, len(source.lines)) // _MOST_UNITS if len(found) > _MOST_UNITS else 0
    held: Unit | None = None
    for unit in found:
        held = unit if held is None else Unit(held.first, unit.last, held.border, held.under)
        if source.size(held.first, held.last) >= least:
            yield held
            held = None
    if held is not None:
        yield held


# ── how alike neighbours are


def alike(space: Space, texts: Sequence[str]) -> list[float]:
    """For each text, 0–1, how alike it is to the one before; 0 for the first."""
    if len(texts) < 2:
        return [0.0] * len(texts)
    return [0.0, *(round(min(max(one, 0.0), 1.0), _DIGITS) for one in _by_model(space, texts) or _by_words(texts))]


def _by_model(space: Space, texts: Sequence[str]) -> list[float] | None:
    """None where the model is not usable, or does not read the language of the text."""
    if len(texts) > _MOST:
        return None
    try:
        encoder = space.encoder.get(_PATIENCE)
        if "ko" not in encoder.languages and _is_korean("".join(texts)):
            return None
        key = encoder.name, content_hash("\x1f".join(texts))
        known = _remembered.get(key)
        if known is not None:
            return known
        encoded = encode_in_batches(encoder, [text[:_OPENING] for text in texts])
    except EncoderError:
        return None
    if encoded.failed:
        return None
    found = [float(one) for one in np.einsum("ij,ij->i", encoded.vectors[:-1], encoded.vectors[1:])]
    with _remembering:
        _remembered[key] = found
        while len(_remembered) > _REMEMBERED:
            _remembered.popitem(last=False)
    return found


def _is_korean(text: str) -> bool:
    """A third of the letters are Hangul."""
    return len(HANGUL.findall(text)) * 3 >= max(len(_LETTER.findall(text)), 1)


def _by_words(texts: Sequence[str]) -> list[float]:
    """2·|A ∩ B| / (|A| + |B|) of their terms (Dice)."""
    said = [frozenset(tokens(text)) for text in texts]
    return [2 * len(a & b) / max(len(a) + len(b), 1) for a, b in pairwise(said)]
