"""Search: the question, its filters, and hits that carry the whole reason for their place."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from memoryapp.domain.filters import AsOfBy
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, Mood, State
from memoryapp.domain.node import Node
from memoryapp.domain.plan import MOST_CHARS
from memoryapp.domain.results import Answer, Hit
from memoryapp.domain.sentences import Span
from memoryapp.domain.strategies import DEFAULT, Fusion
from memoryapp.interfaces.api.schemas import ByTime, Cursor, Id, Limit, Moment, Name, Response, Sparse, words
from memoryapp.interfaces.memories.schemas import Source, show_origin
from memoryapp.interfaces.memories.writing_schemas import Label

Several: Any = Field(default=[], max_length=100)
TopK = Annotated[int, Field(ge=1, le=LIMITS.top_k)]
Question = Annotated[str, words(LIMITS.query_chars, least=1)]
PlanText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MOST_CHARS,
        description="A strategy (GET /strategies) or a profile (GET /profiles), by its name; changes may follow, each "
        "after a semicolon: `hybrid;vector=1.4;factors=trust+feedback`.",
        examples=["hybrid"],
    ),
]


class FiltersIn(Sparse):
    """Every field narrows. `tags` must all be there; the others match any. `sources` match the start of a path, or a
    document's or session's name. `until` is exclusive."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"kinds": ["note", "fact"], "tags": ["decision"]}]}
    )

    kinds: list[Kind] = Several
    states: list[State] = Field(default=[State.HELD], min_length=1, max_length=4)
    tags: list[Label] = Several
    categories: list[Category] = Several
    memory_types: list[MemoryType] = Several
    moods: list[Mood] = Several
    sources: list[Name] = Several
    speakers: list[Name] = Several
    entities: list[Name] = Several
    min_trust: float | None = Field(None, ge=0, le=2)
    min_strength: float | None = Field(None, ge=0, le=100)
    since: Moment | None = None
    until: Moment | None = None
    review_before: Moment | None = Field(None, description="Whose `review_at` lies before this: now, for what is due.")


class SearchIn(Sparse):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"query": "why did we leave RabbitMQ?", "strategy": "hybrid", "top_k": 5}]},
    )

    query: Question
    strategy: PlanText = Field(DEFAULT)
    top_k: TopK = 10
    filters: FiltersIn = FiltersIn()
    as_of: Moment | None = Field(None, description="Answer with what was held at this instant.")
    as_of_by: ByTime = AsOfBy.RECORDED
    floor: float | None = Field(
        None, ge=0, le=1, description="Relevance that the best hit must reach; null for the space's `relevance_floor`."
    )
    read: bool = Field(
        True,
        description="Read the first hits: mark the sentence that answers (`answer`) and what is probably outdated "
        "(`outdated_by`). Where none of it was read before that takes some three times as long as finding them; false "
        "leaves it out.",
    )
    trace: bool = False


class ArmOut(Response):
    """`rank` is null where the arm did not return it; `share` is its part of the sum."""

    rank: int | None = Field(examples=[1])
    score: float = Field(examples=[0.71])
    share: float = Field(examples=[0.57])


A_HIT: dict[str, Any] = {
    "id": "9f2c1b7a40d3e685",
    "ref": "D1:3",
    "kind": "note",
    "state": "held",
    "title": "",
    "text": "We moved the queue to Redis because RabbitMQ lost messages on restart.",
    "breadcrumb": [],
    "category": None,
    "tags": ["queue", "decision"],
    "speaker": "Alice",
    "decision_point": True,
    "occurred_at": "2026-11-20T09:30:00Z",
    "valid_from": None,
    "valid_to": None,
    "score": 1.5,
    "relevance": 0.62,
    "trust": 0.893,
    "strength": 0.81,
    "arms": {
        "keyword": {"rank": 1, "score": 1.0, "share": 1.0},
        "vector": {"rank": 1, "score": 0.62, "share": 0.5},
    },
    "factors": {"feedback": 1.0},
    "evidence": {"terms": [{"term": "rabbitmq", "idf": 4.1, "fields": ["own"]}], "cosine": 0.62},
    "source": {
        "document": None,
        "path": None,
        "first_line": None,
        "last_line": None,
        "session": "standup-42",
        "turn": None,
    },
    "conflicts": [],
    "outdated_by": None,
    "inherited_from": None,
    "version": 1,
    "node": None,
    "turn": None,
    "facts": [],
    "answers": None,
    "reply": None,
    "answer": {"text": "We moved the queue to Redis because RabbitMQ lost messages on restart.", "start": 0, "end": 70},
}


class NodeBrief(Response):
    """Where a node of the Context Tree stands; `size` in bytes of its markdown."""

    path: str = Field(examples=["identity/values"])
    size: int = Field(examples=[3200])
    keywords: list[str] = Field(examples=[["가치관", "values"]])


class TurnBrief(Response):
    """What somebody said, word for word."""

    id: Id
    text: str = Field(examples=["We moved the queue to Redis, RabbitMQ lost messages again."])
    speaker: str | None = Field(examples=["Alice"])
    said_at: datetime | None = Field(examples=["2026-11-20T09:30:00Z"])
    session: str | None = Field(examples=["standup-42"])


class MarkedSentence(Response):
    """A stretch of the hit's `text`, from `start` to before `end`, in characters."""

    text: str = Field(examples=["We moved the queue to Redis because RabbitMQ lost messages on restart."])
    start: int = Field(examples=[0])
    end: int = Field(examples=[70])


class FactBrief(Response):
    id: Id
    text: str = Field(examples=["The team moved the queue to Redis."])
    state: State = Field(description="superseded: something else has taken its place, so what the turn says is old.")


