"""What is sent about a memory: one to write, a change, an act, a word of feedback."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from memoryapp.domain.atom import ATOMS_CHARS
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Category, MemoryType, Mood
from memoryapp.interfaces.api.schemas import Body, FullName, Id, Moment, Name, Response, Sparse, unsent, words
from memoryapp.interfaces.memories.schemas import A_MEMORY, MemoryOut, OutcomeWord

Label = Annotated[str, words(LIMITS.tag_chars, least=1)]


def _distinct_tags(tags: list[str]) -> list[str]:
    return list(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))


Tags = Annotated[
    list[Label], AfterValidator(_distinct_tags), Field(max_length=LIMITS.tags, examples=[["db", "decision"]])
]
Names = Annotated[list[Label], AfterValidator(_distinct_tags), Field(max_length=LIMITS.tags, examples=[["Redis"]])]
Text = Annotated[str, words(LIMITS.text_chars, least=1)]
Penman = Annotated[
    str,
    words(ATOMS_CHARS, least=1),
    Field(
        description="One atom or more in PENMAN notation: each becomes a memory of kind atom, and whoever takes part "
        "in it an entity that it refers to in that role. What cannot be read is told with its line and column.",
        examples=["(prefers :subject Alice :object Python :memory_type semantic)"],
    ),
]
Share = Annotated[float, Field(ge=0, le=1)]


class NewMemoryIn(Sparse):
    """One memory to write. `kind` is note, fact or atom; a fact has a category. `ref` is your own id, unique in a
    space: writing it again with other words updates the memory. Memories of one `session` are each other's neighbours,
    in order of `occurred_at`, then of arrival.

    `atoms` instead of `text`: each atom is a memory, read aloud in one sentence. Beside it, `text` is the sentence of
    the one atom. `kind: "atom"` with a `text` alone reads that as PENMAN."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "text": "We moved the queue to Redis because RabbitMQ lost messages on restart.",
                    "ref": "D1:3",
                    "occurred_at": "2026-11-20T09:30:00Z",
                    "session": "standup-42",
                    "speaker": "Alice",
                    "tags": ["queue", "decision"],
                },
                {"atoms": "(prefers :subject Alice :object Python :memory_type semantic)", "speaker": "Alice"},
            ]
        },
    )

    atoms: Penman | None = None
    text: Text | None = Field(None, validate_default=True)
    title: Name = ""
    kind: Literal["note", "fact", "atom"] = "note"
    ref: FullName | None = None
    occurred_at: Moment | None = None
    session: FullName | None = None
    speaker: FullName | None = None
    tags: Tags = []
    category: Category | None = None
    confidence: Share | None = Field(None, description="Stated .9 (default), implied .7, inferred .5 (a fact's least).")
    memory_type: MemoryType | None = None
    mood: Mood | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    expires_at: Moment | None = Field(None, description="From then on it is not recalled, and it is archived.")
    review_at: Moment | None = Field(None, description="When to ask whether it still holds.")
    decision_point: bool = Field(False, description="Something was decided.")
    emotional_signal: bool = Field(False, description="It moved whoever said it.")
    entities: Names = Field([], description="Names of what it is about; they are linked to it.")

    @field_validator("text", mode="after")
    @classmethod
    def _words_or_atoms(cls, text: str | None, said: ValidationInfo) -> str | None:
        # Where `atoms` are at fault themselves, that is what is told.
        if text is None and "atoms" in said.data and said.data["atoms"] is None:
            raise PydanticCustomError("missing", "Field required")
        return text


class BatchIn(Body):
    """Up to 1,000 memories, written in the order given."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "items": [
                        {
                            "text": "I went to the LGBTQ support group yesterday.",
                            "ref": "D1:3",
                            "session": "session_1",
                            "speaker": "Caroline",
                            "occurred_at": "2023-05-08T13:56:00Z",
                        },
                        {"text": "How was it?", "ref": "D1:4", "session": "session_1", "speaker": "Melanie"},
                    ]
                }
            ]
        },
    )

    items: list[NewMemoryIn] = Field(min_length=1, max_length=LIMITS.batch_items)


class EditIn(Body):
    """The fields to change; the others stay. A null takes an optional one away."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"text": "We moved the queue to Redis in May.", "reason": "The month was missing."}]
        },
    )

    text: Text = unsent()
    title: Name = unsent()
    category: Category | None = None
    tags: Tags = unsent()
    confidence: Share = unsent()
    speaker: Name | None = None
    memory_type: MemoryType | None = None
    mood: Mood | None = None
    occurred_at: Moment | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    expires_at: Moment | None = Field(None, description="From then on it is not recalled, and it is archived.")
    review_at: Moment | None = Field(None, description="When to ask whether it still holds.")
    reason: Name = ""


class ReasonIn(Body):
    """Why, for the history; and whether only to say what would happen."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"reason": "No longer so."}]})

    reason: Name = ""
    dry_run: bool = False


class RestoreIn(Body):
    """Without a revision the memory is held again; with one its fields are as that revision left them."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"revision": "c0ffee0123456789"}]})

    revision: Id | None = None
    reason: Name = ""


class PinIn(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"pinned": True}]})

    pinned: bool = True


class FeedbackIn(Body):
    """Whether a memory that was given for a query was of use."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"used": True, "query": "why did we leave RabbitMQ?"}]}
    )

    used: bool
    query: Name = ""


class BulkIn(Body):
    """One act on many memories; `tags` go with add_tags and remove_tags. All are done or, where one cannot be, none."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"act": "archive", "ids": ["9f2c1b7a40d3e685"], "reason": "Old stand-ups.", "dry_run": True}]
        },
    )

    act: Literal["archive", "delete", "restore", "tag"]
    ids: list[Id] = Field(min_length=1, max_length=LIMITS.batch_items)
    add_tags: Tags = []
    remove_tags: Tags = []
    reason: Name = ""
    dry_run: bool = False


class MoreOutcome(Response):
    """What became of one of several atoms that came together."""

    id: Id
    ref: str | None = Field(examples=["D1:3"])
    outcome: OutcomeWord
    conflict: str | None = Field(examples=[None])
    near: str | None = Field(examples=[None])


class BatchOutcome(MoreOutcome):
    """`conflict` is the conflict that waits for a decision, `near` the memory that is said again or contradicted.
    `more`: of an item with several atoms, all but the first."""

    more: list[MoreOutcome] = Field([], examples=[[]])


class BatchOut(Response):
    """One outcome an item, in the order given."""

    items: list[BatchOutcome]


class WrittenOut(MemoryOut):
    """The memory as it now stands, and what became of the words sent. `conflict`: they contradict what is held; both
    sides stay until it is decided. `near`: the memory that they say again, or contradict. `more`: of several atoms,
    what became of all but the first, which is the one shown."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [A_MEMORY | {"outcome": "written", "conflict": None, "near": None, "more": []}]}
    )

    outcome: OutcomeWord
    conflict: str | None
    near: str | None
    more: list[MoreOutcome]
