"""Facts before they are remembered: what an extractor would learn from a text, and what each would become."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Cursor, FullName, Limit, Moment, Name, Shown, Sparse
from memoryapp.api.schemas.memory import OutcomeWord
from memoryapp.api.schemas.session import Said
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.memory import Category, Mood, State
from memoryapp.domain.statement import Relation


class SaidIn(Sparse):
    """One turn of a talk."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "I moved to Busan.", "speaker": "Minsu"}]}
    )

    text: Said
    speaker: FullName = "user"
    at: Moment | None = None


class PreviewIn(Sparse):
    """A text, or turns in order. Nothing of it is stored."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"text": "I moved to Busan last week. Nice weather!", "speaker": "Minsu"}]},
    )

    text: Said | None = None
    speaker: FullName = "user"
    at: Moment | None = Field(None, description="When it was said: “last week” is reckoned from it. By default now.")
    turns: list[SaidIn] = Field([], max_length=50)


class VerdictOut(Shown):
    relation: Relation = Field(examples=["conflict"])
    detector: str = Field(examples=["slot"])
    reason: str = Field(examples=["Minsu lives in one place: first Seoul, now Busan."])
    confidence: float = Field(examples=[0.9])
    outcome: Outcome = Field(examples=["replace"])
    attribute: str | None = Field(examples=["minsu|lives in"])


class NearOut(Shown):
    id: str = Field(examples=["9f2c1b7a40d3e685"])
    text: str = Field(examples=["Minsu lives in Seoul."])


class CandidateOut(Shown):
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


class PassedOverOut(Shown):
    quote: str = Field(examples=["Nice weather!"])
    reason: str = Field(examples=["It says nothing that lasts."])


class CostOut(Shown):
    """What a language model took; zeros where the rules did it."""

    calls: int = Field(examples=[0])
    tokens_in: int = Field(examples=[0])
    tokens_out: int = Field(examples=[0])
    money: float = Field(examples=[0.0])
    seconds: float = Field(examples=[0.0])


class PreviewOfTurn(Shown):
    """`problem`: why the rules stood in for the model."""

    facts: list[CandidateOut]
    passed_over: list[PassedOverOut]
    extractor: str = Field(examples=["rules"])
    problem: str = Field(examples=[""])
    cost: CostOut


class PreviewOut(Shown):
    """One item a turn, in the order given. Nothing was stored."""

    items: list[PreviewOfTurn]
    extractor: str = Field(description="Which one the space uses now.", examples=["rules"])
    cost: CostOut


class FactQuery(Sparse):
    """Which facts, in which order. `subject`: a name they are about. A name is repeated for several values."""

    category: list[Category] = Field(default=[], max_length=5)
    state: list[State] = Field(default=[State.HELD], min_length=1, max_length=4)
    subject: Name = Field("", examples=[""])
    speaker: Name = Field("", examples=[""])
    min_trust: float | None = Field(None, ge=0, le=2)
    decision: bool = Field(False, description="Only those that tell of a decision.")
    disputed: bool = Field(False, description="Only those that stand in a waiting conflict.")
    contains: Name = Field("", description="Words that must all occur.", examples=["redis"])
    since: Moment | None = None
    until: Moment | None = None
    as_of: Moment | None = None
    inherited_from: Name = Field(
        "", description="What this parent space holds, in place of the space's own.", examples=[""]
    )
    sort: Literal["learned", "confirmed", "trust", "strength"] = Field("learned", description="The greatest first.")
    limit: Limit = 50
    cursor: Cursor = ""
