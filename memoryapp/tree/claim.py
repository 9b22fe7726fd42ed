"""Which entry of an index is which node of now, and where they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memoryapp.domain.node import ROOT, Node
from memoryapp.tree.bank import Index
from memoryapp.tree.entry import Entry
from memoryapp.tree.listed import Listed, is_as_listed, listed


@dataclass(slots=True, eq=False)
class Place:
    """A node that the index is to tell, and its entry where it has one. `said`: what an index last said of it; `file`:
    where its markdown lies now."""

    node: Node
    entry: Entry | None
    said: Listed | None
    file: str | None

    @property
    def moved(self) -> bool:
        """It is new in the index, or at another path there."""
        return self.entry is None or self.entry.path != self.node.path

    @property
    def reordered(self) -> bool:
        return self.said is not None and self.said.position != self.node.position

    def changes(self) -> dict[str, Any]:
        """Fields in which the node differs from its entry; what that does not say is as it was when it was read."""
        node, entry, said = self.node, self.entry, self.said
        if entry is None:
            return {}
        told = {
            "title": entry.title or (said.title if said else node.title),
            "keywords": entry.keywords if entry.keywords is not None else said.keywords if said else (),
            "weight": entry.weight if entry.weight is not None else said.weight if said else 1.0,
            "file": said.file if said else self.file,
        }
        now = {"title": node.title, "keywords": node.keywords, "weight": node.weight, "file": self.file}
        return {name: value for name, value in now.items() if value != told[name]}


@dataclass(slots=True)
class Claims:
    """`places` by the path of now, those above first; `gone`: entries whose node is no more."""

    places: dict[str, Place] = field(default_factory=dict)
    gone: list[Entry] = field(default_factory=list)

    @property
    def differ(self) -> bool:
        return bool(self.gone) or any(one.moved or one.reordered or one.changes() for one in self.places.values())

    def under(self, index: Index) -> dict[str, list[Place]]:
        """The places directly under each path: in the document's order, or in their own where that changed."""
        found: dict[str, list[Place]] = {}
        for place in self.places.values():
            found.setdefault(place.node.parent, []).append(place)
        for above, some in found.items():
            if any(place.moved or place.reordered for place in some):
                some.sort(key=lambda one: (one.node.position, one.node.path))
            else:
                known = {path: n for n, path in enumerate(index.paths_under(above))}
                some.sort(key=lambda one: known[one.node.path])
        return found


def claimed(index: Index, nodes: Sequence[Node], files: Mapping[str, str], *, all_of_them: bool) -> Claims:
    """Each node takes the entry at the path that the index last said, else the one at its own. A node that never stood
    in the index, and says nothing but what its file does, stays out unless `all_of_them` are to be in it."""
    entries = dict(index.entries)
    said = {node.path: listed(node) for node in nodes}
    first = {path: one.path for path, one in said.items() if one and one.in_index and one.path in entries}
    taken = set(first.values())
    claims = Claims()
    known = {node.path: node for node in nodes}
    for path in sorted(known, key=lambda one: (one.count("/"), known[one].position, one)):
        node, kept = known[path], said[path]
        at = first.get(path) or (path if path not in taken else "")
        entry = entries.pop(at, None)
        silent = kept is not None and not kept.in_index and is_as_listed(node, kept)
        if entry is not None or all_of_them or not silent:
            claims.places[path] = Place(node, entry, kept, files.get(path))
            above = node.parent
            while index.nested and above != ROOT and above in known and above not in claims.places:
                claims.places[above] = Place(known[above], None, said[above], files.get(above))
                above = known[above].parent
    claims.gone = list(entries.values())
    return claims
