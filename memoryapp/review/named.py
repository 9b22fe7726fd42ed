"""Changes of entities taken back, field by field: an entity is shared by many memories."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.change import Revision
from memoryapp.domain.entity import Entity, EntityState
from memoryapp.spaces import Space
from memoryapp.store import entities
from memoryapp.store.revisions import entity_fields
from memoryapp.store.write import plain


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
