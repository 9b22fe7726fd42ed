"""Golden queries: questions of which somebody said what should be found; in lines, and asked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.domain.filters import filters_told
from memoryapp.domain.golden import GoldenRun
from memoryapp.domain.memory import State
from memoryapp.interfaces.api.schemas import Body, FullName, Id, Moment, Response, Sparse, words
from memoryapp.interfaces.search.schemas import FiltersIn, PlanText, Question
from memoryapp.lab import ImportResult, MovedQuery, RunChange, Standing
from memoryapp.lab.golden import refs_of
from memoryapp.spaces import Space
from memoryapp.store import memories

Note = Annotated[str, words(1_000)]
Relevant = Annotated[
    list[FullName],
    Field(
        min_length=1,
        max_length=100,
        description="Memories that should be found, by their ids or by the refs that you gave them.",
        examples=[["9f2c1b7a40d3e685"]],
    ),
]
A_LINE = (
    '{"query": "why did we leave RabbitMQ?", "relevant": ["9f2c1b7a40d3e685"], "refs": ["D1:3"], '
    '"filters": {"kinds": ["note"]}, "note": ""}'
)


class GoldenIn(Sparse):
    """A question, and what it should find. Where the same is asked already with the same filters, what is relevant is
    joined to that."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"query": "why did we leave RabbitMQ?", "relevant": ["D1:3"]}]},
    )

    query: Question
    relevant: Relevant
    filters: FiltersIn = FiltersIn()
    as_of: Moment | None = Field(None, description="Asked of what was held at this instant.")
    note: Note = ""


class GoldenEdit(Body):
    """What is not sent stays as it is. `as_of` null asks of the present again."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"relevant": ["D1:3", "D1:7"], "note": "Both sides of it."}]}
    )

    query: Question | None = None
    relevant: Relevant | None = None
    filters: FiltersIn | None = None
    as_of: Moment | None = None
    note: Note | None = None


class RelevantOut(Response):
    """`state` is null where the memory was purged. What is deleted or purged does not count when the query is asked."""

    id: Id
    ref: str | None = Field(examples=["D1:3"])
    state: State | None = Field(examples=["held"])
    text: str = Field(description="How it begins.", examples=["We moved the queue to Redis because RabbitMQ lost"])


class GoldenOut(Response):
    """`filters` tells only what narrows, as a search takes it."""

    id: Id
    query: str = Field(examples=["why did we leave RabbitMQ?"])
    relevant: list[RelevantOut]
    gone: int = Field(description="How many of them are deleted or purged.", examples=[0])
    filters: dict[str, Any] = Field(examples=[{"kinds": ["note"]}])
    as_of: datetime | None = Field(examples=[None])
    note: str = Field(examples=[""])
    by: str = Field(examples=["alice"])
    created_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    updated_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    version: int = Field(examples=[1])


class GoldenPage(Response):
    items: list[GoldenOut]
    total: int = Field(examples=[12])
    next_cursor: str | None = Field(examples=[None])


class GoldenActOut(Response):
    golden: GoldenOut
    outcome: Literal["added", "joined", "changed", "deleted"] = Field(examples=["added"])
    dry_run: bool = Field(False, examples=[False])


class GoldenImportIn(Sparse):
    """`lines`: JSON Lines, one golden query each, as the export writes them. `strict`: nothing is written unless every
    line can be."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"lines": A_LINE + "\n", "dry_run": True}]}
    )

    lines: str = Field(min_length=1)
    dry_run: bool = False
    strict: bool = False


class GoldenLineOut(Response):
    """What becomes of a line, counted from 1: add · join (something asks the same, and means more now) · same (nothing
    new) · bad. `told`: why, and what to do."""

    line: int = Field(examples=[1])
    outcome: Literal["add", "join", "same", "bad"] = Field(examples=["add"])
    told: str = Field(examples=["new, 1 relevant memory"])
    query: str = Field(examples=["why did we leave RabbitMQ?"])
    id: Id | None = Field(description="Null of a bad one.", examples=["9f2c1b7a40d3e685"])


class GoldenImportOut(Response):
    """`written`: whether it was done. The counts tell how many lines came to what."""

    dry_run: bool = Field(examples=[True])
    written: bool = Field(examples=[False])
    added: int = Field(examples=[1])
    joined: int = Field(examples=[0])
    same: int = Field(examples=[0])
    bad: int = Field(examples=[0])
    lines: list[GoldenLineOut]


# Golden queries asked by a plan: how it did on them, and what changed since the run before.

SOME_MEASURES = {"recall": 0.92, "mrr": 0.81, "ndcg": 0.84, "precision": 0.14}
SOME_CONDITIONS: dict[str, Any] = {
    "encoder": "minilm",
    "memories": 5480,
    "digests": 12,
    "numbers": {"date_weight": 0.6, "feedback_reach": 0.2},
    "strategy": {"weights": {"vector": 1.1, "keyword": 1.0, "graph": 1.25}, "k": 60, "factors": ["feedback"]},
    "left_out": [],
    "notes": {},
}


