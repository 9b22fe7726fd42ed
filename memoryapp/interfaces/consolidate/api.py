"""Consolidation: what old daily logs would become, the job that writes it, and what was written before."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import ConfigDict, Field

from memoryapp import consolidate
from memoryapp.accounts.roles import Role
from memoryapp.consolidate import Choice, Digest, Past, Preview, Ranker
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, read_moment, write_cursor
from memoryapp.interfaces.api.reply import Reply, job_reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Cursor, Id, Limit, Page, Response, Sparse
from memoryapp.interfaces.jobs.schemas import JobStarted
from memoryapp.jobs.requests import submit_consolidate

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


class SentenceOut(Response):
    """`why`: what its score is made of, in the sentence's language. `left`: why it is not taken."""

    id: Id
    section: Id
    text: str = Field(examples=["Decided: embedding moves to one rented H100."])
    score: float = Field(description="0 to 1.", examples=[0.845])
    why: list[str] = Field(examples=[["marker “decided”", "7 words", "1 name", "done item"]])
    taken: bool = Field(examples=[True])
    left: str = Field(examples=[""])
    by_hand: bool = Field(examples=[False])


class OriginalOut(Response):
    id: Id
    title: str = Field(examples=["Standup"])
    at: datetime = Field(examples=["2026-11-11T00:00:00Z"])
    path: str | None = Field(examples=["daily/2026-11-11.md"])
    bytes: int = Field(examples=[412])
    edited: bool = Field(description="A person's words stand over those of its file.", examples=[False])
    version: int = Field(examples=[1])


class TopicOut(Response):
    """`by`: entity, likeness (of the words), digest (one that stands is written anew)."""

    name: str = Field(examples=["H100"])
    by: Literal["entity", "likeness", "digest"] = Field(examples=["entity"])
    entity: Id | None = Field(examples=["1b7a40d3e6859f2c"])


class EntityNamed(Response):
    id: Id
    name: str = Field(examples=["H100"])


class DigestOut(Response):
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


class StayingOut(Response):
    id: Id
    title: str = Field(examples=["Lunch"])
    at: datetime | None = Field(examples=["2026-11-12T00:00:00Z"])
    why: str = Field(examples=["it shares no name with another, and resembles none"])


class ConsolidationPreviewOut(Response):
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


class ConsolidationOut(Response):
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


router = Routes("Consolidation")


@router.post(
    "/consolidate",
    needs=Role.CURATOR,
    response={200: ConsolidationPreviewOut, 202: JobStarted},
    summary="Fold old daily logs into digests",
)
def consolidate_logs(request: ApiRequest, body: ConsolidateIn = ConsolidateIn()) -> Reply:
    """Says what would be folded: each digest with the sentences it takes and those it leaves, and the originals that it
    archives. With `dry_run` false a job writes it; a run can be undone as a whole."""
    choices = choices_of(body)
    if body.dry_run:
        ranker = Ranker(body.ranker) if body.ranker else None
        found = consolidate.preview(
            the_space(request), ranker=ranker, older_than_days=body.older_than_days, choices=choices or ()
        )
        return Reply(show_preview(found, only=body.digests), 200)
    job = submit_consolidate(
        request.auth.space.name,
        actor=request.auth.actor,
        ranker=body.ranker or "",
        older_than_days=body.older_than_days,
        choices=choices,
    )
    return job_reply(job)


@router.get("/consolidate/runs", needs=Role.READER, response=ConsolidationPage, summary="List consolidations")
def list_consolidations(request: ApiRequest, limit: Limit = 50, cursor: Cursor = "") -> ConsolidationPage:
    """What was folded, the last first. POST /runs/{id}/undo takes one back."""
    place = read_cursor(cursor, str, str)
    before = (read_moment(place[0]), place[1]) if place else None
    found = consolidate.runs(the_space(request), before=before, limit=limit + 1)
    last = found[limit - 1].run if len(found) > limit else None
    more = write_cursor(last.started_at.isoformat(), last.id) if last else None
    return ConsolidationPage(items=[show_past(one) for one in found[:limit]], next_cursor=more)


def choices_of(body: ConsolidateIn) -> list[Choice] | None:
    """What was chosen; None where nothing was, and all that is due is meant. Raises BadInput for sentences or prints of
    a digest that is not among those named."""
    named = body.digests if body.digests is not None else list(dict.fromkeys([*body.prints, *body.sentences]))
    for field, told in (("prints", body.prints), ("sentences", body.sentences)):
        if strange := [key for key in told if key not in named]:
            raise BadInput(f"Digest {strange[0]} is not among “digests”.", field=f"/{field}/{strange[0]}")
    if body.digests is None and not named:
        return None
    picked = {key: tuple(ids) for key, ids in body.sentences.items()}
    return [Choice(key, body.prints.get(key, ""), picked.get(key)) for key in dict.fromkeys(named)]


def show_preview(found: Preview, *, only: list[str] | None = None) -> ConsolidationPreviewOut:
    return ConsolidationPreviewOut.of(
        found,
        dry_run=True,
        ranker=found.ranker.value,
        digests=[show_digest(one) for one in found.digests if only is None or one.id in only],
        staying=[StayingOut.of(one) for one in found.staying],
    )


def show_digest(one: Digest) -> DigestOut:
    return DigestOut(
        id=one.id,
        print=one.print,
        title=one.title,
        text=one.text,
        topic=TopicOut.of(one.topic),
        sentences=[SentenceOut.of(said) for said in one.sentences],
        originals=[OriginalOut.of(original) for original in one.originals],
        tags=list(one.tags),
        entities=[EntityNamed(id=key, name=name) for key, name in one.entities],
        began=one.began,
        ended=one.ended,
        links=one.links,
        confidence=one.confidence,
        bytes_before=one.bytes_before,
        bytes_after=one.bytes_after,
        rolled_back=one.rolled_back,
        rewrites=one.rewrites,
    )


def show_past(one: Past) -> ConsolidationOut:
    return ConsolidationOut.of(
        one,
        run=one.run.id,
        by=one.run.actor.name,
        started_at=one.run.started_at,
        ended_at=one.run.ended_at,
        reason=one.run.reason,
        taken=one.sentences_taken,
    )
