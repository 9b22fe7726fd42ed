"""Facts: written ready-made, listed, and tried out before anything is remembered."""

from __future__ import annotations

from functools import reduce
from operator import add

from ninja import Query

from memoryapp import remember
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.cursor import read_cursor, write_cursor
from memoryapp.api.inherited import reading
from memoryapp.api.opened import the_space
from memoryapp.api.operations.writing import WRITTEN, write_one
from memoryapp.api.reply import Reply
from memoryapp.api.route import Routes
from memoryapp.api.schemas.fact import (
    CandidateOut,
    CostOut,
    FactQuery,
    NearOut,
    PassedOverOut,
    PreviewIn,
    PreviewOfTurn,
    PreviewOut,
    VerdictOut,
)
from memoryapp.api.schemas.memory import MemoryPage, show_memories
from memoryapp.api.schemas.writing import NewFactIn
from memoryapp.domain.errors import BadInput
from memoryapp.domain.fact import Cost, Said
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind
from memoryapp.jobs.readers import judges_for, reader_for
from memoryapp.retrieve.browse import browse
from memoryapp.spaces import Space, space_at
from memoryapp.store import conflicts, memories

router = Routes("Facts")


@router.post("/facts", needs=Role.WRITER, response=WRITTEN, errors=(409, 413), summary="Write a fact")
def write_fact(request: ApiRequest, body: NewFactIn) -> Reply:
    """The same as POST /memories with `kind: fact`. What says the same as a held fact reinforces that one; what
    contradicts one is written beside it and becomes a conflict; “likes Python” and “likes Rust” are two facts."""
    return write_one(request, body)


@router.get("/facts", needs=Role.READER, response=MemoryPage, summary="List facts")
def list_facts(request: ApiRequest, asked: Query[FactQuery]) -> MemoryPage:
    """Facts that pass every filter, last learned first by default: the space's own, or those of a parent that it
    reads, one list at a time."""
    space, inherited = reading(request, asked.inherited_from, states=asked.state)
    place = read_cursor(asked.cursor, str, str)
    if place and place[0] != asked.sort:
        raise BadInput("This cursor belongs to a list in another order.", field="cursor")
    page = browse(
        space,
        _filters(asked),
        sort=asked.sort,
        contains=asked.contains,
        only=_only(space, asked),
        after=place[1] if place else "",
        limit=asked.limit,
    )
    return MemoryPage(
        items=show_memories(space_at(space, asked.as_of), page.memories, inherited_from=inherited),
        next_cursor=write_cursor(asked.sort, page.last) if page.older else None,
        total=page.total,
    )


def _filters(asked: FactQuery) -> Filters:
    return Filters(
        kinds=(Kind.FACT,),
        states=tuple(asked.state),
        categories=tuple(asked.category),
        entities=(asked.subject,) if asked.subject else (),
        speakers=(asked.speaker,) if asked.speaker else (),
        min_trust=asked.min_trust,
        since=asked.since,
        until=asked.until,
        as_of=asked.as_of,
    )


def _only(space: Space, asked: FactQuery) -> set[str] | None:
    chosen = []
    if asked.decision:
        chosen.append(set(memories.decisions(space.db)))
    if asked.disputed:
        chosen.append(conflicts.disputed(space.db))
    return set.intersection(*chosen) if chosen else None


@router.post(
    "/facts/preview",
    needs=Role.WRITER,
    reads=True,
    response=PreviewOut,
    errors=(413,),
    summary="Preview what would be learned",
)
def preview_facts(request: ApiRequest, body: PreviewIn) -> PreviewOut:
    """What the space's extractor finds in a text or in turns, what it passes over and why, and what each fact would
    become beside what is held. Stores nothing. Takes a writer: a language model may be asked, and that may cost."""
    space = the_space(request)
    reader = reader_for(space)
    found = remember.preview(space, _said(space, body), reader=reader, judges=judges_for(space, chat=True))
    cost = reduce(add, (one.extracted.cost for one in found), Cost())
    return PreviewOut(items=[_previewed(one) for one in found], extractor=reader.name, cost=_cost(cost))


def _said(space: Space, body: PreviewIn) -> list[Said]:
    if (body.text is None) is not bool(body.turns):
        raise BadInput("Send a `text`, or `turns`: one of the two.", field="/text")
    turns = body.turns or [body]
    names = list(dict.fromkeys(turn.speaker for turn in turns))
    return [
        Said(
            text=turn.text or "",
            speaker=turn.speaker,
            at=turn.at or space.clock(),
            others=tuple(name for name in names if name != turn.speaker),
        )
        for turn in turns
    ]


def _previewed(one: remember.Preview) -> PreviewOfTurn:
    return PreviewOfTurn(
        facts=[_candidate(would) for would in one.would],
        passed_over=[PassedOverOut(quote=o.quote, reason=o.reason) for o in one.extracted.passed_over],
        extractor=one.extracted.extractor,
        problem=one.extracted.problem,
        cost=_cost(one.extracted.cost),
    )


def _candidate(would: remember.Would) -> CandidateOut:
    found, verdict = would.candidate, would.verdict
    return CandidateOut(
        text=found.text,
        quote=found.quote,
        category=found.category,
        confidence=found.confidence,
        decision_point=found.decision_point,
        emotional_signal=found.emotional_signal,
        entities=list(found.entities),
        mood=found.mood,
        occurred_at=found.occurred_at,
        when=found.when,
        valid_from=found.valid_from,
        valid_to=found.valid_to,
        worth=found.worth,
        wording=found.wording,
        would=would.outcome.value,
        near=NearOut(id=would.near.id, text=would.near.text) if would.near else None,
        cosine=would.cosine,
        verdict=VerdictOut(
            relation=verdict.relation,
            detector=verdict.detector,
            reason=verdict.reason,
            confidence=verdict.confidence,
            outcome=verdict.outcome,
            attribute=verdict.attribute,
        )
        if verdict
        else None,
    )


def _cost(cost: Cost) -> CostOut:
    return CostOut(
        calls=cost.calls,
        tokens_in=cost.tokens_in,
        tokens_out=cost.tokens_out,
        money=cost.money,
        seconds=cost.seconds,
    )
