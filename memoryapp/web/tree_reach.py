"""Which nodes a question reaches, told in words: which word of it found which keyword."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memoryapp import retrieve
from memoryapp.domain.reach import Match, Reached, loaded, reach
from memoryapp.index import stem
from memoryapp.spaces import Space
from memoryapp.store.nodes import Outline

MOST = 12  # nodes that are told of
LONGEST = 500  # characters of a question


@dataclass(frozen=True, slots=True)
class Line:
    """`via`: the node above whose keywords these are, "" where they are its own; `given`: an agent is given it."""

    path: str
    score: float
    why: str
    via: str
    given: bool


@dataclass(frozen=True, slots=True)
class Told:
    """How a word of the question found a keyword: the keyword, what joins the two, the word where it is another."""

    keyword: str
    how: str
    word: str = ""


def reach_of(space: Space, question: str, found: Sequence[Outline], *, as_of: datetime | None = None) -> dict[str, Any]:
    """`reached` the best first, `reached_more` those that are not told of, `reached_told` the match worth a sentence.
    `found`: the nodes of the page, asked themselves where it shows another day."""
    asked = " ".join(question.split())[:LONGEST]
    arrived = _arrived(space, asked, found, as_of) if asked else []
    lines = [_line(one, given) for one, _, given in arrived]
    return {
        "asked": asked,
        "reached": lines[:MOST],
        "reached_paths": [line.path for line in lines if line.given],
        "reached_given": sum(line.given for line in lines),
        "reached_size": sum(size for _, size, given in arrived if given),
        "reached_more": sum(not line.given for line in lines),
        "reached_told": _told([one for one, _, _ in arrived]),
    }


def _arrived(
    space: Space, asked: str, found: Sequence[Outline], as_of: datetime | None
) -> list[tuple[Reached, int, bool]]:
    """(what is reached, its bytes, whether an agent is given it)."""
    if as_of is None:
        return [(one.reached, one.node.size, one.loaded) for one in retrieve.reaching(space, asked).nodes]
    sizes = {one.path: one.size for one in found}
    reached = reach(asked, found, stem=stem)
    first = loaded([sizes[one.path] for one in reached])
    return [(one, sizes[one.path], n < first) for n, one in enumerate(reached)]


def _line(one: Reached, given: bool) -> Line:
    told = [how(match) for match in one.matches[:3]]
    why = ", ".join(f"{said.keyword} {said.how} {said.word}".strip() for said in told)
    return Line(one.path, one.score, why, "" if one.own else one.via, given)


def how(match: Match) -> Told:
    """임베딩 was found inside 임베딩은; or the other way round; or by another form of the word; or it stands there."""
    keyword, word = match.keyword.casefold(), match.word.casefold()
    if keyword == word:
        return Told(match.keyword, "stands in the question")
    if keyword in word:
        return Told(match.keyword, "was found inside", match.word)
    return Told(match.keyword, "contains" if word in keyword else "was found by", match.word)


def _told(reached: Sequence[Reached]) -> Told | None:
    """The first match that is not plain to see, else the first."""
    told = [how(match) for one in reached[:MOST] if one.own for match in one.matches]
    return next((one for one in told if one.word), told[0] if told else None)
