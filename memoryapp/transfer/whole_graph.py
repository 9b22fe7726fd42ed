"""The whole entity graph of an export as one scene: every entity that stands for itself, every relation that was not
refused. It is gathered from the lines as they are written, so that it says what the other files say."""

from __future__ import annotations

from collections import Counter

from memoryapp.domain.entity import EntityState
from memoryapp.domain.memory import State
from memoryapp.domain.relation import Held, MadeBy
from memoryapp.domain.scene import Edge, EdgeKind, EdgeState, Node, Scene
from memoryapp.graph.community_map import spots_of, sunflower
from memoryapp.spaces import Space
from memoryapp.transfer.shapes import Line

_KINDS = {"relates": EdgeKind.RELATION, "is_a": EdgeKind.IS_A}
_OF_ENTITY = ("id", "name", "type", "state", "merged_into")
_READ = frozenset({"entity", "memory", "references", *_KINDS})


class WholeGraph:
    """Takes the lines of all files in the order of SHAPES: memories before what speaks of them."""

    def __init__(self) -> None:
        self._entities: dict[str, Line] = {}
        self._held: set[str] = set()
        self._named: Counter[str] = Counter()
        self._relations: list[tuple[EdgeKind, Line]] = []

    def take(self, table: str, line: Line) -> None:
        if table not in _READ:
            return
        if table == "entity":
            self._entities[line["id"]] = {name: line.get(name) for name in _OF_ENTITY}
        elif table == "memory":
            if line["state"] == State.HELD:
                self._held.add(line["id"])
        elif table == "references":
            if line["memory"] in self._held:
                self._named[self._standing(line["entity"])] += 1
        elif line["state"] != Held.REFUSED:
            self._relations.append((_KINDS[table], line))

    def scene(self, space: Space) -> Scene:
        """Nodes and edges in order of their ids, at the places of the space's map, where one was drawn."""
        edges = [edge for kind, line in self._relations if (edge := self._edge(kind, line)) is not None]
        links = Counter(end for edge in edges for end in (edge.source, edge.target))
        shown = [
            one
            for key, one in sorted(self._entities.items())
            if self._standing(key) == key and (one["state"] != EntityState.REFUSED or links[key])
        ]
        spots, spread = spots_of(space), sunflower(len(shown))
        nodes = []
        for at, one in enumerate(shown):
            spot = spots.get(one["id"])
            x, y = (spot.x, -spot.y) if spot else (float(spread[at, 0]), float(spread[at, 1]))
            nodes.append(
                Node(
                    id=one["id"],
                    name=one["name"],
                    type=one["type"],
                    state=one["state"],
                    memories=self._named[one["id"]],
                    links=links[one["id"]],
                    hidden=0,
                    x=round(x, 4),
                    y=round(y, 4),
                )
            )
        return Scene(nodes=tuple(nodes), edges=tuple(edges), total=len(nodes))

    def _standing(self, key: str) -> str:
        """What the entity is merged into at last; of a circle, itself."""
        passed = [key]
        while (into := self._entities.get(passed[-1], {}).get("merged_into")) in self._entities:
            if into in passed:
                return key
            passed.append(into)
        return passed[-1]

    def _edge(self, kind: EdgeKind, line: Line) -> Edge | None:
        source, target = self._standing(line["subject"]), self._standing(line["object"])
        if source == target:
            return None
        fact = line.get("fact")
        over = line.get("valid_to") or (fact is not None and fact not in self._held)
        state = EdgeState.SUPERSEDED if over else EdgeState.PLANNED if line.get("planned") else EdgeState.HELD
        return Edge(
            id=line["id"],
            source=source,
            target=target,
            kind=kind,
            type=line["type"],
            state=state,
            label=line.get("label") or "",
            hint=line["made_by"] == MadeBy.RULES,
        )
