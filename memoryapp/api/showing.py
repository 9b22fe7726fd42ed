"""Plain data of the rooms → shapes of the answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from memoryapp.api.schemas.entity import EntityOut
from memoryapp.api.schemas.memory import MemoryOut, RevisionOut, Source, TrustParts, UsageOut
from memoryapp.api.schemas.past import RunOut
from memoryapp.api.schemas.search import (
    AnswerOut,
    ArmOut,
    ArmReportOut,
    FactBrief,
    HitOut,
    MarkedSentence,
    NodeBrief,
    TurnBrief,
)
from memoryapp.api.schemas.work import JobOut, ProgressOut, SourceOut
from memoryapp.domain import document, strength
from memoryapp.domain.change import Revision, Run
from memoryapp.domain.entity import Entity
from memoryapp.domain.memory import Kind, Memory, Usage
from memoryapp.domain.node import Node
from memoryapp.domain.results import Answer, Hit
from memoryapp.domain.sentences import Span
from memoryapp.domain.trust import Trust
from memoryapp.jobs.models import Job
from memoryapp.jobs.progress import phase_of, seconds_left
from memoryapp.spaces import Space
from memoryapp.spaces.trust import trust_of
from memoryapp.store import conflicts, usage


def show_memories(space: Space, memories: Sequence[Memory], *, inherited_from: str | None = None) -> list[MemoryOut]:
    """With trust, usage and waiting conflicts, each asked once for all of them. `space` is the one that holds them."""
    keys = [memory.id for memory in memories]
    used = usage.get_many(space.db, keys)
    waiting = conflicts.waiting_for(space.db, keys) if space.at is None else {}
    trusted, now = trust_of(space, memories), space.clock()
    shown = []
    for memory in memories:
        use = used.get(memory.id) or Usage(memory.id)
        one = _memory(memory, trusted[memory.id], use, waiting.get(memory.id, ()), now)
        shown.append(one.model_copy(update={"inherited_from": inherited_from}))
    return shown


def show_memory(space: Space, memory: Memory, *, inherited_from: str | None = None) -> MemoryOut:
    return show_memories(space, [memory], inherited_from=inherited_from)[0]


def show_trust(trusted: Trust) -> TrustParts:
    return TrustParts(
        confidence=trusted.confidence,
        recency=trusted.recency,
        boost=trusted.boost,
        days=trusted.days,
        reinforcements=trusted.reinforcements,
        ceiling=trusted.ceiling,
        word=trusted.word,  # type: ignore[arg-type]
    )


def _memory(memory: Memory, trusted: Trust, use: Usage, waiting: Iterable[str], now: datetime) -> MemoryOut:
    present = strength.strength(
        memory_type=memory.memory_type,
        since=max(memory.last_confirmed, use.accessed_at or memory.last_confirmed),
        accesses=use.accesses,
        salience=memory.salience,
        confidence=memory.confidence,
        now=now,
    )
    return MemoryOut(
        id=memory.id,
        ref=memory.ref,
        kind=memory.kind,
        state=memory.state,
        title=memory.title,
        text=memory.text,
        breadcrumb=list(memory.breadcrumb),
        category=memory.category,
        tags=list(memory.tags),
        speaker=memory.speaker,
        session=memory.origin.session,
        sessions=list(memory.sessions),
        decision_point=memory.decision_point,
        emotional_signal=memory.emotional_signal,
        detail=memory.detail,
        atom=memory.detail.get("atom"),
        confidence=memory.confidence,
        trust=trusted.value,
        trust_parts=show_trust(trusted),
        strength=present.value,
        memory_type=memory.memory_type,
        mood=memory.mood,
        salience=memory.salience,
        occurred_at=memory.occurred_at,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        expires_at=memory.expires_at,
        review_at=memory.review_at,
        daily=memory.daily,
        pinned=memory.pinned,
        edited=memory.edited,
        source_text=memory.source_text,
        source=_source_of(memory),
        usage=UsageOut(accesses=use.accesses, accessed_at=use.accessed_at, used=use.used, not_useful=use.not_useful),
        reinforced_at=memory.reinforced_at,
        conflicts=list(waiting),
        inherited_from=None,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        version=memory.version,
    )


def _source_of(memory: Memory) -> Source:
    origin = memory.origin
    return Source(
        document=origin.document,
        path=origin.path,
        first_line=origin.first_line,
        last_line=origin.last_line,
        session=origin.session,
        turn=origin.turn,
    )


def show_hit(hit: Hit) -> HitOut:
    memory = hit.memory
    return HitOut(
        id=memory.id,
        ref=memory.ref,
        kind=memory.kind,
        state=memory.state,
        title=memory.title,
        text=memory.text,
        breadcrumb=list(memory.breadcrumb),
        category=memory.category,
        tags=list(memory.tags),
        speaker=memory.speaker,
        decision_point=memory.decision_point,
        occurred_at=memory.occurred_at,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        score=hit.score,
        relevance=round(hit.relevance, 4),
        trust=hit.trust,
        strength=hit.strength,
        arms={str(name): ArmOut(rank=arm.rank, score=arm.score, share=arm.share) for name, arm in hit.arms.items()},
        factors={str(name): value for name, value in hit.factors.items()},
        evidence=hit.evidence,
        source=_source_of(memory),
        conflicts=list(hit.conflicts),
        outdated_by=hit.outdated_by,
        inherited_from=hit.inherited_from,
        version=memory.version,
        node=_node(memory),
        turn=_turn_brief(hit.turn) if hit.turn else None,
        answers=_turn_brief(hit.answers) if hit.answers else None,
        reply=_turn_brief(hit.reply) if hit.reply else None,
        answer=_sentence(memory.text, hit.answer) if hit.answer else None,
        facts=[FactBrief(id=fact.id, text=fact.text, state=fact.state) for fact in hit.facts],
    )


def _sentence(text: str, span: Span) -> MarkedSentence:
    return MarkedSentence(text=text[span.start : span.end], start=span.start, end=span.end)


def _turn_brief(turn: Memory) -> TurnBrief:
    return TurnBrief(
        id=turn.id, text=turn.text, speaker=turn.speaker, said_at=turn.occurred_at, session=turn.origin.session
    )


def _node(memory: Memory) -> NodeBrief | None:
    if memory.kind is not Kind.NODE:
        return None
    node = Node(memory)
    return NodeBrief(path=node.path, size=node.size, keywords=list(node.keywords))


def show_answer(answer: Answer) -> AnswerOut:
    return AnswerOut(
        items=[show_hit(hit) for hit in answer.hits],
        strategy=answer.query.strategy,
        took_ms=answer.took_ms,
        arms={str(name): ArmReportOut(count=arm.count, ms=arm.ms) for name, arm in answer.arms.items()},
        query=answer.query.text,
        cached=answer.cached,
        notes=list(answer.notes),
        asked_at=answer.asked_at,
        index_version=answer.version,
        trace=answer.trace,
    )


def show_revision(revision: Revision) -> RevisionOut:
    return RevisionOut(
        id=revision.id,
        record=revision.record,
        record_id=revision.record_id,
        version=revision.version,
        act=revision.act,
        before=revision.before,
        after=revision.after,
        actor=revision.actor.name,
        actor_kind=revision.actor.kind.value,
        at=revision.at,
        run=revision.run,
        reason=revision.reason,
    )


def show_run(run: Run) -> RunOut:
    return RunOut(
        id=run.id,
        act=run.act,
        actor=run.actor.name,
        actor_kind=run.actor.kind.value,
        started_at=run.started_at,
        ended_at=run.ended_at,
        reason=run.reason,
        detail=run.detail or {},
    )


def show_entity(entity: Entity) -> EntityOut:
    return EntityOut(
        id=entity.id,
        name=entity.name,
        type=entity.type,
        state=entity.state,
        aliases=list(entity.aliases),
        sightings=entity.sightings,
        merged_into=entity.merged_into,
        created_at=entity.created_at,
        version=entity.version,
    )


def show_progress(job: Job) -> ProgressOut:
    phase, left = phase_of(job), seconds_left(job)
    return ProgressOut(
        done=job.progress_done,
        total=job.progress_total,
        phase=phase.name if phase else "",
        sections=phase.done if phase else 0,
        sections_total=phase.total if phase else 0,
        exact=phase.exact if phase else True,
        seconds_left=None if left is None else round(left, 1),
    )


def show_job(job: Job) -> JobOut:
    return JobOut(
        id=job.pk,
        kind=job.kind,
        status=job.status,  # type: ignore[arg-type]
        progress=show_progress(job),
        report=job.report,
        message=job.message,
        error=job.error,
        space=job.space,
        arguments=job.arguments,
        run=job.run or None,
        attempt=job.attempt,
        created_by=job.created_by,
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
    )


def show_source(source: document.Source) -> SourceOut:
    return SourceOut(
        id=source.id,
        kind=source.kind.value,
        root=source.root,
        name=source.name,
        every_minutes=source.every_minutes,
        on_session_start=source.on_session_start,
        files=source.files,
        last_ingest_at=source.last_ingest_at,
        last_report=source.last_report,
        created_at=source.created_at,
    )
