"""A long section split into pieces that fit the encoder's window. Borders, best first: paragraphs, the blank lines of
a code fence, lines, words, anywhere."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memoryapp.domain.memory import words_of

_LEAST_TOKENS = 8
_HEADING_CHARS = 500


class Span(NamedTuple):
    """Lines [first, last), from 0."""

    first: int
    last: int


class Piece(NamedTuple):
    """A text and the lines [first, last) it stands in."""

    text: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Window:
    """`count_tokens` is the encoder's own; `max_tokens` its longest text, special tokens included."""

    max_tokens: int
    count_tokens: Callable[[str], int]

    def holds(self, text: str) -> bool:
        # No token is shorter than a byte, and two are kept for the special ones: most short texts need no count.
        return len(text) * 4 + 2 <= self.max_tokens or self.count_tokens(text) <= self.max_tokens

    def room(self, title: str) -> tuple[int, int]:
        """Tokens left for text beside the title, and how many special tokens every count includes."""
        special = self.count_tokens("")
        beside = self.count_tokens(title) if title else special
        # A title longer than half the window must not push the text out of it.
        return max(self.max_tokens - beside, self.max_tokens // 2 - special, _LEAST_TOKENS), special


class _Atom(NamedTuple):
    """A run of text that is kept whole, with its line end; atoms in order are the stretch, character by character."""

    text: str
    first: int
    last: int
    tokens: int


def split(lines: Sequence[str], span: Span, *, fences: Sequence[Span], title: str, window: Window) -> list[Piece]:
    """The stretch as one piece where it fits, else as pieces of about equal length. Blank outer lines are left off."""
    whole = _trim_piece(lines, span)
    if whole is None:
        return []
    if window.holds(words_of(whole.text, title=title)):
        return [whole]
    room, special = window.room(title)
    atoms = list(_atoms(lines, Span(whole.first, whole.last), fences, room, special, window))
    return [piece for piece in (_join_pack(pack) for pack in _packs(atoms, room)) if piece is not None]


def _trim_piece(lines: Sequence[str], span: Span) -> Piece | None:
    first, last = span
    while first < last and not lines[first].strip():
        first += 1
    while first < last and not lines[last - 1].strip():
        last -= 1
    return Piece("\n".join(lines[first:last]).rstrip(), first, last) if first < last else None


def _packs(atoms: Sequence[_Atom], room: int) -> Iterator[list[_Atom]]:
    """Atoms put together up to the room, aiming at equal shares so that no crumb is left at the end."""
    total = sum(atom.tokens for atom in atoms)
    share = total / max(math.ceil(total / room), 1)
    pack: list[_Atom] = []
    held = before = 0
    aim = share
    for atom in atoms:
        if pack and (held + atom.tokens > room or before + held + atom.tokens / 2 > aim):
            yield pack
            before += held
            aim = max(aim + share, before + share / 2)
            pack, held = [], 0
        pack.append(atom)
        held += atom.tokens
    if pack:
        yield pack


def _join_pack(pack: list[_Atom]) -> Piece | None:
    text = "".join(atom.text for atom in pack)
    lead = len(text) - len(text.lstrip("\n"))
    if not text.strip():
        return None
    body = text.strip("\n").rstrip()
    first = pack[0].first + lead
    return Piece(body, first, max(min(first + body.count("\n") + 1, pack[-1].last), first + 1))


def _atoms(
    lines: Sequence[str], span: Span, fences: Sequence[Span], room: int, special: int, window: Window
) -> Iterator[_Atom]:
    def sized(part: Span) -> _Atom:
        text = "\n".join(lines[part.first : part.last]) + "\n"
        return _Atom(text, part.first, part.last, _cost(text, special, window))

    for block in _paragraphs(lines, span, fences):
        atom = sized(block)
        if atom.tokens <= room:
            yield atom
            continue
        for paragraph in _paragraphs(lines, block, ()):
            atom = sized(paragraph)
            if atom.tokens <= room:
                yield atom
                continue
            for at in range(*paragraph):
                yield from _line_atoms(sized(Span(at, at + 1)), room, special, window)


def _cost(text: str, special: int, window: Window) -> int:
    return max(window.count_tokens(text) - special, 0) if text.strip() else 0


def _paragraphs(lines: Sequence[str], span: Span, fences: Sequence[Span]) -> Iterator[Span]:
    """Runs of lines up to and with the blank ones after them. A fence is one run, a heading goes with what follows."""
    starts = [fence.first for fence in fences]
    at = span.first
    while (begin := at) < span.last:
        while at < span.last:
            fence = fences[bisect_right(starts, at) - 1] if starts and starts[0] <= at else None
            if fence and at < fence.last:
                at = min(max(fence.last, at + 1), span.last)
            else:
                at += 1
            if at < span.last and not lines[at - 1].strip() and lines[at].strip() and not _is_heading(lines, begin, at):
                break
        yield Span(begin, at)


def _is_heading(lines: Sequence[str], first: int, last: int) -> bool:
    """Only headings so far, so that a border here would part a heading from its text."""
    filled = [line for line in lines[first:last] if line.strip()]
    return len(filled) <= 3 and all(line.startswith("#") and len(line) <= _HEADING_CHARS for line in filled)


def _line_atoms(atom: _Atom, room: int, special: int, window: Window) -> Iterator[_Atom]:
    """One line, divided between words where it is too long; a word that is too long is divided anywhere."""
    if atom.tokens <= room or len(atom.text) < 2:
        yield atom
        return
    step = max(min(int(len(atom.text) * room / atom.tokens * 0.9), len(atom.text) - 1), 1)
    begin = 0
    while begin < len(atom.text):
        end = min(begin + step, len(atom.text))
        if end < len(atom.text):
            space = max(atom.text.rfind(" ", begin, end), atom.text.rfind("\t", begin, end)) + 1
            end = space if space > begin + step // 2 else end
        text = atom.text[begin:end]
        yield from _line_atoms(_Atom(text, atom.first, atom.last, _cost(text, special, window)), room, special, window)
        begin = end
