"""The records as they stand, and as each change taken back leaves them. A decided conflict and what its decision did
to its two memories are taken back together or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from memoryapp.domain.change import Revision
from memoryapp.domain.conflict import Conflict, ConflictStatus
from memoryapp.domain.entity import Reference
from memoryapp.domain.memory import Memory, State, index_text
from memoryapp.review.loosely import loosely
from memoryapp.review.named import Entities
from memoryapp.review.rejudge import EDITED
from memoryapp.review.related import Relations
from memoryapp.spaces import Space, embed_into
from memoryapp.store import conflicts, memories
from memoryapp.store.conflicts import follows_from_state
from memoryapp.store.revisions import conflict_fields, memory_fields
from memoryapp.store.write import Batch

DECIDED = frozenset({ConflictStatus.DECIDED, ConflictStatus.AUTOMATIC})
_OF_MEMORIES = ("memory", "reference")


def decides(change: Revision) -> bool:
    """Whether it is a decision of a conflict, or the undoing of one."""
    return change.record == "conflict" and bool({change.before.get("status"), change.after.get("status")} & DECIDED)


def withdrew(change: Revision) -> bool:
    """Whether a conflict was withdrawn because a side got other words, or the undoing of that."""
    causes = {(values.get("decision") or {}).get("cause") for values in (change.before, change.after)}
    return change.record == "conflict" and EDITED in causes


def grouped(changes: Sequence[Revision], about: Mapping[str, Conflict]) -> list[list[Revision]]:
    """Changes of one record together, in their order: each expects the state that taking back the next newer one
    leaves. A decision joins its conflict and both sides. `about`: the conflicts that were changed."""
    root: dict[str, str] = {}

    def find(key: str) -> str:
        while root.setdefault(key, key) != key:
            key = root[key]
        return key

    for change in changes:
        conflict = about.get(change.record_id)
        if conflict is not None and (decides(change) or withdrew(change)):
            for side in filter(None, (conflict.existing, conflict.incoming)):
                root[find(side)] = find(change.record_id)
    groups: dict[str, list[Revision]] = {}
    for change in changes:
        groups.setdefault(find(change.record_id), []).append(change)
    return list(groups.values())


@dataclass(slots=True)
class States:
    """`taken`: changes taken back; `skipped`: (record, why it was left)."""

    present: dict[str, Memory]
    conflicts_present: dict[str, Conflict]
    memories: dict[str, Memory]
    conflicts: dict[str, Conflict]
    entities: Entities
    relations: Relations
    # Whether an edge shall be there; the oldest change decides.
    edges: dict[Reference, bool] = field(default_factory=dict)
    stands: dict[tuple[str, str], bool] = field(default_factory=dict)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    taken: int = 0

    @classmethod
    def before(cls, space: Space, changes: Sequence[Revision]) -> States:
        about = conflicts.get_many(space.db, [c.record_id for c in changes if c.record == "conflict"])
        sides = {side for one in about.values() for side in (one.existing, one.incoming) if side}
        ends = {key for c in changes for key in (*c.before.get("superseded_by", ()), *c.after.get("superseded_by", ()))}
        named = {c.record_id for c in changes if c.record in _OF_MEMORIES}
        present = memories.get_many(space.db, list(named | sides | ends))
        linked = {
            edge[0] for c in changes for edge in (*c.before.get("references", ()), *c.after.get("references", ()))
        }
        about_names = Entities.before(space, changes, linked)
        return cls(present, about, dict(present), dict(about), about_names, Relations.before(space, changes))

    def take_back(self, group: Sequence[Revision]) -> None:
        """All changes of a group, newest first."""
        if any(map(decides, group)):
            self._decision_back(group)
            return
        for change in group:
            if change.record == "entity":
                taken, problems = self.entities.take_back(change)
                self.skipped += [(change.record_id, why) for why in problems]
                if not taken:
                    continue
            elif change.record == "conflict":
                self._conflict_back(change)
            elif change.record == "relation":
                if why := self.relations.take_back(change):
                    self.skipped.append((change.record_id, why))
                    continue
            elif not self._memory_back(change):
                continue
            self.taken += 1

    def _memory_back(self, change: Revision) -> bool:
        current = self.memories.get(change.record_id)
        if current is None:
            self.skipped.append((change.record_id, f"Memory {change.record_id} was purged."))
            return False
        if change.record == "memory":
            if current.version != change.version:
                why = f"Memory {change.record_id} was changed since; undo that first."
                self.skipped.append((change.record_id, why))
                return False
            self.memories[change.record_id] = _before(current, change)
        self._edges_back(change)
        return True

    def _decision_back(self, group: Sequence[Revision]) -> None:
        """Field by field, so that a memory which was merely confirmed since does not stand in the way."""
        kept = dict(self.memories), dict(self.conflicts)
        why = next(filter(None, map(self._loosely_back, group)), None)
        if why is not None:
            self.memories, self.conflicts = kept
            self.skipped.append((next(c.record_id for c in group if decides(c)), why))
            return
        for change in group:
            if change.record in _OF_MEMORIES and change.record_id in self.memories:
                self._edges_back(change)
        self.taken += len(group)

    def _loosely_back(self, change: Revision) -> str | None:
        """Takes it back, or says why that cannot be. What was purged needs nothing."""
        if change.record == "conflict":
            return self._conflict_back(change)
        current = self.memories.get(change.record_id)
        if change.record != "memory" or current is None:
            return None
        if change.act == "create":
            # Written and put aside in one act: the decision is taken back, not that it was said.
            self.memories[current.id] = replace(current, state=State.HELD, valid_to=None)
            return None
        back, moved = loosely(current, change)
        if moved:
            return f"Memory {current.id} was changed since (its {', '.join(moved)}); undo that first."
        self.memories[current.id] = back
        return None

    def _conflict_back(self, change: Revision) -> str | None:
        conflict = self.conflicts.get(change.record_id)
        if conflict is None or follows_from_state(change.before.get("decision") or change.after.get("decision")):
            return None  # purged, or it comes and goes with the state of its sides
        if decides(change):
            if conflict.status != change.after.get("status") or not _same_run(conflict, change):
                return f"Conflict {conflict.id} is {conflict.status.value} since; there is nothing to take back."
        elif conflict.version != change.version:
            return None
        back = replace(conflict, **conflict_fields(change.before))
        self.conflicts[conflict.id] = back if decides(change) else replace(back, version=change.version - 1)
        return None

    def _edges_back(self, change: Revision) -> None:
        if change.act == "create":
            return  # a created memory stays, deleted, with its edges: they return with it
        for there, values in ((False, change.after), (True, change.before)):
            for entity, role, weight in values.get("references", []):
                self.edges[Reference(change.record_id, entity, role, weight)] = there
            for stands in values.get("superseded_by", []):
                self.stands[stands, change.record_id] = there

    def documents_to_read_again(self) -> list[str]:
        """Documents whose sections this undo takes away: their files count as not read."""
        away = (m for key, m in self.memories.items() if m.state is State.DELETED and m != self.present[key])
        return sorted({memory.origin.document for memory in away if memory.origin.document})

    def batch(self, space: Space) -> Batch:
        batch = Batch()
        for key, state in self.memories.items():
            back = replace(state, version=self.present[key].version)
            if back != self.present[key]:
                batch.updated.append((self.present[key], back))
        batch.entities += self.entities.changes()
        for key, conflict in self.conflicts.items():
            was = self.conflicts_present[key]
            again = replace(self._waiting_or_not(conflict), version=was.version)
            if again != was:
                batch.judged.append((was, replace(again, version=was.version + 1)))
        wanted = [edge for edge, there in self.edges.items() if there and edge.entity in self.entities.present]
        batch.references_added = wanted
        batch.references_removed = [edge for edge, there in self.edges.items() if not there]
        batch.relations, batch.unrelated = self.relations.changes()
        both = set(self.present)
        batch.superseded = [pair for pair, there in self.stands.items() if there and both.issuperset(pair)]
        batch.unsuperseded = [pair for pair, there in self.stands.items() if not there]
        embed_into(batch, space, [new for old, new in batch.updated if index_text(old) != index_text(new)])
        return batch

    def _waiting_or_not(self, conflict: Conflict) -> Conflict:
        """One that waits again about a side which is not held is withdrawn until that side is."""
        sides = [self.memories.get(side) for side in (conflict.existing, conflict.incoming) if side]
        if conflict.status is not ConflictStatus.WAITING or all(side and side.state is State.HELD for side in sides):
            return conflict
        return replace(conflict, status=ConflictStatus.WITHDRAWN, decision={"cause": "state"}, decided_at=None)


def _same_run(conflict: Conflict, change: Revision) -> bool:
    """Whether the decision that stands is the one this change made or took away."""
    told = change.after.get("decision")
    return (conflict.decision or {}).get("run") == (told or {}).get("run")


def _before(current: Memory, change: Revision) -> Memory:
    if change.act == "create":
        # Without lines a section counts as gone from its file: reading the file again brings it back.
        origin = replace(current.origin, first_line=None, last_line=None)
        return replace(current, state=State.DELETED, origin=origin)
    back = replace(current, **memory_fields(change.before))
    # The next older revision of the same run must find the version it produced.
    return replace(back, version=change.version - 1)
