"""Golden queries and what came of asking them → shapes of the answers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memoryapp.api.schemas.golden import GoldenImportOut, GoldenLineOut, GoldenOut, RelevantOut
from memoryapp.api.schemas.golden_run import GoldenRunOut, GoldenRunWhole, MovedQueryOut, OutcomeOut, RunChangeOut
from memoryapp.domain.filters import filters_told
from memoryapp.domain.golden import GoldenRun
from memoryapp.lab import Imported, Moved, RunChange, Standing
from memoryapp.lab.meant import refs_of
from memoryapp.spaces import Space
from memoryapp.store import memories

_CHARS = 100  # of a relevant memory


def show_goldens(space: Space, some: Sequence[Standing]) -> list[GoldenOut]:
    """With the beginnings of what they mean, asked once for all of them."""
    keys = {key for one in some for key in one.golden.relevant}
    begins, refs = _openings(space, keys), refs_of(space, keys)
    return [_golden(one, begins, refs) for one in some]


def show_golden(space: Space, one: Standing) -> GoldenOut:
    return show_goldens(space, [one])[0]


def show_import(done: Imported, *, dry_run: bool) -> GoldenImportOut:
    return GoldenImportOut(
        dry_run=dry_run,
        written=done.written,
        added=done.count("add"),
        joined=done.count("join"),
        same=done.count("same"),
        bad=done.count("bad"),
        lines=[
            GoldenLineOut(
                line=one.number,
                outcome=one.outcome,  # type: ignore[arg-type]
                told=one.told,
                query=one.query,
                id=one.golden,
            )
            for one in done.lines
        ],
    )


def show_run_of_golden(run: GoldenRun) -> GoldenRunOut:
    return GoldenRunOut(
        id=run.id,
        at=run.at,
        by=run.by,
        plan=run.plan,
        k=run.k,
        measures=dict(run.measures),
        conditions=dict(run.conditions),
        took_ms=run.took_ms,
    )


def show_whole_run(run: GoldenRun, change: RunChange | None) -> GoldenRunWhole:
    return GoldenRunWhole(
        **dict(show_run_of_golden(run)),
        outcomes=[
            OutcomeOut(golden=one.golden, query=one.query, ranks=dict(one.ranks), measures=dict(one.measures))
            for one in run.outcomes
        ],
        change=_change(change) if change else None,
    )


def _change(change: RunChange) -> RunChangeOut:
    return RunChangeOut(
        before=change.before,
        k=change.k,
        shared=change.shared,
        deltas=dict(change.deltas),
        conditions=list(change.conditions),
        worse_queries=[_moved(one) for one in change.worse_queries],
        better_queries=[_moved(one) for one in change.better_queries],
        worse=change.worse,
    )


def _moved(one: Moved) -> MovedQueryOut:
    return MovedQueryOut(golden=one.golden, query=one.query, ranks=dict(one.ranks))


def _golden(one: Standing, begins: dict[str, str], refs: dict[str, str]) -> GoldenOut:
    golden = one.golden
    told = filters_told(golden.filters)
    told.pop("as_of", None)  # beside the filters, as in a search
    return GoldenOut(
        id=golden.id,
        query=golden.query,
        relevant=[
            RelevantOut(id=key, ref=refs.get(key), state=one.states[key], text=begins.get(key, ""))
            for key in golden.relevant
        ],
        gone=len(one.gone),
        filters=told,
        as_of=golden.filters.as_of,
        note=golden.note,
        by=golden.by,
        created_at=golden.created_at,
        updated_at=golden.updated_at,
        version=golden.version,
    )


def _openings(space: Space, keys: Collection[str]) -> dict[str, str]:
    """How the memories begin, those of parent spaces too."""
    found: dict[str, str] = {}
    here: Space | None = space
    while here is not None and keys - found.keys():
        found |= memories.openings(here.db, sorted(keys - found.keys()), chars=_CHARS)
        here = here.parent
    return found
