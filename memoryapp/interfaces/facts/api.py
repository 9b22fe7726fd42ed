"""What would be learned from some words, before anything is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from operator import add

from pydantic import ConfigDict, Field

from memoryapp import remember
from memoryapp.accounts.roles import Role
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.errors import BadInput
from memoryapp.domain.fact import Cost, SpokenTurn
from memoryapp.domain.memory import Category, Mood
from memoryapp.domain.statement import Relation
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import FullName, Moment, Response, Sparse
from memoryapp.interfaces.memories.schemas import OutcomeWord
from memoryapp.interfaces.sessions.schemas import TurnText
from memoryapp.jobs.reading import judges_for, reader_for
from memoryapp.spaces import Space


class SaidIn(Sparse):
    """One turn of a talk."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "I moved to Busan.", "speaker": "Minsu"}]}
    )

    text: TurnText
    speaker: FullName = "user"
    at: Moment | None = None


class PreviewIn(Sparse):
    """A text, or turns in order. Nothing of it is stored."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"text": "I moved to Busan last week. Nice weather!", "speaker": "Minsu"}]},
    )

    text: TurnText | None = None
    speaker: FullName = "user"
    at: Moment | None = Field(None, description="When it was said: “last week” is reckoned from it. By default now.")
    turns: list[SaidIn] = Field([], max_length=50)


class VerdictOut(Response):
    relation: Relation = Field(examples=["conflict"])
    detector: str = Field(examples=["slot"])
    reason: str = Field(examples=["Minsu lives in one place: first Seoul, now Busan."])
    confidence: float = Field(examples=[0.9])
    outcome: Outcome = Field(examples=["replace"])
    attribute: str | None = Field(examples=["minsu|lives in"])


class NearOut(Response):
    id: str = Field(examples=["9f2c1b7a40d3e685"])
    text: str = Field(examples=["Minsu lives in Seoul."])


class CandidateOut(Response):
    """A fact that would be learned. `would` it be written, reinforce what is held, or contradict it (`near`)?"""

    text: str = Field(examples=["Minsu moved to Busan."])
    quote: str = Field(examples=["I moved to Busan last week."])
    category: Category = Field(examples=["personal"])
    confidence: float = Field(examples=[0.9])
    decision_point: bool = Field(examples=[False])
    emotional_signal: bool = Field(examples=[False])
    entities: list[str] = Field(examples=[["Minsu", "Busan"]])
    mood: Mood | None = Field(examples=[None])
    occurred_at: datetime | None = Field(examples=["2026-11-09T00:00:00Z"])
    when: str = Field(examples=["last week → 2026-11-09 to 2026-11-15"])
    valid_from: datetime | None = Field(examples=[None])
    valid_to: datetime | None = Field(examples=[None])
    worth: float = Field(description="Points of the rules; 0 where a model judged.", examples=[3.5])
    wording: str = Field(
        description="Whose words the text is in, where a model was asked for its own, or why these were not taken.",
        examples=[""],
    )
    would: OutcomeWord = Field(examples=["conflict"])
    near: NearOut | None
    cosine: float | None = Field(examples=[0.81])
    verdict: VerdictOut | None


class PassedOverOut(Response):
    quote: str = Field(examples=["Nice weather!"])
    reason: str = Field(examples=["It says nothing that lasts."])


class CostOut(Response):
    """What a language model took; zeros where the rules did it."""

    calls: int = Field(examples=[0])
    tokens_in: int = Field(examples=[0])
    tokens_out: int = Field(examples=[0])
    money: float = Field(examples=[0.0])
    seconds: float = Field(examples=[0.0])


class PreviewOfTurn(Response):
    """`problem`: why the rules stood in for the model."""

    facts: list[CandidateOut]
    passed_over: list[PassedOverOut]
    extractor: str = Field(examples=["rules"])
    problem: str = Field(examples=[""])
    cost: CostOut


class PreviewOut(Response):
    """One item a turn, in the order given. Nothing was stored."""

    items: list[PreviewOfTurn]
    extractor: str = Field(description="Which one the space uses now.", examples=["rules"])
    cost: CostOut


router = Routes("Facts")


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
    found = remember.preview(space, _read_turns(space, body), reader=reader, judges=judges_for(space, chat=True))
    cost = reduce(add, (one.extracted.cost for one in found), Cost())
    return PreviewOut(items=[_show_preview(one) for one in found], extractor=reader.name, cost=_cost(cost))


def _read_turns(space: Space, body: PreviewIn) -> list[SpokenTurn]:
    if (body.text is None) is not bool(body.turns):
        raise BadInput("Send a `text`, or `turns`: one of the two.", field="/text")
    turns: Sequence[SaidIn | PreviewIn] = body.turns or [body]
    names = list(dict.fromkeys(turn.speaker for turn in turns))
    return [
        SpokenTurn(
            text=turn.text or "",
            speaker=turn.speaker,
            at=turn.at or space.clock(),
            others=tuple(name for name in names if name != turn.speaker),
        )
        for turn in turns
    ]


def _show_preview(one: remember.Preview) -> PreviewOfTurn:
    return PreviewOfTurn(
        facts=[_candidate(would) for would in one.would],
        passed_over=[PassedOverOut(quote=o.quote, reason=o.reason) for o in one.extracted.passed_over],
        extractor=one.extracted.extractor,
        problem=one.extracted.problem,
        cost=_cost(one.extracted.cost),
    )


def _candidate(would: remember.Would) -> CandidateOut:
    found, verdict = would.candidate, would.verdict
    return CandidateOut.of(
        found,
        would=would.outcome.value,
        near=NearOut(id=would.near.id, text=would.near.text) if would.near else None,
        cosine=would.cosine,
        verdict=VerdictOut.of(verdict) if verdict else None,
    )


def _cost(cost: Cost) -> CostOut:
    return CostOut.of(cost)
