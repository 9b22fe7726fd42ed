"""Consolidation: what old daily logs would become, the job that writes it, and what was written before."""

from __future__ import annotations

from memoryapp import consolidate
from memoryapp.accounts.roles import Role
from memoryapp.api.begun import begun
from memoryapp.api.caller import ApiRequest
from memoryapp.api.cursor import read_cursor, read_moment, write_cursor
from memoryapp.api.opened import the_space
from memoryapp.api.reply import Reply
from memoryapp.api.route import Routes
from memoryapp.api.schemas.base import Cursor, Limit
from memoryapp.api.schemas.consolidate import (
    ConsolidateIn,
    ConsolidationOut,
    ConsolidationPage,
    ConsolidationPreviewOut,
    DigestOut,
    EntityNamed,
    OriginalOut,
    SentenceOut,
    StayingOut,
    TopicOut,
)
from memoryapp.api.schemas.work import JobStarted
from memoryapp.consolidate import Choice, Digest, Past, Preview, Ranker
from memoryapp.domain.errors import BadInput
from memoryapp.jobs.consolidating import submit_consolidate

router = Routes("Consolidation")


@router.post(
    "/consolidate",
    needs=Role.CURATOR,
    response={200: ConsolidationPreviewOut, 202: JobStarted},
    summary="Fold old daily logs into digests",
)
def consolidate_logs(request: ApiRequest, body: ConsolidateIn = ConsolidateIn()) -> Reply:  # noqa: B008
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
    return begun(job)


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
    return ConsolidationPreviewOut(
        dry_run=True,
        ranker=found.ranker.value,
        older_than_days=found.older_than_days,
        at=found.at,
        digests=[show_digest(one) for one in found.digests if only is None or one.id in only],
        staying=[StayingOut(id=one.id, title=one.title, at=one.at, why=one.why) for one in found.staying],
        archives=found.archives,
        taken=found.taken,
        sentences=found.sentences,
        links=found.links,
        bytes_before=found.bytes_before,
        bytes_after=found.bytes_after,
    )


def show_digest(one: Digest) -> DigestOut:
    return DigestOut(
        id=one.id,
        print=one.print,
        title=one.title,
        text=one.text,
        topic=TopicOut(name=one.topic.name, by=one.topic.by, entity=one.topic.entity),  # type: ignore[arg-type]
        sentences=[
            SentenceOut(
                id=said.id,
                section=said.section,
                text=said.text,
                score=said.score,
                why=list(said.why),
                taken=said.taken,
                left=said.left,
                by_hand=said.by_hand,
            )
            for said in one.sentences
        ],
        originals=[
            OriginalOut(
                id=original.id,
                title=original.title,
                at=original.at,
                path=original.path,
                bytes=original.bytes,
                edited=original.edited,
                version=original.version,
            )
            for original in one.originals
        ],
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
    return ConsolidationOut(
        run=one.run.id,
        by=one.run.actor.name,
        started_at=one.run.started_at,
        ended_at=one.run.ended_at,
        reason=one.run.reason,
        ranker=one.ranker,
        digests=one.digests,
        archived=one.archived,
        taken=one.sentences_taken,
        sentences=one.sentences,
        links=one.links,
        bytes_before=one.bytes_before,
        bytes_after=one.bytes_after,
        rolled_back_by=one.rolled_back_by,
    )
