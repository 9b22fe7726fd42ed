"""check → match → embed → settle → gather → take part → write → decide by policy: from what somebody says to memories
that can be recalled. Notes pass settle untouched; facts and atoms meet there what is held already. Who takes part in an
atom is joined by it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.conflict import Conflict, ConflictStatus
from memoryapp.domain.errors import Clash, LostRace, Stale
from memoryapp.domain.memory import BELIEFS, Kind, Memory
from memoryapp.domain.remembering import Became, NewMemory, RememberedItem
from memoryapp.domain.turn import Reading
from memoryapp.extraction.entities.link import link
from memoryapp.remember.check import check
from memoryapp.remember.judging import RULES, AskedOnce, Judges, settle
from memoryapp.remember.match import MatchResult, fingerprint, match, reinforce_memory
from memoryapp.remember.participants import take_part
from memoryapp.remember.policy import decide_by_policy
from memoryapp.spaces import Space, embed
from memoryapp.store import conflicts, memories, sessions, turns
from memoryapp.store.database import Database
from memoryapp.store.embeddings import Embedding
from memoryapp.store.retry import retry_write
from memoryapp.store.rows import short_id
from memoryapp.store.write import Batch, commit, new_run

# While one batch is matched and written, no other of this process says the same words or uses the same refs.
#
# Two agents that learn the same thing at the same moment would otherwise each find nothing and write it twice.

_busy: set[tuple[str, str]] = set()
_freed = threading.Condition()


@contextmanager
def lock_names(space: str, names: Iterable[str]) -> Iterator[None]:
    """Waits until none of these names is being written in this space, then holds them all. Taken at once, so that
    two batches never wait for each other."""
    wanted = {(space, name) for name in names}
    with _freed:
        _freed.wait_for(lambda: wanted.isdisjoint(_busy))
        _busy.update(wanted)
    try:
        yield
    finally:
        with _freed:
            _busy.difference_update(wanted)
            _freed.notify_all()


# Fifth step: the changes of all items together, as one batch. Several reinforcements of one memory are one change.


def gather(space: Space, matched: Sequence[MatchResult], embedded: Sequence[Embedding], *, now: datetime) -> Batch:
    """`embedded`: of what was new to match; of what turned out to be another the embedding is dropped."""
    batch = Batch()
    created = {one.after.id: one.after for one in matched if one.before is None}
    updated: dict[str, tuple[Memory, Memory]] = {}
    for one in matched:
        batch.conflicts.extend(one.conflicts)
        if one.before is None or one.after is one.before:
            continue
        if one.before.id in created:  # a repeat of something new in this very batch
            created[one.before.id] = _reapply_match(created[one.before.id], one)
        elif one.before.id in updated:
            before, after = updated[one.before.id]
            updated[one.before.id] = (before, _reapply_match(after, one))
        else:
            updated[one.before.id] = (one.before, one.after)
    batch.created, batch.updated = list(created.values()), list(updated.values())
    rewritten = [one.after for one in matched if one.rewritten]
    kept = {memory.id for memory in rewritten}
    batch.embeddings = [embedding for embedding in embedded if embedding.memory in kept]
    # The vector of the old words would answer for what is no longer said.
    lost = kept - {embedding.memory for embedding in batch.embeddings}
    batch.unembedded = [(space.encoder.name, memory.id) for memory in rewritten if memory.id in lost]
    batch.judged.extend(_withdraw_moot(space, matched))
    named = {one.after.id: one.item.entities for one in matched if one.rewritten and one.item.entities}
    # What an atom speaks of stands in it: see taking_part.
    words = [memory for memory in rewritten if memory.kind is not Kind.ATOM]
    link(space.db, words, batch, now=now, sightings_to_know=space.tuning.sightings_to_know, named=named)
    return batch


def _reapply_match(memory: Memory, one: MatchResult) -> Memory:
    """Confirmed once more, or said in other words under its ref."""
    if one.outcome is Became.REINFORCED:
        return reinforce_memory(memory, one.item, now=one.after.last_confirmed)
    return one.after


def _withdraw_moot(space: Space, matched: Sequence[MatchResult]) -> list[tuple[Conflict, Conflict]]:
    """Waiting conflicts about words that are now said otherwise, under the same ref: that question is gone."""
    said_otherwise = [one.before.id for one in matched if one.before is not None and one.rewritten]
    waiting = conflicts.waiting_for(space.db, said_otherwise)
    raised = {conflict.id for one in matched for conflict in one.conflicts}
    keys = {key for found in waiting.values() for key in found} - raised
    return [
        (conflict, replace(conflict, status=ConflictStatus.WITHDRAWN, version=conflict.version + 1))
        for conflict in conflicts.get_many(space.db, sorted(keys)).values()
        if conflict.incoming is not None
    ]


_FACTS = "\x1ffacts"  # facts and atoms are compared with all others: two of a space are never settled at once


class AlreadyRead(Clash):
    """Another process read a turn while this one did; nothing of this reading was kept."""


def remember(
    space: Space, items: Sequence[NewMemory], *, actor: Actor, reason: str = "", judges: Judges = RULES
) -> tuple[RememberedItem, ...]:
    """Writes the items in one atomic batch and tells what became of each, in their order.

    Raises BadInput or TooLarge that points at the item at fault; nothing is written then.
    """
    private = sessions.private_among(space.db, list({one.session for one in items if one.session and not one.turn}))
    if private:
        raise Clash(
            f"Session “{short_id(min(private))}” is private: nothing of it is remembered. Leave the session out, or "
            f"take "
            "its private mark away."
        )
    run = new_run("remember", actor, now=space.clock(), reason=reason)
    return tuple(_remembered_item(one) for one in write(space, check(items), run=run, judges=judges))


def write(
    space: Space,
    items: Sequence[NewMemory],
    *,
    run: Run,
    judges: Judges = RULES,
    given: Mapping[str, frozenset[str]] | None = None,
    readings: Callable[[Sequence[MatchResult]], list[Reading]] = lambda matched: [],
    waited: Mapping[str, Reading] | None = None,
) -> list[MatchResult]:
    """Writes checked items, with the readings of the turns they come from; again where another process changed or
    wrote one of them in between. `given`: see match. `waited`: the readings of those turns as they waited; raises
    AlreadyRead, and writes nothing, where another process has read one of them since."""
    names = [item.ref or fingerprint(item) for item in items]
    if any(item.kind in BELIEFS for item in items):
        names.append(_FACTS)
        judges = _asked_beforehand(space, items, judges, given=given)

    def compare_and_write() -> list[MatchResult]:
        now = space.clock()
        known = _existing_by_fingerprint(space, items)
        matched = match(space.db, items, now=now, given=given)
        embedded = embed(space, [one.after for one in matched if one.rewritten])
        vectors = {one.memory: one.vector for one in embedded}
        matched = settle(space, matched, vectors=vectors, now=now, judges=judges, run=run.id, given=given)
        batch = gather(space, matched, embedded, now=now)
        take_part(space, matched, batch, now=now)
        batch.said = [(words, known[words]) for words in {new.content_hash for new in batch.created} & known.keys()]
        batch.readings = readings(matched)
        batch.waited = [(turn, reading.at) for turn, reading in (waited or {}).items()]
        try:
            commit(space.db, run, batch, now=now)
        except (Stale, LostRace):
            check_waiting(space.db, waited or {})
            raise
        return matched

    with lock_names(f"{space.db.url} {space.name}", names):
        matched = retry_write(compare_and_write)
        decide_by_policy(space, [conflict for one in matched for conflict in one.conflicts])
    return matched


def _existing_by_fingerprint(space: Space, items: Sequence[NewMemory]) -> dict[str, list[str]]:
    """By fingerprint of what comes without a ref, the memories that bear it. Only where other processes write, too: in
    this one nobody else says the same words meanwhile."""
    if space.db.embedded:
        return {}
    prints = sorted({fingerprint(item) for item in items if not item.ref})
    there = memories.by_hashes(space.db, prints)
    return {words: [memory.id for memory in there.get(words, ())] for words in prints}


def _asked_beforehand(
    space: Space, items: Sequence[NewMemory], judges: Judges, *, given: Mapping[str, frozenset[str]] | None
) -> Judges:
    """The judges, of whom the chat model has been asked already what it will be asked. It takes a second or more for a
    fact; asked while facts are settled, it would keep everybody waiting who has one to tell. What changes meanwhile is
    seen then, and only that is asked anew."""
    if judges.model is None:
        return judges
    judges = replace(judges, model=AskedOnce(judges.model))
    now = space.clock()
    matched = match(space.db, items, now=now, given=given)
    vectors = {one.memory: one.vector for one in embed(space, [one.after for one in matched if one.rewritten])}
    settle(space, matched, vectors=vectors, now=now, judges=judges, given=given)
    return judges


def check_waiting(db: Database, waited: Mapping[str, Reading]) -> None:
    """Raises AlreadyRead where one of these turns was read since."""
    now = turns.readings(db, list(waited))
    for turn, was in waited.items():
        if turn not in now or (now[turn].status, now[turn].at) != (was.status, was.at):
            raise AlreadyRead(f"Turn {turn} was read by somebody else just now.")


def _remembered_item(one: MatchResult) -> RememberedItem:
    conflict = one.conflicts[0].id if one.conflicts else None
    near = one.after.id if one.outcome is Became.REINFORCED else None
    if one.outcome is Became.CONFLICT and one.near is not None:
        near = one.near.id
    return RememberedItem(one.after.id, one.item.ref, one.outcome, conflict, near)
