"""check → match → embed → settle → gather → take part → write → decide by policy: from what somebody says to memories
that can be recalled. Notes pass settle untouched; facts and atoms meet there what is held already. Who takes part in an
atom is joined by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Clash, Stale
from memoryapp.domain.memory import BELIEFS
from memoryapp.domain.remembering import Became, NewMemory, Remembered
from memoryapp.domain.turn import Reading
from memoryapp.remember.alone import alone
from memoryapp.remember.check import check
from memoryapp.remember.gather import gather
from memoryapp.remember.judging import RULES, AskedOnce, Judges
from memoryapp.remember.match import Matched, fingerprint, match
from memoryapp.remember.policy import decide_by_policy
from memoryapp.remember.settle import settle
from memoryapp.remember.taking_part import take_part
from memoryapp.spaces import Space, embed
from memoryapp.store import memories, sessions, turns
from memoryapp.store.database import Database
from memoryapp.store.rows import shown
from memoryapp.store.write import commit, new_run

_TRIES = 8  # two agents that reinforce the same memory at once
_FACTS = "\x1ffacts"  # facts and atoms are compared with all others: two of a space are never settled at once


class AlreadyRead(Clash):
    """Another process read a turn while this one did; nothing of this reading was kept."""


def remember(
    space: Space, items: Sequence[NewMemory], *, actor: Actor, reason: str = "", judges: Judges = RULES
) -> tuple[Remembered, ...]:
    """Writes the items in one atomic batch and tells what became of each, in their order.

    Raises BadInput or TooLarge that points at the item at fault; nothing is written then.
    """
    private = sessions.private_among(space.db, list({one.session for one in items if one.session and not one.turn}))
    if private:
        raise Clash(
            f"Session “{shown(min(private))}” is private: nothing of it is remembered. Leave the session out, or take "
            "its private mark away."
        )
    run = new_run("remember", actor, now=space.clock(), reason=reason)
    return tuple(_told(one) for one in write(space, check(items), run=run, judges=judges))


def write(
    space: Space,
    items: Sequence[NewMemory],
    *,
    run: Run,
    judges: Judges = RULES,
    given: Mapping[str, frozenset[str]] | None = None,
    readings: Callable[[Sequence[Matched]], list[Reading]] = lambda matched: [],
    waited: Mapping[str, Reading] | None = None,
) -> list[Matched]:
    """Writes checked items, with the readings of the turns they come from; again where another process changed or
    wrote one of them in between. `given`: see match. `waited`: the readings of those turns as they waited; raises
    AlreadyRead, and writes nothing, where another process has read one of them since."""
    names = [item.ref or fingerprint(item) for item in items]
    if any(item.kind in BELIEFS for item in items):
        names.append(_FACTS)
        judges = _asked_beforehand(space, items, judges, given=given)
    with alone(f"{space.db.url} {space.name}", names):
        for attempt in range(_TRIES):
            now = space.clock()
            known = _known(space, items)
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
                break
            except (Stale, Clash):
                check_waiting(space.db, waited or {})
                if attempt == _TRIES - 1:
                    raise
        decide_by_policy(space, [conflict for one in matched for conflict in one.conflicts])
    return matched


def _known(space: Space, items: Sequence[NewMemory]) -> dict[str, list[str]]:
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


def _told(one: Matched) -> Remembered:
    conflict = one.conflicts[0].id if one.conflicts else None
    near = one.after.id if one.outcome is Became.REINFORCED else None
    if one.outcome is Became.CONFLICT and one.near is not None:
        near = one.near.id
    return Remembered(one.after.id, one.item.ref, one.outcome, conflict, near)
