"""Digests are written, each in one block with its originals put aside: whole, or not at all. Several may share a block,
which is quicker; where one of them is refused, each is tried alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memoryapp.consolidate.digests import DIGEST, ORIGINALS, WORDS
from memoryapp.consolidate.draft import DigestDraft
from memoryapp.consolidate.plan import plan
from memoryapp.domain.change import Actor, Run
from memoryapp.domain.digest import Choice, ConsolidationResult, LeftOut, Preview, Ranker
from memoryapp.domain.entity import Reference
from memoryapp.domain.errors import BadInput, Cancelled, Clash, Stale
from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Kind, Memory, MemoryType, State, index_text
from memoryapp.domain.progress import Progress
from memoryapp.spaces import Space, embed
from memoryapp.store import conflicts, entities, memories, revisions
from memoryapp.store.embeddings import Embedding
from memoryapp.store.write import Batch, commit, new_run


def as_memory(one: DigestDraft, *, now: datetime) -> Memory:
    """The digest as it is to stand; where there was one at its id, in its place."""
    digest = one.digest
    made = Memory(
        id=digest.id,
        kind=Kind.DIGEST,
        title=digest.title,
        text=digest.text,
        created_at=now,
        updated_at=now,
        tags=digest.tags,
        confidence=digest.confidence,
        memory_type=MemoryType.EPISODIC,
        # As old as the last thing it tells, so that what is folded is not news again.
        occurred_at=digest.ended,
        detail=_detail(one),
    )
    made = replace(made, content_hash=content_hash(index_text(made)))
    before = one.before
    if before is None:
        return made
    tags = tuple(dict.fromkeys([*before.tags, *made.tags]))
    return replace(
        made,
        created_at=before.created_at,
        version=before.version,
        tags=tags,
        pinned=before.pinned,
        reinforcements=before.reinforcements,
        reinforced_at=before.reinforced_at,
        salience=before.salience,
    )


@dataclass(frozen=True, slots=True)
class PreparedDigest:
    """A digest about to be written."""

    planned: DigestDraft
    memory: Memory
    embedding: Embedding | None


def write(
    space: Space, some: Sequence[PreparedDigest], *, run: Run
) -> tuple[list[tuple[PreparedDigest, int]], list[PreparedDigest]]:
    """Writes digests and archives their originals. Returns those that were written, each with how many of its
    originals were archived by it, and those that were refused because something of theirs was changed since it was
    read: nothing of these is written."""
    try:
        return _write_batch(space, some, run), []
    except (Stale, Clash):
        if len(some) == 1:
            return [], list(some)
    written: list[tuple[PreparedDigest, int]] = []
    refused: list[PreparedDigest] = []
    for one in some:
        done, left = write(space, [one], run=run)
        written += done
        refused += left
    return written, refused


def _write_batch(space: Space, some: Sequence[PreparedDigest], run: Run) -> list[tuple[PreparedDigest, int]]:
    batch = Batch()
    archived = [(one, _add_to_batch(space, one, batch)) for one in some]
    commit(space.db, run, batch, now=space.clock())
    return archived


def _add_to_batch(space: Space, one: PreparedDigest, batch: Batch) -> int:
    """Puts a digest and its originals into the batch; returns how many are archived by it."""
    planned, made = one.planned, one.memory
    archived = [
        (memory, replace(memory, state=State.ARCHIVED, detail={**memory.detail, DIGEST: made.id}))
        for memory in planned.sections
        if memory.state is State.HELD or memory.detail.get(DIGEST) != made.id
    ]
    batch.updated += archived
    if planned.before is None:
        batch.created.append(made)
    else:
        batch.updated.append((planned.before, made))
    batch.derived += [(made.id, memory.id) for memory in planned.sections]
    added, removed = _links(space, planned)
    batch.references_added += added
    batch.references_removed += removed
    if one.embedding is not None:
        batch.embeddings.append(one.embedding)
    else:
        batch.unembedded.append((space.encoder.name, made.id))
    return sum(memory.state is State.HELD for memory, _ in archived)


def _links(space: Space, one: DigestDraft) -> tuple[list[Reference], list[Reference]]:
    if one.before is None:
        return list(one.links), []
    standing = set(entities.references_of(space.db, [one.digest.id]).get(one.digest.id, ()))
    wanted = set(one.links)
    gone = sorted(standing - wanted, key=lambda edge: (edge.entity, edge.role))
    return [edge for edge in one.links if edge not in standing], gone


def _detail(one: DigestDraft) -> dict[str, Any]:
    digest = one.digest
    detail: dict[str, Any] = {
        "from": digest.began.isoformat(),
        "to": digest.ended.isoformat(),
        "topic": digest.topic.name,
        "entity": digest.topic.entity,
        "ranker": digest.ranker.value,
        "bytes": digest.bytes_before,
        "of": len(digest.sentences),
        # In the order of the text's lines: which section said each, so that a purge finds its words.
        "sentences": [
            {"id": told.id, "section": told.section, "score": told.score} for told in digest.sentences if told.taken
        ],
        ORIGINALS: {memory.id: content_hash(memory.text) for memory in one.sections},
        WORDS: content_hash(digest.text),
    }
    return {name: value for name, value in detail.items() if value is not None}  # the store keeps no None


# due → cut → group → rank → choose → compose → write: daily logs into digests, with their originals put aside.

_AT_ONCE = 16  # digests of one write
_CHANGED = "its sections were changed since the preview; look at it again"
_GONE = "there is nothing left for it to fold: its sections were folded, changed or put aside since"


def preview(
    space: Space, *, ranker: Ranker | None = None, older_than_days: int | None = None, choices: Sequence[Choice] = ()
) -> Preview:
    """What `consolidate` would do now; nothing is written. `choices`: digests shown with the sentences that a person
    picked for them. Raises BadInput."""
    return plan(space, ranker=ranker, older_than_days=older_than_days, choices=choices).preview


def consolidate(
    space: Space,
    *,
    actor: Actor,
    ranker: Ranker | None = None,
    older_than_days: int | None = None,
    choices: Sequence[Choice] | None = None,
    reason: str = "",
    progress: Progress | None = None,
) -> ConsolidationResult:
    """Writes the digests that were chosen, all that are due where `choices` is None, and archives what they were made
    from: all in one run, each digest in one block, so that a kill leaves whole digests only.

    What was changed since the preview is left out and told in `left`; the rest is written. What was rolled back is
    written again only by choice. Raises BadInput, Cancelled.
    """
    picked = _unique_choices(choices or ())
    made = plan(space, ranker=ranker, older_than_days=older_than_days, choices=list(picked.values()))
    left = _unknown_choices(picked, made.planned)
    due: list[DigestDraft] = []
    for one in made.planned:
        choice = picked.get(one.digest.id)
        if choice is None and (choices is not None or one.digest.rolled_back):
            continue
        why = _refusal_reason(one, choice)
        if why:
            left.append(LeftOut(one.digest.id, one.digest.title, why))
        else:
            due.append(one)
    days, by = made.preview.older_than_days, made.preview.ranker
    detail = {"ranker": by.value, "older_than_days": days}
    run = new_run(
        "consolidate", actor, now=space.clock(), reason=reason or f"logs older than {days} days", detail=detail
    )
    written: list[DigestDraft] = []
    archived = 0
    done = 0
    for some, disputed in _prepare_batches(space, due):
        if progress is not None and progress.cancelled():
            _finish(space, run, written, archived)
            raise Cancelled("Stopped. The digests that are written stay; begin again to go on.")
        put, refused = write(space, some, run=run) if some else ([], [])
        written += [one.planned for one, _ in put]
        archived += sum(count for _, count in put)
        changed = [*disputed, *(one.planned for one in refused)]
        left += [LeftOut(one.digest.id, one.digest.title, _CHANGED) for one in changed]
        done += len(some) + len(disputed)
        if progress is not None:
            progress.advance(done, len(due), {"digests": len(written), "archived": archived})
    ended = _finish(space, run, written, archived) if written else None
    found = memories.get_many(space.db, [one.digest.id for one in written])
    return ConsolidationResult(
        run=ended,
        written=tuple(found[one.digest.id] for one in written if one.digest.id in found),
        archived=archived,
        left=tuple(left),
        staying=len(made.preview.staying),
        **_sums(written),
    )


def _unique_choices(choices: Sequence[Choice]) -> dict[str, Choice]:
    picked: dict[str, Choice] = {}
    for choice in choices:
        if choice.digest in picked:
            raise BadInput(f"Digest {choice.digest[:40]} is chosen twice.", field="/digests")
        picked[choice.digest] = choice
    return picked


def _unknown_choices(picked: dict[str, Choice], planned: Sequence[DigestDraft]) -> list[LeftOut]:
    there = {one.digest.id for one in planned}
    return [LeftOut(key, "", _GONE) for key in picked if key not in there]


def _refusal_reason(one: DigestDraft, choice: Choice | None) -> str:
    if choice is not None and choice.print and choice.print != one.digest.print:
        return _CHANGED
    if choice is not None and choice.sentences is not None:
        if set(choice.sentences) - {sentence.id for sentence in one.digest.sentences}:
            return _CHANGED
        if not choice.sentences:
            return "no sentence of it was picked: a digest without words cannot be written"
    return ""


def _prepare_batches(
    space: Space, due: Sequence[DigestDraft]
) -> Iterator[tuple[list[PreparedDigest], list[DigestDraft]]]:
    """A few at a time, as they are asked for: those to be written, each with its memory and vector, and those about
    one of whose sections a conflict came up since it was planned."""
    for start in range(0, len(due), _AT_ONCE):
        some = due[start : start + _AT_ONCE]
        waiting = conflicts.waiting_for(space.db, [section.id for one in some for section in one.sections])
        disputed = [one for one in some if any(section.id in waiting for section in one.sections)]
        free = [one for one in some if one not in disputed]
        memories_ = [as_memory(one, now=space.clock()) for one in free]
        vectors = {embedding.memory: embedding for embedding in embed(space, memories_)}
        made = [
            PreparedDigest(one, memory, vectors.get(memory.id)) for one, memory in zip(free, memories_, strict=True)
        ]
        yield made, disputed


def _finish(space: Space, run: Run, written: Sequence[DigestDraft], archived: int) -> Run | None:
    """The run with its sums. Without a digest there is no run: none was written."""
    if not written:
        return None
    sums = {"digests": len(written), "archived": archived, **_sums(written)}
    return revisions.finish_run(space.db, run, at=space.clock(), detail=sums)


def _sums(written: Sequence[DigestDraft]) -> dict[str, int]:
    digests = [one.digest for one in written]
    return {
        "sentences_taken": sum(len(one.taken) for one in digests),
        "sentences": sum(len(one.sentences) for one in digests),
        "links": sum(one.links for one in digests),
        "bytes_before": sum(one.bytes_before for one in digests),
        "bytes_after": sum(one.bytes_after for one in digests),
    }
