"""Changes taken back: the records as they stand, and as each change taken back leaves them.

A decided conflict and what its decision did to its two memories are taken back together or not at all. Memories and
entities go back field by field, where others have changed other fields since. A new relation goes, one that went comes
back, a changed one is as it was before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memoryapp.domain.change import Revision
from memoryapp.domain.conflict import Conflict, ConflictStatus
from memoryapp.domain.entity import Entity, EntityState, Reference
from memoryapp.domain.memory import Memory, State, index_text
from memoryapp.domain.relation import Relation
from memoryapp.review.rewrite import EDITED
from memoryapp.spaces import Space, embed_into
from memoryapp.store import conflicts, entities, memories, relations
from memoryapp.store.conflicts import follows_from_state
from memoryapp.store.revisions import conflict_fields, entity_fields, memory_fields, relation_fields
from memoryapp.store.write import Batch, plain


@dataclass(slots=True)
class Relations:
    """The relations as they stand, and as each change taken back leaves them; None where there is none. `ends`:
    entities and memories that those which went led to, as far as they are still there."""

    present: dict[str, Relation]
    states: dict[str, Relation | None]
    ends: frozenset[str]

    @classmethod
    def before(cls, space: Space, changes: Sequence[Revision]) -> Relations:
        about = [change for change in changes if change.record == "relation"]
        present = relations.get_many(space.db, [change.record_id for change in about])
        gone = [_removed_relation(change) for change in about if change.act == "remove"]
        there = entities.get_many(space.db, [key for one in gone for key in (one.subject, one.object)])
        facts = memories.get_many(space.db, [one.fact for one in gone if one.fact])
        return cls(present, dict(present), frozenset((*there, *facts)))

    def take_back(self, change: Revision) -> str | None:
        """Takes one change back, or says why that cannot be."""
        current = self.states.get(change.record_id)
        if change.act == "remove":
            return self._put_back(_removed_relation(change), current)
        if current is None:
            return f"Relation {change.record_id} is gone."
        if current.version != change.version:
            return f"Relation {change.record_id} was changed since; undo that first."
        if change.act == "create":
            self.states[change.record_id] = None
        else:
            back = replace(current, **relation_fields(change.before))
            # The next older revision of the same run must find the version it produced.
            self.states[change.record_id] = replace(back, version=change.version - 1)
        return None

    def _put_back(self, told: Relation, current: Relation | None) -> str | None:
        if current is not None:
            return f"Relation {told.id} was found again since."
        if not self.ends.issuperset(filter(None, (told.subject, told.object, told.fact))):
            return f"Relation {told.id} led to something that was purged."
        self.states[told.id] = told
        return None

    def changes(self) -> tuple[list[tuple[Relation | None, Relation]], list[Relation]]:
        """(relations written, relations taken away), for the batch of the undo."""
        written: list[tuple[Relation | None, Relation]] = []
        gone = []
        for key, state in self.states.items():
            was = self.present.get(key)
            if state is None:
                gone += [was] if was else []
            elif was is None:
                written.append((None, state))
            elif replace(state, version=was.version) != was:
                written.append((was, replace(state, version=was.version + 1)))
        return written, gone


def _removed_relation(change: Revision) -> Relation:
    """The relation as its removal tells it."""
    return Relation(version=change.version - 1, **relation_fields(change.before))


@dataclass(slots=True)
class Entities:
    """The entities as they stand, and as each change taken back leaves them. `bearers`: by normal form, who has a name
    that a renamed one had before; `ways`: by what one was merged into, all that this is merged into now, itself too."""

    present: dict[str, Entity]
    states: dict[str, Entity]
    bearers: dict[str, Entity]
    ways: dict[str, set[str]]

    @classmethod
    def before(cls, space: Space, changes: Sequence[Revision], linked: Collection[str]) -> Entities:
        """`linked`: those that references taken back lead to."""
        about = [change for change in changes if change.record == "entity"]
        present = entities.get_many(space.db, [*linked, *(change.record_id for change in about)])
        bearers = entities.by_normals(space.db, [c.before["normal"] for c in about if "normal" in c.before])
        merged = {change.before["merged_into"] for change in about if change.before.get("merged_into")}
        return cls(present, dict(present), bearers, {key: _way(space, key) for key in merged})

    def take_back(self, change: Revision) -> tuple[bool, list[str]]:
        """Whether that changed anything, and why what stays as it is cannot go back. A field that somebody changed
        since is left without a word."""
        entity = self.states.get(change.record_id)
        if entity is None:
            return False, []
        if change.act == "create":
            untouched = self.present[entity.id].version == change.version
            back = replace(entity, state=EntityState.PROPOSED, merged_into=None) if untouched else entity
            self.states[entity.id] = back
            return back != entity, []
        same = [name for name, value in change.after.items() if plain(getattr(entity, name)) == value]
        problems = []
        for why, names in self._impossible(entity, change):
            problems.append(why)
            same = [name for name in same if name not in names]
        back = replace(entity, **entity_fields({name: change.before[name] for name in same}))
        self.states[entity.id] = back
        return back != entity, problems

    def changes(self) -> list[tuple[Entity | None, Entity]]:
        """For the batch of the undo."""
        return [
            (self.present[key], replace(entity, version=self.present[key].version + 1))
            for key, entity in self.states.items()
            if entity != self.present[key]
        ]

    def _impossible(self, entity: Entity, change: Revision) -> Iterator[tuple[str, tuple[str, ...]]]:
        """(why, which fields) of an entity cannot be as before."""
        bearer = self.bearers.get(change.before.get("normal", ""))
        if bearer is not None and bearer.id != entity.id:
            yield f"“{bearer.name}” is the name of another entity ({bearer.id}) by now.", ("name", "normal")
        into = change.before.get("merged_into")
        if into and entity.id in self.ways[into]:
            yield f"What “{entity.name}” was merged into is merged into it by now; part them first.", ("merged_into",)


def _way(space: Space, key: str) -> set[str]:
    found: set[str] = set()
    while key not in found:
        found.add(key)
        entity = entities.get_many(space.db, [key]).get(key)
        key = entity.merged_into if entity and entity.merged_into else key
    return found


# What goes on counting whatever was decided, and is no reason to refuse.
_COUNTED = frozenset({"reinforced_at", "sessions", "ended_at", "seen_at", "content_hash", "slots"})


def without_change(current: Memory, change: Revision) -> tuple[Memory, tuple[str, ...]]:
    """The memory without this change, and the names of its fields that somebody changed again since.

    A field that holds what the change gave it goes back; one that holds what was before needs nothing; the number of
    confirmations goes back by what the change added.
    """
    back: dict[str, Any] = {}
    moved = []
    for name, given in change.after.items():
        if name not in Memory.__dataclass_fields__:
            continue
        was, present = change.before.get(name), plain(getattr(current, name))
        if present == given:
            back[name] = was
        elif name == "reinforcements":
            back[name] = max(present - (given - was), 0)
        elif present != was and name not in _COUNTED:
            moved.append("words" if name == "text" else name.replace("_", " "))
    return replace(current, **memory_fields(back)), tuple(moved)


DECIDED = frozenset({ConflictStatus.DECIDED, ConflictStatus.AUTOMATIC})
_OF_MEMORIES = ("memory", "reference")


def decides(change: Revision) -> bool:
    """Whether it is a decision of a conflict, or the undoing of one."""
    return change.record == "conflict" and bool({change.before.get("status"), change.after.get("status")} & DECIDED)


def withdrew(change: Revision) -> bool:
    """Whether a conflict was withdrawn because a side got other words, or the undoing of that."""
    causes = {(values.get("decision") or {}).get("cause") for values in (change.before, change.after)}
    return change.record == "conflict" and EDITED in causes


def group_changes(changes: Sequence[Revision], about: Mapping[str, Conflict]) -> list[list[Revision]]:
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
            self.memories[change.record_id] = _state_before(current, change)
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
        back, moved = without_change(current, change)
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


def _state_before(current: Memory, change: Revision) -> Memory:
    if change.act == "create":
        # Without lines a section counts as gone from its file: reading the file again brings it back.
        origin = replace(current.origin, first_line=None, last_line=None)
        return replace(current, state=State.DELETED, origin=origin)
    back = replace(current, **memory_fields(change.before))
    # The next older revision of the same run must find the version it produced.
    return replace(back, version=change.version - 1)
