"""One run of the golden queries: its figures, what moved since the run before and why, every query with its ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from memoryapp.domain.errors import BadInput
from memoryapp.domain.golden import MEASURES, Golden, GoldenRun, Outcome
from memoryapp.domain.strategies import DEFAULT, RRF
from memoryapp.lab.evaluate import places
from memoryapp.lab.regress import Moved, change_since
from memoryapp.spaces import Space
from memoryapp.store import golden
from memoryapp.web import human, wording
from memoryapp.web.chips import address
from memoryapp.web.golden_chart import label
from memoryapp.web.golden_figures import fell_told, figures_of, values_of
from memoryapp.web.golden_links import compare_address, golden_address
from memoryapp.web.pager import Pager

OUTCOMES = 50
_MOVED = 25  # queries that are told as worse, or as better
_WHICH = (("", "All"), ("missed", "Missed targets"))


@dataclass(frozen=True, slots=True)
class OutcomeLine:
    """`ranks`: in words, the best first; `figures`: (measure, value); `missed`: how many were not
    found; `compare`: the query beside what another plan finds."""

    one: Outcome
    lang: str
    ranks: str
    missed: int
    figures: list[tuple[str, str]]
    compare: str


@dataclass(frozen=True, slots=True)
class MovedLine:
    one: Moved
    lang: str
    told: str
    compare: str


def run_page_of(space: Space, key: str, asked: QueryDict) -> dict[str, Any]:
    """Raises NotFound, BadInput."""
    run = golden.run(space.db, key)
    change = change_since(space, run)
    which = asked.get("which", "")
    if which not in {one for one, _ in _WHICH}:
        raise BadInput(f"“{which[:40]}” is not a filter of a run. Known: missed.", field="which")
    missed = [one for one in run.outcomes if one.measures["recall"] < 1]
    chosen = sorted(missed if which else run.outcomes, key=lambda one: (one.measures["ndcg"], one.golden))
    start = _start(asked.get("after", ""))
    shown = chosen[start : start + OUTCOMES]
    known = {one.id: one for one in golden.every(space.db)}
    counts = {"": len(run.outcomes), "missed": len(missed)}
    return {
        "run": run,
        "change": change,
        "figures": figures_of(run, change),
        "fell": fell_told(change) if change else "",
        "worse": _moved(change.worse_queries, run, known) if change else [],
        "worse_more": max(len(change.worse_queries) - _MOVED, 0) if change else 0,
        "better": _moved(change.better_queries, run, known) if change else [],
        "better_more": max(len(change.better_queries) - _MOVED, 0) if change else 0,
        "outcomes": [_outcome(one, run, known) for one in shown],
        "tabs": [(one, name, counts[one], one == which) for one, name in _WHICH],
        "names": [label(name, run.k) for name in MEASURES],
        "left_out": len(run.conditions.get("left_out") or ()),
        "notes": list((run.conditions.get("notes") or {}).items())[:10],
        "under": conditions_told(run.conditions),
        "places": places(run.k),
        "compare": compare_address(columns=[run.plan, RRF.name if run.plan == DEFAULT else DEFAULT]),
        "pager": Pager(
            newer=address(asked, after=str(max(start - OUTCOMES, 0))) if start else "",
            older=address(asked, after=str(start + OUTCOMES)) if start + OUTCOMES < len(chosen) else "",
            shown=f"{human.number(len(shown))} of {human.counted(len(chosen), 'golden query', 'golden queries')}, "
            "worst first",
            size=OUTCOMES,
            back="Previous",
            on="Next",
        ),
    }


def conditions_told(conditions: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What the figures stand under, as label and value."""
    strategy = conditions.get("strategy") or {}
    weights = ", ".join(f"{arm} {weight:g}" for arm, weight in (strategy.get("weights") or {}).items())
    numbers = ", ".join(f"{name} {value:g}" for name, value in (conditions.get("numbers") or {}).items())
    told = [
        ("Encoder", str(conditions.get("encoder") or "none: keywords only")),
        ("Memories", human.number(conditions.get("memories"))),
        ("Digests", human.number(conditions.get("digests"))),
        ("Weights", weights),
        ("k of reciprocal ranks", str(strategy.get("k") or "")),
        ("Factors", ", ".join(strategy.get("factors") or ()) or "none"),
        ("Numbers", numbers),
    ]
    return [(name, value) for name, value in told if value]


def _moved(some: Sequence[Moved], run: GoldenRun, known: Mapping[str, Golden]) -> list[MovedLine]:
    return [
        MovedLine(one, wording.language(one.query), _steps(one), _compared(one.golden, one.query, run, known))
        for one in some[:_MOVED]
    ]


def _steps(one: Moved) -> str:
    """“2 → 7, 4 → not found”: of each relevant memory that moved, the best of before first."""
    steps = sorted(one.ranks.values(), key=lambda step: (step[0] or 1_000, step[1] or 1_000))
    moved = [step for step in steps if step[0] != step[1]] or steps
    told = [f"{was or 'not found'} → {now or 'not found'}" for was, now in moved[:5]]
    return ", ".join(told) + (f", and {len(moved) - 5} more" if len(moved) > 5 else "")


def _outcome(one: Outcome, run: GoldenRun, known: Mapping[str, Golden]) -> OutcomeLine:
    found = sorted(rank for rank in one.ranks.values() if rank is not None)
    missed = len(one.ranks) - len(found)
    told = [", ".join(map(str, found[:12])) + ("…" if len(found) > 12 else "")] if found else []
    if missed:
        told.append(f"{missed} not in {places(run.k)}" if len(one.ranks) > 1 else f"not in {places(run.k)}")
    compare = _compared(one.golden, one.query, run, known)
    lang = wording.language(one.query)
    names = [label(name, run.k) for name in MEASURES]
    figures = list(zip(names, values_of(one.measures), strict=True))
    return OutcomeLine(one, lang, ", ".join(told), missed, figures, compare)


def _compared(key: str, query: str, run: GoldenRun, known: Mapping[str, Golden]) -> str:
    """The query in the lab, as it is now; where it was deleted, by its words alone."""
    columns = [run.plan, RRF.name if run.plan == DEFAULT else DEFAULT]
    return (
        golden_address(known[key], columns=columns) if key in known else compare_address(columns=columns, query=query)
    )


def _start(text: str) -> int:
    if text and not (text.isascii() and text.isdigit() and len(text) < 7):
        raise BadInput("This page's address is invalid. Start again from the first page.", field="after")
    return int(text or 0)
