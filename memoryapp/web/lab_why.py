"""Where an expected memory stands in each column, ready for the page: stage after stage, and what would bring it in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memoryapp.domain.results import Hit
from memoryapp.retrieve import Explanation, printed
from memoryapp.retrieve.lifts import Lift
from memoryapp.retrieve.step import Step, ordinal

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
    return [_shown(told, *head) for told, head in zip(explanations, named, strict=True)]


def _shown(told: Explanation, letter: str, name: str) -> ShownWhy:
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
        share = printed(hit)[0].get(step.detail["arm"])
        return "" if share is None else f"{share:.5f}" if share else "0"
    if step.stage == "fusion" and hit is not None:
        return f"{hit.score:.5f}"
    return ordinal(step.detail["rank"]) if step.stage == "cut" and "rank" in step.detail else ""
