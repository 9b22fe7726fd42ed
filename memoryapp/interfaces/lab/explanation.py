"""One result's score taken apart to its last digit.

“Expected something else?”: which memory is meant, by an id, a caller's reference, or words.

Where an expected memory stands in each column, ready for the page: stage after stage, and what would bring it in.

“Expected something else?”, ready for the page: memories to choose from, or where the chosen one stands.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from memoryapp import lab
from memoryapp.domain.errors import NotFound
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.strategies import KEYWORD
from memoryapp.interfaces.lab.columns import Lane
from memoryapp.interfaces.lab.query import LabQuery
from memoryapp.interfaces.pages import wording
from memoryapp.search import Explanation, explain, rounded_shares, search
from memoryapp.search.lifts import Lift
from memoryapp.search.stages import Step
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.text.wording import ordinal


@dataclass(frozen=True, slots=True)
class Exact:
    """`parts`: (name, rank in its arm, raw score, share). The shares in their order add up to `total`; `product` is
    that of the factors; total × product is the score. All as the program has them, written out in full."""

    parts: list[tuple[str, int | None, str, str]]
    total: str
    factors: list[tuple[str, str]]
    product: str
    score: str


def exact_of(hit: Hit) -> Exact:
    parts = [(name, arm.rank, repr(arm.score), repr(arm.share)) for name, arm in hit.arms.items() if arm.share]
    factors = [(name, repr(value)) for name, value in hit.factors.items()]
    total = sum(arm.share for arm in hit.arms.values())
    return Exact(parts, repr(total), factors, repr(math.prod(hit.factors.values())), repr(hit.score))


def exact_in(space: Space, asked: LabQuery, lanes: Sequence[Lane], column: str, memory: str) -> Exact:
    """Of a memory in the column of this number. Raises NotFound where there is no such column, or no score in it."""
    lane = next((one for one in lanes if str(one.n) == column and not one.wrong), None)
    if lane is None or not asked.text:
        raise NotFound("There is no such column, or no question was asked.")
    query = replace(asked.query, strategy=lane.plan)
    hit = next((one for one in search(space, query).hits if one.memory.id == memory), None)
    hit = hit or explain(space, query, memory).hit
    if hit is None:
        raise NotFound("This memory has no score in that column.")
    return exact_of(hit)


_MOST = 8
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One memory, as a line to choose or to stand above what is told of it. `state`: "" where it is held; `home`: the
    parent space it lives in, "" for the space itself."""

    id: str
    line: str
    lang: str
    state: str
    home: str


def find_expected(space: Space, expected: str) -> MemoryRow | None:
    """The memory of this id or reference, here or in a parent space; None where it is words. Raises NotFound for an id
    that none of them holds."""
    by_id = _ID.fullmatch(expected) is not None
    for home in _homes(space):
        found = memories.get_many(home.db, [expected]) if by_id else memories.by_refs(home.db, [expected])
        if expected in found:
            return _line(found[expected], "" if home is space else home.name)
    if by_id:
        raise NotFound(f"There is no memory “{expected}” in this space.")
    return None


def suggest_memories(space: Space, words: str) -> list[MemoryRow]:
    """Memories that hold the words, whatever their state: what was expected may have been put away."""
    answer = search(space, Query(words, strategy=KEYWORD.name, top_k=_MOST, filters=Filters(states=())))
    return [_line(hit.memory, hit.inherited_from or "") for hit in answer.hits]


def _homes(space: Space) -> Iterator[Space]:
    home: Space | None = space
    while home is not None:
        yield home
        home = home.parent


def _line(memory: Memory, home: str) -> MemoryRow:
    title, words = memory.title.strip(), wording.plain(memory.text)
    text = wording.excerpt(words if not title or words.startswith(title) else f"{title} · {words}", limit=120)
    state = "" if memory.state == State.HELD else memory.state.value
    return MemoryRow(memory.id, text, wording.language(text), state, home)


_NAMES = {
    "state": "State", "index": "Index", "as_of": "As of", "kinds": "Kind", "question": "Question", "fusion": "Fusion",
    "cut": "Cut",
}  # fmt: skip
_FILTERS = {
    "kinds": "kind", "tags": "tags", "categories": "category", "memory_types": "memory type", "moods": "mood",
    "sources": "source", "speakers": "speaker", "entities": "entity", "min_trust": "least trust",
    "min_strength": "least strength", "since": "from", "until": "until",
}  # fmt: skip
_GATES = frozenset({"state", "index", "as_of", "filter", "kinds"})
_MARKS = {True: "", False: "out", None: "past"}
_SAID = {True: "passed", False: "dropped out", None: "not decided here"}
_READ = "read"  # what decides nothing and is worth reading all the same


