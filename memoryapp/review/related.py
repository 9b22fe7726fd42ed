"""Changes of relations taken back: a new one goes, one that went comes back, a changed one is as it was before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.change import Revision
from memoryapp.domain.relation import Relation
from memoryapp.spaces import Space
from memoryapp.store import entities, memories, relations
from memoryapp.store.revisions import relation_fields


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
        gone = [_told(change) for change in about if change.act == "remove"]
        there = entities.get_many(space.db, [key for one in gone for key in (one.subject, one.object)])
        facts = memories.get_many(space.db, [one.fact for one in gone if one.fact])
        return cls(present, dict(present), frozenset((*there, *facts)))

    def take_back(self, change: Revision) -> str | None:
        """Takes one change back, or says why that cannot be."""
        current = self.states.get(change.record_id)
        if change.act == "remove":
            return self._put_back(_told(change), current)
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


def _told(change: Revision) -> Relation:
    """The relation as its removal tells it."""
    return Relation(version=change.version - 1, **relation_fields(change.before))