class GoldenRunIn(Sparse):
    """Which strategies or profiles are asked all golden queries, each with changes or without."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"strategies": ["hybrid", "hybrid;vector=1.4"], "k": 10}]}
    )

    strategies: list[PlanText] = Field(default=["hybrid"], min_length=1, max_length=10)
    k: Annotated[int, Field(ge=1, le=100, description="At how many results it is measured.")] = 10


class GoldenRunOut(Response):
    """`measures`: means over the queries, recall, nDCG and precision at `k`. `conditions`: what the figures stand
    under, with the ids of golden queries that were left out (nothing of what they mean is left) and how many answers
    bore a note."""

    id: Id
    at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    by: str = Field(examples=["alice"])
    plan: str = Field(examples=["hybrid"])
    k: int = Field(examples=[10])
    measures: dict[str, float] = Field(examples=[SOME_MEASURES])
    conditions: dict[str, Any] = Field(examples=[SOME_CONDITIONS])
    took_ms: float = Field(examples=[184.2])


class GoldenRunPage(Response):
    items: list[GoldenRunOut]
    next_cursor: str | None = Field(examples=[None])


class OutcomeOut(Response):
    """One golden query in a run. `ranks`: of each relevant memory, null where it was not among the places looked at
    (20, or `k` where that is more)."""

    golden: Id
    query: str = Field(examples=["why did we leave RabbitMQ?"])
    ranks: dict[str, int | None] = Field(examples=[{"9f2c1b7a40d3e685": 1}])
    measures: dict[str, float] = Field(examples=[{"recall": 1.0, "mrr": 1.0, "ndcg": 1.0, "precision": 0.1}])


class MovedQueryOut(Response):
    """A query that got better or worse. `ranks`: of each relevant memory, before and after."""

    golden: Id
    query: str = Field(examples=["why did we leave RabbitMQ?"])
    ranks: dict[str, tuple[int | None, int | None]] = Field(examples=[{"9f2c1b7a40d3e685": [3, 1]}])


class RunChangeOut(Response):
    """A run beside the one before it. `deltas`: of each measure at `k`, after less before, over the `shared` queries,
    those that both asked for the same memories. `conditions`: what had changed, in words. `worse`: a measure fell by
    .02 or more."""

    before: Id
    k: int = Field(examples=[10])
    shared: int = Field(examples=[24])
    deltas: dict[str, float] = Field(examples=[{"recall": -0.04, "mrr": 0.01, "ndcg": -0.01, "precision": 0.0}])
    conditions: list[str] = Field(examples=[["vector 1.1 → 1.4", "380 more memories"]])
    worse_queries: list[MovedQueryOut]
    better_queries: list[MovedQueryOut]
    worse: bool = Field(examples=[True])


class GoldenRunWhole(GoldenRunOut):
    """`change`: against the run before it by the same plan at the same `k`; null where it is the first."""

    outcomes: list[OutcomeOut]
    change: RunChangeOut | None


_CHARS = 100  # of a relevant memory


def show_goldens(space: Space, some: Sequence[Standing]) -> list[GoldenOut]:
    """With the beginnings of what they mean, asked once for all of them."""
    keys = {key for one in some for key in one.golden.relevant}
    begins, refs = _openings(space, keys), refs_of(space, keys)
    return [_show_golden(one, begins, refs) for one in some]


def show_golden(space: Space, one: Standing) -> GoldenOut:
    return show_goldens(space, [one])[0]


def show_import(done: ImportResult, *, dry_run: bool) -> GoldenImportOut:
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
                outcome=one.outcome,
                told=one.told,
                query=one.query,
                id=one.golden,
            )
            for one in done.lines
        ],
    )


def show_run_of_golden(run: GoldenRun) -> GoldenRunOut:
    return GoldenRunOut.of(run, measures=dict(run.measures), conditions=dict(run.conditions))


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
    return RunChangeOut.of(
        change,
        deltas=dict(change.deltas),
        worse_queries=[_show_moved(one) for one in change.worse_queries],
        better_queries=[_show_moved(one) for one in change.better_queries],
    )


def _show_moved(one: MovedQuery) -> MovedQueryOut:
    return MovedQueryOut(golden=one.golden, query=one.query, ranks=dict(one.ranks))


def _show_golden(one: Standing, begins: dict[str, str], refs: dict[str, str]) -> GoldenOut:
    golden = one.golden
    told = filters_told(golden.filters)
    told.pop("as_of", None)  # beside the filters, as in a search
    return GoldenOut.of(
        golden,
        relevant=[
            RelevantOut(id=key, ref=refs.get(key), state=one.states[key], text=begins.get(key, ""))
            for key in golden.relevant
        ],
        gone=len(one.gone),
        filters=told,
        as_of=golden.filters.as_of,
    )


def _openings(space: Space, keys: Collection[str]) -> dict[str, str]:
    """How the memories begin, those of parent spaces too."""
    found: dict[str, str] = {}
    here: Space | None = space
    while here is not None and keys - found.keys():
        found |= memories.openings(here.db, sorted(keys - found.keys()), chars=_CHARS)
        here = here.parent
    return found