@dataclass(frozen=True, slots=True)
class ShownStep:
    """`mark`: "" where it was passed, "out", "past" or "read"; `said`: the same for a screen reader; `number`: what the
    stage adds to the score, or what came of it."""

    name: str
    mark: str
    said: str
    told: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class ShownWhy:
    """`letter` and `name` of the column. `home`: the parent space it lives in, "" for the space itself."""

    letter: str
    name: str
    found: bool
    reason: str
    home: str
    steps: list[ShownStep]
    lifts: tuple[Lift, ...]


def why_shown(explanations: Sequence[Explanation], *, heads: Sequence[tuple[str, str]] = ()) -> list[ShownWhy]:
    """`heads`: (letter, name) of each column, in the same order; without them the parts have no heading."""
    named = heads or [("", "")] * len(explanations)
    return [_explanation_view(told, *head) for told, head in zip(explanations, named, strict=True)]


def _explanation_view(told: Explanation, letter: str, name: str) -> ShownWhy:
    home = str(told.detail.get("inherited_from") or "")
    return ShownWhy(letter, name, told.found, told.reason, home, list(_steps(told)), told.lifts)


def _steps(told: Explanation) -> Iterator[ShownStep]:
    """Whatever was passed before the ranking is one row; what took the memory out there is a row each."""
    gates = [step for step in told.steps if step.stage in _GATES]
    passed = [step.told for step in gates if step.passed is not False and step.told]
    if passed:
        yield ShownStep("Eligible", "", _SAID[True], " ".join(passed))
    for step in gates:
        if step.passed is False:
            yield _row(step, told.hit)
    left = [step for step in told.steps if step.stage not in _GATES]
    reached = [step for step in left if step.told != "Not reached."]
    for step in reached:
        yield _row(step, told.hit)
    if names := [_name(step).lower() for step in left if step.told == "Not reached."]:
        yield ShownStep(", ".join(names).capitalize(), "past", _SAID[None], "Not reached.")


def _row(step: Step, hit: Hit | None) -> ShownStep:
    mark = _READ if step.stage == "question" else _MARKS[step.passed]
    return ShownStep(_name(step), mark, _SAID[step.passed], step.told, _number(step, hit))


def _name(step: Step) -> str:
    if step.stage == "filter":
        return f"Filter {_FILTERS[step.detail['filter']]}"
    return str(step.detail["arm"]).capitalize() if step.stage == "arm" else _NAMES[step.stage]


def _number(step: Step, hit: Hit | None) -> str:
    """An arm's share, the score, the rank."""
    if step.stage == "arm" and hit is not None:
        share = rounded_shares(hit)[0].get(step.detail["arm"])
        return "" if share is None else f"{share:.5f}" if share else "0"
    if step.stage == "fusion" and hit is not None:
        return f"{hit.score:.5f}"
    return ordinal(step.detail["rank"]) if step.stage == "cut" and "rank" in step.detail else ""


@dataclass(frozen=True, slots=True)
class ExpectedView:
    """`whys`: one for each column that answers, in their order. `choices`: where words may mean several."""

    memory: MemoryRow | None = None
    whys: list[ShownWhy] = field(default_factory=list)
    choices: list[MemoryRow] = field(default_factory=list)


def expected_of(space: Space, asked: LabQuery, lanes: Sequence[Lane]) -> ExpectedView | None:
    """None where nothing was expected. Raises NotFound for an id that the space does not hold."""
    if not asked.expected or not asked.text:
        return None
    memory = find_expected(space, asked.expected)
    if memory is None:
        return ExpectedView(choices=suggest_memories(space, asked.expected))
    sound = [lane for lane in lanes if not lane.wrong]
    told = (
        lab.why_not(space, replace(asked.query, top_k=asked.top), [lane.plan for lane in sound], memory.id)
        if sound
        else ()
    )
    return ExpectedView(memory, why_shown(told, heads=[(lane.letter, lane.name) for lane in sound]))