class HitOut(Response):
    """score = (sum of the arms' shares) × (product of the factors), exactly. A fact and the turn it was learned from
    are one hit: whichever matches better, with the other in `turn` or `facts`."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_HIT]})

    id: Id
    ref: str | None
    kind: Kind
    state: State
    title: str
    text: str
    breadcrumb: list[str]
    category: Category | None
    tags: list[str]
    speaker: str | None
    decision_point: bool
    occurred_at: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    score: float
    relevance: float = Field(description="How likely it is to answer, 0 to 1; comparable between questions.")
    trust: float
    strength: float
    arms: dict[str, ArmOut]
    factors: dict[str, float]
    evidence: dict[str, Any]
    source: Source
    conflicts: list[str]
    outdated_by: str | None = Field(
        None, description="Of a hit that was read: the id of a later hit that says otherwise. Nobody has decided it."
    )
    inherited_from: str | None = Field(description="The parent space it comes from, where it is not this one's own.")
    version: int
    node: NodeBrief | None = Field(None, description="Of a node of the Context Tree.")
    turn: TurnBrief | None = Field(None, description="Of a fact: the turn it was learned from, where that matches too.")
    answers: TurnBrief | None = Field(None, description="Of a turn that says little by itself: the one before it.")
    reply: TurnBrief | None = Field(
        None, description="Of a turn that ends in a question: the next one by another speaker, a hit itself or not."
    )
    answer: MarkedSentence | None = Field(None, description="The sentence that answers, of a hit that was read.")
    facts: list[FactBrief] = Field([], description="Of a turn: facts learned from it that match too, or were replaced.")


class ArmReportOut(Response):
    count: int = Field(examples=[20])
    ms: float = Field(examples=[0.8])


class AnswerOut(Response):
    """`notes` are plain sentences for the reader, such as that the model is still loading."""

    items: list[HitOut]
    strategy: str = Field(examples=["hybrid"])
    took_ms: float = Field(examples=[3.2])
    arms: dict[str, ArmReportOut] = Field(examples=[{"keyword": {"count": 20, "ms": 0.4}}])
    query: str = Field(examples=["why did we leave RabbitMQ?"])
    cached: bool = Field(examples=[False])
    notes: list[str] = Field(examples=[[]])
    asked_at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    index_version: int = Field(examples=[1042])
    trace: dict[str, Any] = Field(examples=[{}])


class StrategyOut(Response):
    """A strategy, or a profile of the space. Weights and `k` are those it is run with here; `numbers` are the space's
    that it has its own of."""

    name: str = Field(examples=["hybrid"])
    summary: str = Field(examples=["Keyword in three contexts, vector, speaker, dates"])
    arms: list[str] = Field(examples=[["vector", "keyword", "graph"]])
    fusion: Fusion
    weights: dict[str, float] = Field(examples=[{"keyword": 1.0, "vector": 0.8}])
    k: int = Field(examples=[60])
    factors: list[str] = Field(examples=[["feedback"]])
    default: bool = Field(examples=[True])
    profile: bool = Field(description="Made in this space: GET /profiles.", examples=[False])
    plan: str = Field(description="What the name stands for.", examples=["hybrid"])
    numbers: dict[str, float] = Field(examples=[{}])


class StrategiesOut(Response):
    items: list[StrategyOut]


class MemoryQuery(FiltersIn):
    """The filters of a list, its order and page. A name is repeated for several values: kinds=note&kinds=fact."""

    as_of: Moment | None = None
    as_of_by: ByTime = AsOfBy.RECORDED
    contains: Name = Field("", description="Words that must all occur.", examples=["redis"])
    decision: bool = Field(False, description="Only what tells of a decision.")
    disputed: bool = Field(False, description="Only what stands in a waiting conflict.")
    inherited_from: Name = Field(
        "", description="What this parent space holds, in place of the space's own.", examples=[""]
    )
    sort: Literal["learned", "confirmed", "trust", "strength"] = Field("learned", description="The greatest first.")
    limit: Limit = 50
    cursor: Cursor = ""


def show_hit(hit: Hit) -> HitOut:
    memory = hit.memory
    return HitOut.of(
        memory,
        score=hit.score,
        relevance=round(hit.relevance, 4),
        trust=hit.trust,
        strength=hit.strength,
        arms={str(name): ArmOut.of(arm) for name, arm in hit.arms.items()},
        factors={str(name): value for name, value in hit.factors.items()},
        evidence=hit.evidence,
        source=show_origin(memory),
        conflicts=list(hit.conflicts),
        outdated_by=hit.outdated_by,
        inherited_from=hit.inherited_from,
        node=_node(memory),
        turn=_turn_brief(hit.turn) if hit.turn else None,
        answers=_turn_brief(hit.answers) if hit.answers else None,
        reply=_turn_brief(hit.reply) if hit.reply else None,
        answer=_sentence(memory.text, hit.answer) if hit.answer else None,
        facts=[FactBrief.of(fact) for fact in hit.facts],
    )


def _sentence(text: str, span: Span) -> MarkedSentence:
    return MarkedSentence(text=text[span.start : span.end], start=span.start, end=span.end)


def _turn_brief(turn: Memory) -> TurnBrief:
    return TurnBrief.of(turn, said_at=turn.occurred_at, session=turn.origin.session)


def _node(memory: Memory) -> NodeBrief | None:
    if memory.kind is not Kind.NODE:
        return None
    node = Node(memory)
    return NodeBrief.of(node)


def show_answer(answer: Answer) -> AnswerOut:
    return AnswerOut.of(
        answer,
        items=[show_hit(hit) for hit in answer.hits],
        strategy=answer.query.strategy,
        arms={str(name): ArmReportOut(count=arm.count, ms=arm.ms) for name, arm in answer.arms.items()},
        query=answer.query.text,
        index_version=answer.version,
    )
