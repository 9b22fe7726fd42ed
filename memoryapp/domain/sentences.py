"""Sentences: where a text can be cut into them, and how much a sentence of a daily log is worth keeping by itself.

The score is that of spec 2.9: length, a marker word, names, done items.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])[」』”]?\s*|\n+")
# A stop behind one of these, or behind a single capital, ends no sentence.
_ABBREVIATED = re.compile(r"(?:^|[\s(])(?:Mrs?|Ms|Dr|St|Prof|Sr|Jr|vs|etc|approx|ca|No|e\.g|i\.e|[A-Z])\.$")
# As a space's settings hold them: one line of words, parted by commas, that a person may edit.
MARKERS = (
    "decided, fixed, bug, shipped, learned, important, breakthrough, blocked, "
    "결정, 정했, 고쳤, 수정했, 버그, 배포했, 출시, 배웠, 배운, 중요, 돌파, 막혔, 막힌, 막혀"
)
LENGTH, MARKER, NAMES, ITEM = 0.3, 0.4, 0.2, 0.3
WORDS_COUNTED = 20
NAMES_COUNTED = 5
_HANGUL = re.compile(r"[가-힣]")
_WORD = re.compile(r"[^\s,;()\[\]{}“”\"…]*\w[^\s,;()\[\]{}“”\"…]*")
_CAPITAL = re.compile(r"^[\"'“‘(]*[^\W\d_]*[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]")
_NO_NAMES = frozenset({"i", "i'm", "i've", "i'd", "i'll", "ok", "tv"})


# ── spans


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
            spans += _stripped_span(text, begin, border.end())
            begin = border.end()
    return spans + _stripped_span(text, begin, stop)


def sentences(text: str) -> tuple[str, ...]:
    """The same as texts."""
    return tuple(text[span.start : span.end] for span in sentence_spans(text))


def _stripped_span(text: str, start: int, end: int) -> list[Span]:
    piece = text[start:end]
    left, right = len(piece) - len(piece.lstrip()), len(piece.rstrip())
    return [Span(start + left, start + right)] if right > left else []


# ── score


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """`words` and `names` as counted, not capped; `marker` is the word found, "" for none; `item`: a bullet of what
    was done or is to be done."""

    words: int
    marker: str
    names: int
    item: bool

    @property
    def value(self) -> float:
        """0.3·min(words, 20)/20 + 0.4 [marker] + 0.2·min(names, 5)/5 + 0.3 [item], at most 1."""
        length = LENGTH * min(self.words, WORDS_COUNTED) / WORDS_COUNTED
        named = NAMES * min(self.names, NAMES_COUNTED) / NAMES_COUNTED
        return min(1.0, length + MARKER * bool(self.marker) + named + ITEM * self.item)


def markers_in(listed: str) -> tuple[str, ...]:
    """The words of a list parted by commas or lines, each once, in small letters."""
    words = (" ".join(word.split()).casefold() for word in re.split(r"[,\n;]", listed))
    return tuple(dict.fromkeys(word for word in words if word))


def sentence_score(text: str, *, markers: Sequence[str], item: bool = False) -> SentenceScore:
    """The parts of a sentence's score. `markers`: as `markers_in` gives them; an English one is found as a whole word
    or its plural, a Korean one wherever a word begins with it."""
    words = _WORD.findall(text)
    return SentenceScore(len(words), marker_of(text, markers), _names(words), item)


def marker_of(text: str, markers: Sequence[str]) -> str:
    """The first of the markers that the sentence holds, in the order of the list; "" where it holds none."""
    small = text.casefold()
    for marker in markers:
        at = small.find(marker)
        while at >= 0:
            if _at_border(small, at, at + len(marker), korean=bool(_HANGUL.search(marker))):
                return marker
            at = small.find(marker, at + 1)
    return ""


def _at_border(text: str, start: int, end: int, *, korean: bool) -> bool:
    if start and text[start - 1].isalnum():
        return False
    if korean:
        return True  # what follows are the endings of the word
    rest = text[end : end + 2]
    return not rest[:1].isalnum() or (rest[0] == "s" and not rest[1:].isalnum()) or bool(_HANGUL.match(rest))


def _names(words: Sequence[str]) -> int:
    """Runs of capitalised words behind the first word, each a term."""
    count, running = 0, False
    for word in words[1:]:
        capital = bool(_CAPITAL.match(word)) and word.casefold().strip(".!?:'’") not in _NO_NAMES
        count += capital and not running
        running = capital and word[-1] not in ".:!?"
    return count


def reasons(score: SentenceScore, *, korean: bool) -> tuple[str, ...]:
    """What the score is made of, in words for a person, in the language of the sentence."""
    said = []
    if korean:
        said += [f"표지 “{score.marker}”"] if score.marker else []
        said += [f"{score.words}어절"]
        said += [f"이름 {score.names}개"] if score.names else []
        said += ["실행 항목"] if score.item else []
        return tuple(said)
    said += [f"marker “{score.marker}”"] if score.marker else []
    said += [f"{score.words} word{'' if score.words == 1 else 's'}"]
    said += [f"{score.names} name{'' if score.names == 1 else 's'}"] if score.names else []
    said += ["done item"] if score.item else []
    return tuple(said)
