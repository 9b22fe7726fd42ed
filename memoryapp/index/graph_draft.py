"""The writer's side of the graph: entities and all that joins them, as they are followed. Anything may come first."""

from __future__ import annotations

from memoryapp.domain.entity import Entity, Reference
from memoryapp.domain.relation import Relation
from memoryapp.index.chain import Chain
from memoryapp.index.edges import Edges
from memoryapp.index.graph import Graph
from memoryapp.index.links import Links
from memoryapp.index.namings import Namings
from memoryapp.index.register import Register
from memoryapp.index.seats import Seats
from memoryapp.store.embeddings import NameEmbedding
from memoryapp.store.lineage import Follow


class GraphDraft:
    """The part of a draft that `graph` is published of. `slot_of`: where each indexed memory sits."""

    def __init__(self) -> None:
        self.slot_of: dict[str, int] = {}
        self.register = Register()
        self.seats = Seats()
        self.links = Links(self.register, self.seats)
        self.edges = Edges(self.register, self.seats)
        self.chain = Chain(self.seats)
        self.namings = Namings(self.register)
        self._graph: Graph | None = None

    def put_entity(self, key: str, entity: Entity | None) -> None:
        self.register.put(key, entity)

    def put_reference(self, reference: Reference) -> None:
        self.links.put(reference, slot=self._slot(reference.memory))

    def drop_reference(self, key: tuple[str, str, str]) -> None:
        self.links.drop(key)

    def put_relation(self, relation: Relation) -> None:
        self.edges.put(relation, slot=self._slot(relation.fact))

    def drop_relation(self, key: str, *, is_a: bool) -> None:
        self.edges.drop(key, is_a=is_a)

    def put_follow(self, follow: Follow) -> None:
        self.chain.put(follow.later, follow.earlier, slots=(self._slot(follow.later), self._slot(follow.earlier)))

    def drop_follow(self, key: tuple[str, str]) -> None:
        self.chain.drop(*key)

    def put_name(self, embedding: NameEmbedding) -> None:
        """The vector of an entity's name; only those of the index's own model are to be given."""
        self.namings.put(embedding.entity, embedding.vector)

    def drop_name(self, entity: str) -> None:
        self.namings.put(entity, None)

    def graph(self, n: int) -> Graph:
        """The graph as it is now, for readers: the one of before where nothing of it changed. `n`: slots there are."""
        parts = (
            self.links.publish(n),
            self.edges.publish(),
            self.seats.publish(),
            self.namings.publish(),
            self.chain.publish(),
        )
        if self._graph is None or not self._graph.is_of(*parts):
            self._graph = Graph(*parts)
        return self._graph

    def _slot(self, memory: str | None) -> int:
        return self.slot_of.get(memory or "", -1)
