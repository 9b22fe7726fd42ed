"""What had changed between two runs of golden queries, in a few words each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memoryapp.domain.golden import GoldenRun

_NONE = "none"


def changed(run: GoldenRun, before: GoldenRun, *, shared: int) -> tuple[str, ...]:
    """“model MiniLM → mpnet”, “vector 1.1 → 1.4”, “12 more digests”: of the conditions, what differs. `shared`: how
    many queries both asked for the same memories."""
    return tuple(_told(run, before, shared))


def settings_of(conditions: Mapping[str, Any]) -> dict[str, Any]:
    """What somebody set, and what was folded: all by which a run is worth repeating. New memories are not."""
    return {name: conditions.get(name) for name in ("encoder", "digests", "numbers", "strategy")}


def _told(run: GoldenRun, before: GoldenRun, shared: int) -> Iterator[str]:
    now, was = run.conditions, before.conditions
    if run.plan != before.plan:
        yield f"plan {before.plan} → {run.plan}"
    if now.get("encoder") != was.get("encoder"):
        yield f"model {was.get('encoder') or _NONE} → {now.get('encoder') or _NONE}"
    yield from _strategy(now.get("strategy") or {}, was.get("strategy") or {})
    yield from _each(now.get("numbers") or {}, was.get("numbers") or {})
    if run.k != before.k:
        yield f"places that count {before.k} → {run.k}"
    for name, one, many in (("digests", "digest", "digests"), ("memories", "memory", "memories")):
        yield from _more(int(now.get(name) or 0) - int(was.get(name) or 0), one, many)
    yield from _queries(run, before, shared)
    yield from _notes(now.get("notes") or {}, was.get("notes") or {})


def _strategy(now: Mapping[str, Any], was: Mapping[str, Any]) -> Iterator[str]:
    yield from _each(now.get("weights") or {}, was.get("weights") or {})
    yield from _each({"k": now.get("k")}, {"k": was.get("k")})
    if now.get("factors") != was.get("factors"):
        yield f"factors {_listed(was.get('factors'))} → {_listed(now.get('factors'))}"


def _each(now: Mapping[str, Any], was: Mapping[str, Any]) -> Iterator[str]:
    for name in dict.fromkeys([*was, *now]):
        if now.get(name) != was.get(name):
            yield f"{name} {_number(was.get(name))} → {_number(now.get(name))}"


def _queries(run: GoldenRun, before: GoldenRun, shared: int) -> Iterator[str]:
    asked, earlier = {one.golden for one in run.outcomes}, {one.golden for one in before.outcomes}
    both = len(asked & earlier)
    if fresh := len(asked - earlier):
        yield f"{_counted(fresh, 'golden query', 'golden queries')} more"
    if fewer := len(earlier - asked):
        yield f"{_counted(fewer, 'golden query', 'golden queries')} fewer"
    if other := both - shared:
        yield f"{_counted(other, 'golden query asks', 'golden queries ask')} for something else"


def _notes(now: Mapping[str, int], was: Mapping[str, int]) -> Iterator[str]:
    for told in dict.fromkeys([*was, *now]):
        if now.get(told, 0) != was.get(told, 0):
            yield f"“{told}” {_counted(now.get(told, 0), 'time', 'times')}, before {was.get(told, 0):,}"


def _more(difference: int, one: str, many: str) -> Iterator[str]:
    if difference:
        size = abs(difference)
        yield f"{size:,} {'more' if difference > 0 else 'fewer'} {one if size == 1 else many}"


def _number(value: Any) -> str:
    return _NONE if value is None else f"{value:g}"


def _listed(factors: Any) -> str:
    return "+".join(factors or ()) or _NONE


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"
