"""Consolidation as it is asked for and shown: digests with the sentences they take, and the runs that wrote them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict, Field

from memoryapp.api.schemas.base import Id, Page, Shown, Sparse

RankerName = Literal["marks", "central"]


class ConsolidateIn(Sparse):
    """Nothing is written unless `dry_run` is false. `digests`: only these, by id; left out, all but those rolled back
    once. `prints`: by digest, the `print` of the preview that was approved: what changed since is left out.
    `sentences`: by digest, the ids of all sentences that it shall take."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"dry_run": True},
                {
                    "dry_run": False,
                    "digests": ["9f2c1b7a40d3e685"],
                    "prints": {"9f2c1b7a40d3e685": "41d0a7c2b5e86f39"},
                    "sentences": {"9f2c1b7a40d3e685": ["0c3de1f25b7a8694"]},
                },
            ]
        },
    )

    dry_run: bool = True
    ranker: RankerName | None = Field(None, description="Left out: the space's own.")
    older_than_days: int | None = Field(None, ge=0, le=36_500, description="Left out: the space's own.")
    digests: list[Id] | None = Field(None, max_length=2_000)
    prints: dict[Id, str] = Field(default_factory=dict, max_length=2_000)
    sentences: dict[Id, list[Id]] = Field(default_factory=dict, max_length=2_000)


class SentenceOut(Shown):
    """`why`: what its score is made of, in the sentence's language. `left`: why it is not taken."""

    id: Id
    section: Id
    text: str = Field(examples=["Decided: embedding moves to one rented H100."])
    score: float = Field(description="0 to 1.", examples=[0.845])
    why: list[str] = Field(examples=[["marker “decided”", "7 words", "1 name", "done item"]])
    taken: bool = Field(examples=[True])
    left: str = Field(examples=[""])
    by_hand: bool = Field(examples=[False])


class OriginalOut(Shown):
    id: Id
    title: str = Field(examples=["Standup"])
    at: datetime = Field(examples=["2026-11-11T00:00:00Z"])
    path: str | None = Field(examples=["daily/2026-11-11.md"])
    bytes: int = Field(examples=[412])
    edited: bool = Field(description="A person's words stand over those of its file.", examples=[False])
    version: int = Field(examples=[1])


class TopicOut(Shown):
    """`by`: entity, likeness (of the words), digest (one that stands is written anew)."""

    name: str = Field(examples=["H100"])
    by: Literal["entity", "likeness", "digest"] = Field(examples=["entity"])
    entity: Id | None = Field(examples=["1b7a40d3e6859f2c"])


class EntityNamed(Shown):
    id: Id
    name: str = Field(examples=["H100"])


class DigestOut(Shown):
    """A digest as it would be written. `rolled_back`: it was written once and taken back, and is written again only
    when it is named in `digests`. `rewrites`: it stands, and would be written anew in its place."""

    id: Id
    print: str = Field(description="Changes with anything it is made of.", examples=["41d0a7c2b5e86f39"])
    title: str = Field(examples=["H100, 11 to 17 November"])
    text: str = Field(examples=["11 November\n- Decided: embedding moves to one rented H100."])
    topic: TopicOut
    sentences: list[SentenceOut]
    originals: list[OriginalOut]
    tags: list[str] = Field(examples=[["gpu", "cost"]])
    entities: list[EntityNamed]
    began: datetime = Field(examples=["2026-11-11T00:00:00Z"])
    ended: datetime = Field(examples=["2026-11-17T00:00:00Z"])
    links: int = Field(description="References carried over.", examples=[12])
    confidence: float = Field(examples=[0.9])
    bytes_before: int = Field(examples=[3_210])
    bytes_after: int = Field(examples=[640])
    rolled_back: bool = Field(examples=[False])
    rewrites: bool = Field(examples=[False])


class StayingOut(Shown):
    id: Id
    title: str = Field(examples=["Lunch"])
    at: datetime | None = Field(examples=["2026-11-12T00:00:00Z"])
    why: str = Field(examples=["it shares no name with another, and resembles none"])


class ConsolidationPreviewOut(Shown):
    """What a consolidation would do. The sums leave out digests that were rolled back."""

    dry_run: bool = Field(examples=[True])
    ranker: RankerName = Field(examples=["marks"])
    older_than_days: int = Field(examples=[3])
    at: datetime = Field(examples=["2026-11-21T09:30:00Z"])
    digests: list[DigestOut]
    staying: list[StayingOut]
    archives: int = Field(description="Originals that would be archived.", examples=[9])
    taken: int = Field(examples=[10])
    sentences: int = Field(examples=[61])
    links: int = Field(examples=[12])
    bytes_before: int = Field(examples=[3_210])
    bytes_after: int = Field(examples=[640])


class ConsolidationOut(Shown):
    """A consolidation that was done. `rolled_back_by`: the run that took it back."""

    run: Id
    by: str = Field(examples=["mina"])
    started_at: datetime = Field(examples=["2026-11-21T03:00:00Z"])
    ended_at: datetime | None = Field(examples=["2026-11-21T03:00:01Z"])
    reason: str = Field(examples=["logs older than 3 days"])
    ranker: str = Field(examples=["marks"])
    digests: int = Field(examples=[6])
    archived: int = Field(examples=[42])
    taken: int = Field(examples=[51])
    sentences: int = Field(examples=[388])
    links: int = Field(examples=[117])
    bytes_before: int = Field(examples=[38_200])
    bytes_after: int = Field(examples=[9_100])
    rolled_back_by: Id | None = Field(examples=[None])


class ConsolidationPage(Page[ConsolidationOut]):
    pass
