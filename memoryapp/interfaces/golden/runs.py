"""Runs of the golden queries over time: the list, and a chart for each measure.

Runs over time as small charts, one a measure, one line a plan.

The figures of a run of golden queries, and how far each moved since the run before.

One run of the golden queries: its figures, what moved since the run before and why, every query with its ranks.

What “Run all” offers: strategies and profiles to choose from, how many places count, and the job that runs now.

Each plan's last run of golden queries, and the warning where one got worse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, floor
from typing import Any

from django.http import QueryDict
from django.urls import reverse

from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput
from memoryapp.domain.golden import MEASURES, Golden, GoldenRun, Outcome
from memoryapp.domain.strategies import DEFAULT, RRF, STRATEGIES
from memoryapp.interfaces.golden.presenter import compare_address, golden_address
from memoryapp.interfaces.jobs.presenter import job_view
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import Desk
from memoryapp.interfaces.pages.filters import address
from memoryapp.interfaces.pages.paging import Pager, place_after
from memoryapp.interfaces.profiles.presenter import plan_told
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.requests import GOLDEN_K
from memoryapp.lab import profiles_of
from memoryapp.lab.evaluate import places
from memoryapp.lab.regress import FALL, Latest, MovedQuery, RunChange, change_since, latest
from memoryapp.spaces import Space
from memoryapp.store import golden

MEASURED = {"recall": "Recall", "mrr": "MRR", "ndcg": "nDCG", "precision": "Precision"}
MOST = 6  # lines; as many as there are hues
_LEFT, _RIGHT, _TOP, _BASE = 32.0, 252.0, 10.0, 96.0
_LEAST_SPAN = 0.2  # of the scale, so that a hair's breadth does not look like a cliff
_APART = 3600  # seconds: later runs are another batch


@dataclass(frozen=True, slots=True)
class PlanSeries:
    """A plan's line: `hue` 1–6, also its dash and the shape of its marks; `dots` (x, y, told)."""

    plan: str
    hue: int
    points: str
    dots: list[tuple[float, float, str]]


@dataclass(frozen=True, slots=True)
class Chart:
    """On 260 by 116 units. `guides`: (y, what stands there)."""

    name: str
    lines: list[PlanSeries]
    guides: list[tuple[float, str]]
    first: str
    last: str
    told: str


def label(measure: str, k: int) -> str:
    """“Recall@10”; MRR has no k."""
    return MEASURED[measure] if measure == "mrr" else f"{MEASURED[measure]}@{k}"


def plans_to_plot(runs: Sequence[GoldenRun]) -> list[str]:
    """The plans that get a line: those run last, in order of their names so that each keeps its hue."""
    return sorted(list(dict.fromkeys(run.plan for run in runs))[:MOST])


def charts_of(runs: Sequence[GoldenRun]) -> list[Chart]:
    """`runs`: of one k, the newest first. Empty without any."""
    ordered = [run for run in reversed(runs) if run.measures]
    if not ordered:
        return []
    plans, batches = plans_to_plot(runs), _batches(ordered)
    count = batches[-1] + 1
    step = (_RIGHT - _LEFT) / max(count - 1, 1)
    xs = [round(_LEFT + step * n if count > 1 else (_LEFT + _RIGHT) / 2, 1) for n in batches]
    return [_chart(measure, ordered, plans, xs) for measure in MEASURED]


def _chart(measure: str, runs: Sequence[GoldenRun], plans: Sequence[str], xs: Sequence[float]) -> Chart:
    shown = [(x, run) for x, run in zip(xs, runs, strict=True) if run.plan in plans]
    low, high = _scale([run.measures[measure] for _, run in shown])

    def y(value: float) -> float:
        return round(_BASE - (_BASE - _TOP) * (value - low) / (high - low), 1)

    lines = []
    for n, plan in enumerate(plans, start=1):
        dots = [
            (x, y(run.measures[measure]), f"{plan}, {human.moment(run.at)}: {run.measures[measure]:.3f}")
            for x, run in shown
            if run.plan == plan
        ]
        lines.append(PlanSeries(plan, n, " ".join(f"{x},{at}" for x, at, _ in dots), dots))
    name, k = label(measure, runs[-1].k), runs[-1].k
    last = {run.plan: run.measures[measure] for _, run in shown}
    told = f"{label(measure, k)} at the last run: " + ", ".join(f"{plan} {value:.3f}" for plan, value in last.items())
    guides = [(y(value), f"{value:.1f}") for value in (low, high)]
    return Chart(name, lines, guides, human.day(runs[0].at), human.day(runs[-1].at), told)


