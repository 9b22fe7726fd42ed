"""Search: one question, one question by several strategies, and why a memory is not among the results."""

from __future__ import annotations

from dataclasses import replace

from memoryapp import lab, retrieve
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.opened import the_space
from memoryapp.api.route import Routes
from memoryapp.api.schemas.search import (
    AnswerOut,
    CompareIn,
    CompareOut,
    ExplainIn,
    ExplanationOut,
    FiltersIn,
    SearchIn,
    StrategiesOut,
    StrategyOut,
)
from memoryapp.api.showing import show_agreement, show_answer, show_explanation
from memoryapp.domain.filters import Filters
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import DEFAULT, STRATEGIES

router = Routes("Search")


@router.post("/search", needs=Role.READER, reads=True, response=AnswerOut, errors=(413,), summary="Search")
def search(request: ApiRequest, body: SearchIn) -> AnswerOut:
    """The memories that answer a question, best first, each with the whole reason for its place: rank, raw score and
    share of every arm, the factors, the evidence. `score` is the sum of the shares times the factors, exactly.

    A search with a key counts as a recall of what it returns; one from a browser does not.
    """
    return show_answer(retrieve.search(the_space(request), _query(body, body.strategy, record=request.auth.is_agent)))


@router.post(
    "/search/compare", needs=Role.READER, reads=True, response=CompareOut, errors=(413,), summary="Compare strategies"
)
def compare(request: ApiRequest, body: CompareIn) -> CompareOut:
    """One question answered by several strategies, and how far they agree. Does not count as a recall."""
    space = the_space(request)
    made = lab.compare(space, _query(body, body.strategies[0]), body.strategies)
    columns = [show_answer(column.answer) for column in made.columns]
    return CompareOut(columns=columns, agreement=show_agreement(made))


@router.post(
    "/search/explain",
    needs=Role.READER,
    reads=True,
    response=ExplanationOut,
    errors=(404, 413),
    summary="Explain a result, or its absence",
)
def explain(request: ApiRequest, body: ExplainIn) -> ExplanationOut:
    """Where a memory stands for a question: its rank and shares, or at which stage it dropped out and how far below
    the cut it was."""
    return show_explanation(retrieve.explain(the_space(request), _query(body, body.strategy), body.id))


@router.get("/strategies", needs=Role.READER, response=StrategiesOut, summary="List the search strategies")
def strategies(request: ApiRequest) -> StrategiesOut:
    """Which strategies there are: their arms, weights, and how the arms are joined."""
    items = [
        StrategyOut(
            name=one.name,
            summary=one.summary,
            arms=[arm.value for arm in one.arms],
            fusion=one.fusion.value,
            weights={arm.value: weight for arm, weight in one.weights.items()},
            k=one.k,
            factors=[factor.value for factor in one.factors],
            default=one.name == DEFAULT,
        )
        for one in STRATEGIES.values()
    ]
    return StrategiesOut(items=items)


def _query(body: SearchIn | CompareIn | ExplainIn, strategy: str, *, record: bool = False) -> Query:
    return Query(
        text=body.query,
        strategy=strategy,
        top_k=body.top_k,
        filters=replace(filters_of(body.filters), as_of=body.as_of),
        trace=getattr(body, "trace", False),
        record=record,
    )


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
    )
