"""Search: one question, one question by several strategies, and why a memory is not among the results."""

from __future__ import annotations

import time
from dataclasses import replace

from memoryapp import lab
from memoryapp import search as engine
from memoryapp.accounts.first_steps import note_question
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import NotFound
from memoryapp.domain.filters import AsOfBy, Filters
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import STRATEGIES
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.lab.schemas import (
    CompareIn,
    CompareOut,
    ExplainIn,
    ExplanationsOut,
    show_agreement,
    show_column,
    show_explanation,
    show_strategy,
)
from memoryapp.interfaces.search.schemas import AnswerOut, FiltersIn, SearchIn, StrategiesOut, show_answer
from memoryapp.search import strategy_of
from memoryapp.spaces import Space
from memoryapp.store import memories, profiles

router = Routes("Search")


@router.post("/search", needs=Role.READER, reads=True, response=AnswerOut, errors=(413,), summary="Search")
def search_memories(request: ApiRequest, body: SearchIn) -> AnswerOut:
    """The memories that answer a question, best first, each with the whole reason for its place: rank, raw score and
    share of every arm, the factors, the evidence. `score` is the sum of the shares times the factors, exactly.

    To be found is not to be used: an access is counted by `POST /context`, and by feedback that says so. What is asked
    with a key is kept, with what was given, for people to see: `GET /traces`.
    """
    space = the_space(request)
    query = _query(body, body.strategy)
    floor = space.tuning.relevance_floor if body.floor is None else body.floor
    began = time.perf_counter()
    answer = engine.search(space, replace(query, floor=floor))
    note_question(request.auth.space)
    narrowed = query.filters != Filters()
    engine.trace_search(space, answer, request.auth.asker, began=began, narrowed=narrowed)
    return show_answer(answer)


@router.post(
    "/search/compare", needs=Role.READER, reads=True, response=CompareOut, errors=(413,), summary="Compare strategies"
)
def compare_strategies(request: ApiRequest, body: CompareIn) -> CompareOut:
    """One question answered by several strategies or profiles, each with changes or without, and how far they agree.
    Every column tells the plan that made it."""
    space = the_space(request)
    made = lab.compare(space, _query(body, body.strategies[0]), body.strategies)
    columns = [show_column(space, column) for column in made.columns]
    return CompareOut(columns=columns, agreement=show_agreement(made))


@router.post(
    "/search/explain",
    needs=Role.READER,
    reads=True,
    response=ExplanationsOut,
    errors=(404, 413),
    summary="Explain a result, or its absence",
)
def explain_result(request: ApiRequest, body: ExplainIn) -> ExplanationsOut:
    """“Expected something else?”: where one memory stands for a question by each of some strategies. Its rank and
    shares, or at which stage it dropped out and how far below the cut it was, with every stage on the way."""
    space = the_space(request)
    found = lab.why_not(space, _query(body, body.strategies[0]), body.strategies, _memory_id(space, body))
    items = [show_explanation(one, strategy=name) for one, name in zip(found, body.strategies, strict=True)]
    return ExplanationsOut(items=items)


@router.get("/strategies", needs=Role.READER, response=StrategiesOut, summary="List the search strategies")
def list_strategies(request: ApiRequest) -> StrategiesOut:
    """Which strategies there are: their arms, weights, and how the arms are joined; then the space's profiles. Each
    may be asked for by its name."""
    space = the_space(request)
    built_in = [show_strategy(strategy_of(space, name), name=name, plan=name) for name in STRATEGIES]
    made = [
        show_strategy(strategy_of(space, one.plan), name=one.name, plan=one.plan, profile=one)
        for one in profiles.every(space.db)
    ]
    return StrategiesOut(items=[*built_in, *made])


def _query(body: SearchIn | CompareIn | ExplainIn, strategy: str) -> Query:
    return Query(
        text=body.query,
        strategy=strategy,
        top_k=body.top_k,
        filters=replace(
            filters_of(body.filters), as_of=body.as_of, as_of_by=getattr(body, "as_of_by", AsOfBy.RECORDED)
        ),
        trace=getattr(body, "trace", False),
        read=getattr(body, "read", False),
    )


def _memory_id(space: Space, body: ExplainIn) -> str:
    """The id of the memory that is meant. One named by its ref is looked for above the space, too. Raises NotFound."""
    if body.id is not None:
        return body.id
    here: Space | None = space
    while here is not None:
        if found := memories.by_refs(here.db, [body.ref or ""]):
            return found[body.ref or ""].id
        here = here.parent
    raise NotFound(f"No memory has the ref “{(body.ref or '')[:60]}” in space “{space.name}”.", field="/ref")


def filters_of(said: FiltersIn) -> Filters:
    return Filters(
        kinds=tuple(said.kinds),
        states=tuple(said.states),
        tags=tuple(said.tags),
        categories=tuple(said.categories),
        memory_types=tuple(said.memory_types),
        moods=tuple(said.moods),
        sources=tuple(said.sources),
        speakers=tuple(said.speakers),
        entities=tuple(said.entities),
        min_trust=said.min_trust,
        min_strength=said.min_strength,
        since=said.since,
        until=said.until,
        review_before=said.review_before,
    )