def _scale(values: Sequence[float]) -> tuple[float, float]:
    """Whole tenths around the values, within 0 and 1."""
    low, high = floor(min(values) * 10 + 1e-9) / 10, ceil(max(values) * 10 - 1e-9) / 10
    if high - low < _LEAST_SPAN:
        high = min(1.0, round(low + _LEAST_SPAN, 1))
        low = min(low, round(high - _LEAST_SPAN, 1))
    return max(low, 0.0), high


def _batches(runs: Sequence[GoldenRun]) -> list[int]:
    """Of each run the number of its batch: plans that were run together stand above each other."""
    numbers: list[int] = []
    together: set[str] = set()
    for n, run in enumerate(runs):
        apart = (run.at - runs[n - 1].at).total_seconds() if n else 0.0
        if run.plan in together or apart > _APART:
            together = set()
        numbers.append((numbers[-1] if numbers else 0) + (1 if n and not together else 0))
        together.add(run.plan)
    return numbers


_SLACK = 1e-9  # sums of floats
_SHOWN = 0.0005  # what rounds to nothing with three decimals


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure of a run; `delta` since the run before, "" where nothing is to be said; `fell` by enough to warn."""

    name: str
    value: str
    delta: str
    fell: bool


def figures_of(run: GoldenRun, change: RunChange | None) -> list[Figure]:
    deltas = change.deltas if change else {}
    return [
        Figure(
            label(name, run.k),
            f"{run.measures[name]:.3f}" if name in run.measures else "–",
            _delta(deltas[name]) if name in deltas else "",
            deltas.get(name, 0.0) <= _SLACK - FALL,
        )
        for name in MEASURES
    ]


def fell_told(change: RunChange) -> str:
    """“nDCG@10 fell by 0.051, recall@10 by 0.100”, the largest first; "" where nothing fell."""
    fell = sorted((delta, name) for name, delta in change.deltas.items() if delta < -_SHOWN)
    return ", ".join(
        f"{label(name, change.k)} {'fell ' if not n else ''}by {-delta:.3f}" for n, (delta, name) in enumerate(fell)
    )


def values_of(measures: Mapping[str, float]) -> list[str]:
    """In the order of MEASURES; a dash where there is none."""
    return [f"{measures[name]:.3f}" if name in measures else "–" for name in MEASURES]


def _delta(value: float) -> str:
    if abs(value) < _SHOWN:
        return "as before"
    return f"{'+' if value > 0 else '−'}{abs(value):.3f}"


PAGE = 25
_PLOTTED = 120  # runs looked at for the charts


@dataclass(frozen=True, slots=True)
class RunLine:
    """`figures`: (measure, value)."""

    run: GoldenRun
    figures: list[tuple[str, str]]


def runs_page_of(space: Space, asked: QueryDict) -> dict[str, Any]:
    """Raises BadInput."""
    plan, place = asked.get("plan", "").strip()[:300], place_after(asked.get("after", ""))
    before = as_utc(place[0]) if place else None
    recent = golden.runs(space.db, limit=_PLOTTED)
    found = golden.runs(space.db, plan=plan or None, limit=PAGE + 1, before=before)
    shown, more = found[:PAGE], len(found) > PAGE
    ks = sorted({run.k for run in recent})
    k = _read_k(asked.get("k", ""), ks, recent[0].k if recent else 10)
    drawn = [run for run in recent if run.k == k and (not plan or run.plan == plan)]
    last = f"{shown[-1].at.isoformat()}~{shown[-1].id}" if more else ""
    plans = list(dict.fromkeys(run.plan for run in recent))
    names = [label(name, k) if len(ks) < 2 else label(name, k).partition("@")[0] for name in MEASURES]
    return {
        "lines": [RunLine(run, list(zip(names, values_of(run.measures), strict=True))) for run in shown],
        "charts": charts_of(drawn),
        "drawn": list(enumerate(plans_to_plot(drawn), start=1)),
        "undrawn": max(len({run.plan for run in drawn}) - len(plans_to_plot(drawn)), 0),
        "ks": [(one, one == k) for one in ks],
        "k": k,
        "plans": plans,
        "plan": plan,
        "names": names,
        "pager": Pager(
            newer=address(asked) if place else "",
            older=address(asked, after=last) if more else "",
            shown=human.count_text(len(shown), "run"),
            size=PAGE,
        ),
    }


def _read_k(text: str, ks: Sequence[int], last: int) -> int:
    if not text:
        return last
    if not (text.isascii() and text.isdigit()) or int(text[:6]) not in ks:
        raise BadInput(f"There is no run with k = {text[:20]}.", field="k")
    return int(text)


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
    one: MovedQuery
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
        "worse": _moved_lines(change.worse_queries, run, known) if change else [],
        "worse_more": max(len(change.worse_queries) - _MOVED, 0) if change else 0,
        "better": _moved_lines(change.better_queries, run, known) if change else [],
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
            shown=f"{human.number(len(shown))} of {human.count_text(len(chosen), 'golden query', 'golden queries')}, "
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


def _moved_lines(some: Sequence[MovedQuery], run: GoldenRun, known: Mapping[str, Golden]) -> list[MovedLine]:
    return [
        MovedLine(one, wording.language(one.query), _steps(one), _compared(one.golden, one.query, run, known))
        for one in some[:_MOVED]
    ]


def _steps(one: MovedQuery) -> str:
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


@dataclass(frozen=True, slots=True)
class Choice:
    """`told`: what it is, for those who do not know its name; `on`: it is ticked."""

    name: str
    told: str
    on: bool


def run_form_of(desk: Desk) -> dict[str, Any]:
    """Ticked is what was run last, else the default."""
    ran = golden.runs(desk.memory.db, limit=10)
    last = {run.plan for run in ran if (ran[0].at - run.at).total_seconds() < 3600} or {DEFAULT}
    strategies = [Choice(one.name, one.summary, one.name in last) for one in STRATEGIES.values()]
    profiles = [Choice(one.name, plan_told(one.plan), one.name in last) for one in profiles_of(desk.memory)]
    known = {choice.name for choice in (*strategies, *profiles)}
    others = [Choice(name, plan_told(name), True) for name in sorted(last - known) if ";" in name]
    return {
        "strategies": strategies,
        "profiles": [*profiles, *others],
        "k": ran[0].k if ran else GOLDEN_K,
        "count": golden.count(desk.memory.db),
    }


def job_of(desk: Desk, key: str) -> dict[str, Any]:
    """{"job", "told"} of the one under way, else of the one the address names; empty where there is none."""
    mine = Job.objects.filter(space=desk.space.name, kind="golden")
    job = mine.filter(status__in=OPEN).order_by("created_at").first() or (mine.filter(pk=key).first() if key else None)
    return {} if job is None else {"job": job, "told": job_view(job, you=desk.actor.name)}


@dataclass(frozen=True, slots=True)
class LastRun:
    """`fell`: “MRR fell by 0.103, nDCG@5 by 0.052” where it got worse, else ""."""

    id: str
    plan: str
    at: datetime
    figures: list[Figure]
    fell: str

    @property
    def worse(self) -> bool:
        return bool(self.fell)

    @property
    def href(self) -> str:
        return reverse("golden-run-page", args=[self.id])


_KNOWN: dict[str, tuple[tuple[str, ...], list[LastRun]]] = {}  # by space: its last runs, and what was told of them


def last_runs_of(space: Space) -> list[LastRun]:
    """Those that got worse first, then the one run last. A run never changes, so that the same last runs are worked out
    once: a page must not read every outcome anew."""
    keys = golden.last_runs(space.db)
    known = _KNOWN.get(space.name)
    if known is None or known[0] != keys:
        known = (keys, _read(latest(space)) if keys else [])
        _KNOWN[space.name] = known
    return known[1]


def warnings_of(space: Space) -> list[LastRun]:
    """The plans whose last run got worse: what Home warns of."""
    return [one for one in last_runs_of(space) if one.worse]


def _read(found: Sequence[Latest]) -> list[LastRun]:
    told = [
        LastRun(
            id=one.run.id,
            plan=one.run.plan,
            at=one.run.at,
            figures=figures_of(one.run, one.change),
            fell=fell_told(one.change) if one.change and one.worse else "",
        )
        for one in found
    ]
    return sorted(told, key=lambda one: not one.worse)
