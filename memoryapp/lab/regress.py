"""A run of golden queries beside an earlier one: which figures moved, which queries, and what had changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memoryapp.domain.golden import MEASURES, GoldenRun, Outcome
from memoryapp.lab.evaluate import conditions_of, means, measure_ranks, places
from memoryapp.search import strategy_of
from memoryapp.spaces import Space
from memoryapp.store import golden
from memoryapp.text.wording import count_text

_NONE = "none"


def changed_conditions(run: GoldenRun, before: GoldenRun, *, shared: int) -> tuple[str, ...]:
    """Return what had changed between two runs: “model MiniLM → mpnet”, “vector 1.1 → 1.4”, “12 more digests”.

    `shared`: how many queries both asked for the same memories."""
    return tuple(_condition_changes(run, before, shared))


def settings_of(conditions: Mapping[str, Any]) -> dict[str, Any]:
    """What somebody set, and what was folded: all by which a run is worth repeating. New memories are not."""
    return {name: conditions.get(name) for name in ("encoder", "digests", "numbers", "strategy")}


def _condition_changes(run: GoldenRun, before: GoldenRun, shared: int) -> Iterator[str]:
    now, was = run.conditions, before.conditions
    if run.plan != before.plan:
        yield f"plan {before.plan} → {run.plan}"
    if now.get("encoder") != was.get("encoder"):
        yield f"model {was.get('encoder') or _NONE} → {now.get('encoder') or _NONE}"
    yield from _strategy(now.get("strategy") or {}, was.get("strategy") or {})
    yield from _differing_numbers(now.get("numbers") or {}, was.get("numbers") or {})
    if run.k != before.k:
        yield f"places that count {before.k} → {run.k}"
    for name, one, many in (("digests", "digest", "digests"), ("memories", "memory", "memories")):
        yield from _difference_text(int(now.get(name) or 0) - int(was.get(name) or 0), one, many)
    yield from _queries(run, before, shared)
    yield from _notes(now.get("notes") or {}, was.get("notes") or {})


def _strategy(now: Mapping[str, Any], was: Mapping[str, Any]) -> Iterator[str]:
    yield from _differing_numbers(now.get("weights") or {}, was.get("weights") or {})
    yield from _differing_numbers({"k": now.get("k")}, {"k": was.get("k")})
    if now.get("factors") != was.get("factors"):
        yield f"factors {_factors_text(was.get('factors'))} → {_factors_text(now.get('factors'))}"


def _differing_numbers(now: Mapping[str, Any], was: Mapping[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys([*was, *now]):
        if now.get(name) != was.get(name):
            yield f"{name} {_number(was.get(name))} → {_number(now.get(name))}"


def _queries(run: GoldenRun, before: GoldenRun, shared: int) -> Iterator[str]:
    asked, earlier = {one.golden for one in run.outcomes}, {one.golden for one in before.outcomes}
    both = len(asked & earlier)
    if fresh := len(asked - earlier):
        yield f"{count_text(fresh, 'golden query', 'golden queries')} more"
    if fewer := len(earlier - asked):
        yield f"{count_text(fewer, 'golden query', 'golden queries')} fewer"
    if other := both - shared:
        yield f"{count_text(other, 'golden query asks', 'golden queries ask')} for something else"


def _notes(now: Mapping[str, int], was: Mapping[str, int]) -> Iterator[str]:
    for told in dict.fromkeys([*was, *now]):
        if now.get(told, 0) != was.get(told, 0):
            yield f"“{told}” {count_text(now.get(told, 0), 'time', 'times')}, before {was.get(told, 0):,}"


def _difference_text(difference: int, one: str, many: str) -> Iterator[str]:
    if difference:
        size = abs(difference)
        yield f"{size:,} {'more' if difference > 0 else 'fewer'} {one if size == 1 else many}"


def _number(value: Any) -> str:
    return _NONE if value is None else f"{value:g}"


def _factors_text(factors: Any) -> str:
    return "+".join(factors or ()) or _NONE


FALL = 0.02  # of a measure, from which a run counts as worse
_SLACK = 1e-9  # sums of floats


@dataclass(frozen=True, slots=True)
class MovedQuery:
    """A query that both runs asked. `ranks`: of each relevant memory, before and after; None where it was not found."""

    golden: str
    query: str
    ranks: Mapping[str, tuple[int | None, int | None]]

    @property
    def before(self) -> int | None:
        """The best rank."""
        return min((rank for rank, _ in self.ranks.values() if rank is not None), default=None)

    @property
    def after(self) -> int | None:
        return min((rank for _, rank in self.ranks.values() if rank is not None), default=None)


@dataclass(frozen=True, slots=True)
class RunChange:
    """`deltas`: of each measure at `k` (the smaller one of the two runs), after less before, over the `shared` queries:
    those that both asked for the same memories. Empty where there are none. `conditions`: what had changed, a few words
    each. `worse`: a measure fell by FALL or more. The queries that moved most come first."""

    run: str
    before: str
    k: int
    shared: int
    deltas: Mapping[str, float]
    conditions: tuple[str, ...]
    worse_queries: tuple[MovedQuery, ...]
    better_queries: tuple[MovedQuery, ...]
    worse: bool


@dataclass(frozen=True, slots=True)
class Latest:
    """The last run of a plan; `change` against the one before it at the same k, None where it is the first."""

    run: GoldenRun
    change: RunChange | None

    @property
    def worse(self) -> bool:
        return self.change is not None and self.change.worse


def changes_of(run: GoldenRun, before: GoldenRun) -> RunChange:
    """Both with their outcomes. They may be of two plans."""
    k = min(run.k, before.k)
    pairs = _shared_outcomes(run.outcomes, before.outcomes)
    depth = min(places(run.k), places(before.k))
    was = [measure_ranks(_ranks_within(old.ranks, depth), k) for old, _ in pairs]
    now = [measure_ranks(_ranks_within(new.ranks, depth), k) for _, new in pairs]
    mean_was, mean_now = means(was), means(now)
    deltas = {name: mean_now[name] - mean_was[name] for name in MEASURES} if pairs else {}
    steps = [(_step(one, other), old, new) for one, other, (old, new) in zip(was, now, pairs, strict=True)]
    return RunChange(
        run=run.id,
        before=before.id,
        k=k,
        shared=len(pairs),
        deltas=deltas,
        conditions=changed_conditions(run, before, shared=len(pairs)),
        worse_queries=_moved_queries([step for step in steps if step[0] < -_SLACK]),
        better_queries=_moved_queries([step for step in steps if step[0] > _SLACK]),
        worse=any(delta <= _SLACK - FALL for delta in deltas.values()),
    )


def change_since(space: Space, run: GoldenRun) -> RunChange | None:
    """Against the run before it of the same plan at the same k; None where it is the first. `run` has its outcomes."""
    before = golden.run_before(space.db, run)
    return None if before is None else changes_of(run, before)


def latest(space: Space) -> tuple[Latest, ...]:
    """Of every plan that was run, the one run last first."""
    found = []
    for key in golden.last_runs(space.db):
        run = golden.run(space.db, key)
        found.append(Latest(run, change_since(space, run)))
    return tuple(found)


def _shared_outcomes(after: Sequence[Outcome], before: Sequence[Outcome]) -> list[tuple[Outcome, Outcome]]:
    """(before, after) of the queries that ask for the same. One that means other memories by now is another one."""
    known = {one.golden: one for one in before}
    return [
        (known[one.golden], one)
        for one in after
        if one.golden in known
        and known[one.golden].query == one.query
        and known[one.golden].ranks.keys() == one.ranks.keys()
    ]


def _ranks_within(ranks: Mapping[str, int | None], depth: int) -> dict[str, int | None]:
    return {key: rank if rank is not None and rank <= depth else None for key, rank in ranks.items()}


def _step(was: Mapping[str, float], now: Mapping[str, float]) -> float:
    """How far a query moved: by nDCG, which every place within k bears on; where that stands, by the first place."""
    step = now["ndcg"] - was["ndcg"]
    return step if abs(step) > _SLACK else now["mrr"] - was["mrr"]


def _moved_queries(steps: Sequence[tuple[float, Outcome, Outcome]]) -> tuple[MovedQuery, ...]:
    ordered = sorted(steps, key=lambda step: (-abs(step[0]), step[2].golden))
    return tuple(
        MovedQuery(new.golden, new.query, {key: (old.ranks[key], rank) for key, rank in new.ranks.items()})
        for _, old, new in ordered
    )


def is_outdated(space: Space, run: GoldenRun) -> bool:
    """Whether the model, the digests, the numbers or the plan are others than when this run was made. A model that is
    still loading is taken for the one that comes. Raises BadInput where there is no such plan any more."""
    plan = strategy_of(space, run.plan)
    encoder = "" if space.encoder.error else space.encoder.name
    return settings_of(conditions_of(space, plan, encoder=encoder)) != settings_of(run.conditions)
