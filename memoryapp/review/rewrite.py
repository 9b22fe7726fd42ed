"""The shared step of every act that changes a memory's fields: embed and link what has new words, then write.

A fact that says something else now is read anew, and so is whether it still clashes. A waiting conflict is withdrawn
where the rules saw the clash before the change and see none after it. What only a model saw stays for a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np

from memoryapp.contradictions import judge, slots
from memoryapp.domain.change import Actor, Run
from memoryapp.domain.conflict import Conflict, ConflictStatus
from memoryapp.domain.memory import BELIEFS, Memory, State, index_text
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.extraction.entities.link import link
from memoryapp.inference.embedding.zones import Zones
from memoryapp.spaces import Space, embed_into, zones_in
from memoryapp.store import conflicts, embeddings, lineage, memories
from memoryapp.store.write import Batch, commit, new_run

_AT_ODDS = frozenset({Relation.SUCCESSION, Relation.POSSIBLE, Relation.CONFLICT})
_TELLING = ("text", "speaker", "valid_from", "valid_to", "occurred_at")
_OF_ATOM = ("atom", "tense")
EDITED = "edit"  # of a decision: a side was changed, and the two clash no longer


def refill_slots(before: Memory, after: Memory) -> Memory:
    """The fact or atom with the slots its new words fill. The atom itself goes: it says what the words said before."""
    if after.kind not in BELIEFS or (before.text, before.speaker) == (after.text, after.speaker):
        return after
    if before.text != after.text and before.detail == after.detail:
        after = replace(after, detail={name: told for name, told in after.detail.items() if name not in _OF_ATOM})
    filled = dict.fromkeys(slot.key for slot in slots(after.text, speaker=after.speaker))
    return replace(after, slots=tuple(filled))


def judge_again(space: Space, batch: Batch, *, run: Run, now: datetime) -> None:
    """Puts into the batch which waiting conflicts of its changed memories clash no longer."""
    changed = {
        after.id: (before, after)
        for before, after in batch.updated
        if after.state is State.HELD and any(getattr(before, name) != getattr(after, name) for name in _TELLING)
    }
    if not changed:
        return
    acted = {before.id for before, _ in batch.judged}
    about = [
        one
        for one in conflicts.touching(space.db, list(changed))
        if one.incoming and one.status is ConflictStatus.WAITING and one.id not in acted
    ]
    others = memories.get_many(space.db, [side for one in about for side in (one.existing, one.incoming or "")])
    vectors = _vectors(space, batch, list(others))
    zones = zones_in(space)
    for one in about:
        pair = [others.get(one.existing), others.get(one.incoming or "")]
        if pair[0] is None or pair[1] is None:
            continue
        was = [changed[side.id][0] if side.id in changed else side for side in pair if side]
        is_now = [changed[side.id][1] if side.id in changed else side for side in pair if side]
        cosine = _cosine(vectors, one)
        verdict = _verdict(is_now[0], is_now[1], cosine, zones)
        if _verdict(was[0], was[1], cosine, zones).relation in _AT_ODDS and verdict.relation not in _AT_ODDS:
            batch.judged.append((one, _withdraw_conflict(one, run, now)))


def _withdraw_conflict(conflict: Conflict, run: Run, now: datetime) -> Conflict:
    decision: dict[str, Any] = {
        "cause": EDITED, "by": run.actor.name, "by_kind": run.actor.kind.value, "at": now.isoformat(), "run": run.id,
        "reason": "A side was changed, and the two no longer contradict each other.",
    }  # fmt: skip
    return replace(
        conflict, status=ConflictStatus.WITHDRAWN, decision=decision, decided_at=now, version=conflict.version + 1
    )


def _verdict(existing: Memory, incoming: Memory, cosine: float | None, zones: Zones) -> Verdict:
    return judge(_statement(existing), _statement(incoming), cosine=cosine, zones=zones)


def _statement(memory: Memory) -> Statement:
    said = memory.occurred_at or memory.created_at
    return Statement(memory.text, said, memory.valid_from, memory.valid_to, memory.speaker)


def _vectors(space: Space, batch: Batch, keys: list[str]) -> dict[str, Any]:
    if not keys:
        return {}
    kept = embeddings.get_many(space.db, space.encoder.name, keys)
    return kept | {embedding.memory: embedding.vector for embedding in batch.embeddings}


def _cosine(vectors: dict[str, Any], conflict: Conflict) -> float | None:
    one, other = vectors.get(conflict.existing), vectors.get(conflict.incoming or "")
    return None if one is None or other is None else float(np.dot(one, other))


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """What an act did: the run (for Undo) and the memories as they stand now. Where everything was so already nothing
    is `changed`: the run is not kept, and there is nothing to undo."""

    run: Run
    memories: tuple[Memory, ...]
    changed: bool = True

    def only(self, keys: Iterable[str]) -> ReviewResult:
        """The same without the memories that went along: turns of a fact."""
        asked = set(keys)
        return replace(self, memories=tuple(one for one in self.memories if one.id in asked))


def rewrite(
    space: Space,
    pairs: Sequence[tuple[Memory, Memory]],
    *,
    act: str,
    actor: Actor,
    reason: str = "",
    detail: dict[str, Any] | None = None,
) -> ReviewResult:
    """Writes (before, after) pairs in one run. Pairs without a difference are left out.

    Raises Stale when a memory was changed meanwhile; nothing is written then.
    """
    now = space.clock()
    run = new_run(act, actor, now=now, reason=reason, detail=detail)
    changed = [(before, after) for before, after in pairs if before != after]
    back = [old.id for old, new in changed if old.state is State.SUPERSEDED and new.state is State.HELD]
    batch = Batch(updated=changed, unsuperseded=lineage.superseding(space.db, back))
    refresh_derived(space, batch, run=run, now=now)
    commit(space.db, run, batch, now=now)
    found = memories.get_many(space.db, [after.id for _, after in pairs])
    return ReviewResult(run, tuple(found[after.id] for _, after in pairs if after.id in found), changed=bool(changed))


def refresh_derived(space: Space, batch: Batch, *, run: Run, now: datetime) -> None:
    """What new words bring along, into the batch that writes them: vectors, references, what a fact states, and
    another look at the conflicts that wait about it."""
    batch.updated = [(before, refill_slots(before, after)) for before, after in batch.updated]
    rewritten = [after for before, after in batch.updated if index_text(before) != index_text(after)]
    embed_into(batch, space, rewritten)
    if rewritten:
        link(space.db, rewritten, batch, now=now, sightings_to_know=space.tuning.sightings_to_know)
    judge_again(space, batch, run=run, now=now)
