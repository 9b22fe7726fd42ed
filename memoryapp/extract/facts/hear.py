"""Turns in, their sentences out: cut, cleaned, and those dropped that are plainly nothing to keep. For `weigh`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoryapp.domain.fact import Said
from memoryapp.extract.facts.clean import plain, stripped
from memoryapp.extract.facts.drop import asks_not_to_keep, reason
from memoryapp.extract.facts.hangul import is_korean
from memoryapp.extract.facts.rewrite import named
from memoryapp.extract.facts.sentences import Piece, cut
from memoryapp.extract.facts.suggest import suggests

QUESTION_CHARS = 120  # a longer one is no question that a few words answer


@dataclass(frozen=True, slots=True)
class Talk:
    """A turn with whom it speaks to: the one other speaker, or the last one who spoke before; empty if unknown.
    `asked`: the question that the turn before, of somebody else, ended with."""

    said: Said
    addressee: str
    others: tuple[str, ...]
    asked: str = ""

    @property
    def by_assistant(self) -> bool:
        return named(self.said.speaker) == "the assistant"

    @property
    def speakers(self) -> frozenset[str]:
        return frozenset(name.lower() for name in (self.said.speaker, *self.others))


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence: `number` counts in its turn, `text` is cleaned. `reason` tells why it was dropped, if it was."""

    number: int
    piece: Piece
    text: str
    reason: str = ""
    korean: bool = False


def talks(said: Sequence[Said], *, before: Sequence[Said] = ()) -> Iterator[Talk]:
    """Each turn with whom it speaks to."""
    speakers = [one.speaker for one in before]
    previous = before[-1] if before else None
    for one in said:
        others = tuple(name for name in one.others if name != one.speaker)
        last = next((name for name in reversed(speakers) if name != one.speaker), "")
        addressee = others[0] if len(others) == 1 else last
        asked = _question(previous) if previous is not None and previous.speaker != one.speaker else ""
        yield Talk(one, addressee, others or ((last,) if last else ()), asked)
        speakers.append(one.speaker)
        previous = one


def _question(said: Said) -> str:
    """What a turn ends by asking, in a few words; empty where it does not."""
    if not said.text.rstrip().endswith("?") or asks_not_to_keep(said.text):
        return ""
    pieces = cut(said.text)
    words = plain(pieces[-1].text) if pieces else ""
    return words if len(words) <= QUESTION_CHARS else ""


def heard(talk: Talk) -> list[Heard]:
    """The turn's sentences in order; all of them dropped where it asks not to be remembered."""
    pieces = list(enumerate(cut(talk.said.text)))
    if asks_not_to_keep(talk.said.text):
        return [Heard(number, piece, plain(piece.text), "asked not to be remembered") for number, piece in pieces]
    return [_heard(talk, number, piece) for number, piece in pieces]


def _heard(talk: Talk, number: int, piece: Piece) -> Heard:
    words = plain(piece.text)
    if is_korean(words):
        return Heard(number, piece, words, korean=True)
    text = stripped(words, others=talk.others)
    if talk.by_assistant and suggests(text):  # “How about …” asks nothing
        return Heard(number, piece, text)
    return Heard(number, piece, text, reason(text, said=piece.text))
