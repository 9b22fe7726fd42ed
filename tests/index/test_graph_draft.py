"""A graph fed piece by piece is the graph read anew in any order, and the one a plain reading of the rows gives."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memoryapp.domain.entity import Entity, EntityState, Reference
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.relation import MadeBy, Relation, RelationState, RelationType
from memoryapp.index import disk
from memoryapp.index.compact import compact_draft
from memoryapp.index.disk import Stamp
from memoryapp.index.draft import Draft
from memoryapp.store.embeddings import NameEmbedding
from memoryapp.store.lineage import Follow
from tests.index.told import rounded, the_graph
from tests.index.world import direction, entity, memory, named, relation
from tests.sampling import examples

MEMORIES = tuple(named(str(i)) for i in range(4))
ENTITIES = ("adam", "editor", "neovim", "nvim", "rome")
ROLES = ("mention", "object")
a_memory, an_entity = st.sampled_from(MEMORIES), st.sampled_from(ENTITIES)


class Feeding(RuleBasedStateMachine):
    """The dicts are the database's rows; `draft` hears of every change as it happens."""

    @initialize()
    def begin(self) -> None:
        self.draft = Draft()
        self.memories: dict[str, Memory] = {}
        self.entities: dict[str, Entity] = {}
        self.references: dict[tuple[str, str, str], Reference] = {}
        self.relations: dict[tuple[bool, str], Relation] = {}
        self.follows: set[Follow] = set()
        self.names: dict[str, NameEmbedding] = {}
        self.earlier: list[tuple[Any, dict[str, Any]]] = []
        for key in MEMORIES[:2]:  # something must be there before much can go wrong with it
            self.write(key, "melon", State.HELD)
        for key in ENTITIES[1:]:
            self.decide(key, EntityState.KNOWN, None, 0)
            self.name(key, "", True)
        self.refer(MEMORIES[0], "nvim", "mention", 0.5)
        self.relate("adam", "uses", "nvim", MEMORIES[0], 0.5, "works with", RelationState.HELD, False, MadeBy.RULES)

    @rule(key=a_memory, words=st.sampled_from(["melon", "fig"]), state=st.sampled_from(State))
    def write(self, key: str, words: str, state: State) -> None:
        self.memories[key] = memory(words, key=key, state=state)
        self.draft.put_memory(self.memories[key])

    @rule(key=a_memory)
    def erase(self, key: str) -> None:
        for edge in [edge for edge in self.references if edge[0] == key]:
            self.draft.drop_reference(edge)
            del self.references[edge]
        for follow in [one for one in self.follows if key in (one.later, one.earlier)]:
            self.draft.drop_follow((follow.later, follow.earlier))
            self.follows.discard(follow)
        if self.memories.pop(key, None):
            self.draft.drop_memory(key)

    @rule(
        key=an_entity,
        state=st.sampled_from(EntityState),
        into=st.sampled_from([None, None, *ENTITIES, "nobody"]),
        sightings=st.integers(0, 2),
    )
    def decide(self, key: str, state: EntityState, into: str | None, sightings: int) -> None:
        self.entities[key] = entity(key, key, state=state, merged_into=into, sightings=sightings)
        self.draft.put_entity(key, self.entities[key])

    @rule(key=an_entity, edges_first=st.booleans())
    def delete(self, key: str, edges_first: bool) -> None:
        """The database tells of an entity and of its edges in an order of its own."""
        gone: list[Callable[[], None]] = [
            *(lambda one=one: self.draft.drop_reference(one) for one in self.references if one[1] == key),
            *(
                lambda one=one: self.draft.drop_relation(one[1], is_a=one[0])
                for one, found in self.relations.items()
                if key in (found.subject, found.object)
            ),
        ]
        self.references = {edge: one for edge, one in self.references.items() if edge[1] != key}
        self.relations = {edge: one for edge, one in self.relations.items() if key not in (one.subject, one.object)}
        self.entities.pop(key, None)
        after = [] if edges_first else gone
        for drop in gone if edges_first else []:
            drop()
        self.draft.put_entity(key, None)
        for drop in after:
            drop()

    @rule(key=a_memory, to=an_entity, role=st.sampled_from(ROLES), weight=st.sampled_from([None, 0.5, 0.75]))
    def refer(self, key: str, to: str, role: str, weight: float | None) -> None:
        if weight is None:
            self.references.pop((key, to, role), None)
            self.draft.drop_reference((key, to, role))
        else:
            made = self.references[key, to, role] = Reference(key, to, role, weight)
            self.draft.put_reference(made)

    @rule(
        subject=an_entity,
        type=st.sampled_from(["uses", "knows", RelationType.IS_A]),
        object=an_entity,
        fact=st.sampled_from([None, *MEMORIES]),
        confidence=st.sampled_from([0.25, 0.5, 1.0]),
        label=st.sampled_from(["", "works with", "쓴다"]),
        state=st.sampled_from(RelationState),
        planned=st.booleans(),
        made_by=st.sampled_from(MadeBy),
    )
    def relate(
        self,
        subject: str,
        type: str,
        object: str,
        fact: str | None,
        confidence: float,
        label: str,
        state: RelationState,
        planned: bool,
        made_by: MadeBy,
    ) -> None:
        more: dict[str, Any] = {"label": label, "state": state, "planned": planned, "made_by": made_by}
        made = relation(subject, type, object, fact=fact, confidence=confidence, **more)
        self.relations[type == RelationType.IS_A, made.id] = made
        self.draft.put_relation(made)

    @rule(which=st.integers(0, 20))
    def unrelate(self, which: int) -> None:
        if self.relations:
            is_a, key = sorted(self.relations)[which % len(self.relations)]
            del self.relations[is_a, key]
            self.draft.drop_relation(key, is_a=is_a)

    @rule(later=a_memory, earlier=a_memory, there=st.booleans())
    def follow(self, later: str, earlier: str, there: bool) -> None:
        if there:
            self.follows.add(Follow(later, earlier))
            self.draft.put_follow(Follow(later, earlier))
        else:
            self.follows.discard(Follow(later, earlier))
            self.draft.drop_follow((later, earlier))

    @rule(key=an_entity, seed=st.sampled_from(["", "new"]), there=st.booleans())
    def name(self, key: str, seed: str, there: bool) -> None:
        if there:
            self.names[key] = NameEmbedding(key, "model", key, direction(seed + key))
            self.draft.put_name(self.names[key])
        else:
            self.names.pop(key, None)
            self.draft.drop_name(key)

    @rule()
    def publish(self) -> None:
        view = self.draft.publish(1)
        self.earlier = [*self.earlier[-2:], (view, the_graph(view))]

    @rule()
    def sweep(self) -> None:
        self.draft.publish(1)
        self.draft = compact_draft(self.draft)

    @rule()
    def through_the_disk(self) -> None:
        taken = disk.snapshot(self.draft, self.draft.publish(1), Stamp("db", "model"))
        header = disk.header_of(taken)
        self.draft = disk.restore_draft(header, {name: array.copy() for name, array in taken.items()})

    @rule()
    def hear_everything_again(self) -> None:
        """As the feed gives it again: nothing of it is new, and the graph is the same object."""
        before = self.draft.publish(1).graph
        for put in self.puts(self.draft):
            put()
        assert self.draft.publish(2).graph is before

    @rule(random=st.randoms(use_true_random=False))
    def read_anew(self, random: Random) -> None:
        """Any order, and everything twice, is the same."""
        fresh = Draft()
        puts = self.puts(fresh) * 2
        random.shuffle(puts)
        for at, put in enumerate(puts):
            put()
            if at == len(puts) // 2:
                fresh.publish(1)
        assert the_graph(fresh.publish(2)) == the_graph(self.draft.publish(2))

    def puts(self, draft: Draft) -> list[Callable[[], None]]:
        return [
            *(lambda one=one: draft.put_memory(one) for one in self.memories.values()),
            *(lambda key=key, one=one: draft.put_entity(key, one) for key, one in self.entities.items()),
            *(lambda one=one: draft.put_reference(one) for one in self.references.values()),
            *(lambda one=one: draft.put_relation(one) for one in self.relations.values()),
            *(lambda one=one: draft.put_follow(one) for one in self.follows),
            *(lambda one=one: draft.put_name(one) for one in self.names.values()),
        ]

    @invariant()
    def it_is_what_the_rows_say(self) -> None:
        if hasattr(self, "draft"):
            view = self.draft.publish(1)
            told = the_graph(view)
            assert told["entities"] == self.entities
            told["in short"] = {key: (*rest[:7], rest[-1]) for key, rest in told["relations"].items()}
            expected = self.read_plainly()
            assert {name: told[name] for name in expected} == expected

    @invariant()
    def earlier_views_are_as_they_were(self) -> None:
        for view, before in getattr(self, "earlier", ()):
            assert the_graph(view) == before

    def standing(self, key: str) -> str | None:
        way = [key]
        while True:
            one = self.entities.get(way[-1])
            if one is None or one.state is EntityState.REFUSED:
                return None
            if one.merged_into is None or one.merged_into not in self.entities:
                return one.id
            if one.merged_into in way:
                return min(way[way.index(one.merged_into) :])
            way.append(one.merged_into)

    def read_plainly(self) -> dict[str, Any]:
        """The same as told.the_graph, row by row."""
        there = {key for key, one in self.memories.items() if one.state is not State.DELETED}
        stands = {key: self.standing(key) for key in self.entities}
        edges: dict[tuple[str, str, str], float] = {}
        for (key, to, role), reference in self.references.items():
            if key in there and (end := stands.get(to)):
                edges[key, end, role] = max(edges.get((key, end, role), 0), reference.weight)
        weights: dict[tuple[str, str], float] = {}
        for (key, end, _), weight in edges.items():
            weights[key, end] = weights.get((key, end), 0) + weight
        related = {}
        neighbours: dict[tuple[str, str], float] = {}
        children: dict[tuple[str, str], float] = {}
        for (is_a, key), one in self.relations.items():
            ends = stands.get(one.subject), stands.get(one.object)
            if one.state is RelationState.REFUSED or not all(ends) or ends[0] == ends[1]:
                continue
            fact = one.fact if one.fact in there else None
            related[key, is_a] = (*ends, one.type, fact, one.fact is not None, one.confidence, one.planned, one.label)
            if one.planned or (one.fact and (fact is None or self.memories[fact].state is not State.HELD)):
                continue
            for pair in (ends, ends[::-1]):
                neighbours[pair] = max(neighbours.get(pair, 0), one.confidence)  # type: ignore[index, arg-type]
            if is_a:
                children[ends[::-1]] = max(children.get(ends[::-1], 0), one.confidence)  # type: ignore[index, arg-type]
        return {
            "stands": stands,
            "weights": weights,
            "degree": {end: len({key for key, to in weights if to == end}) for _, end in weights},
            "follows": {(one.later, one.earlier) for one in self.follows if {one.later, one.earlier} <= there},
            "names": {key: rounded(one.vector) for key, one in self.names.items() if stands.get(key) == key},
            "neighbours": neighbours,
            "children": children,
            "in short": related,
        }


TestFeeding = Feeding.TestCase
TestFeeding.settings = settings(max_examples=examples(16), stateful_step_count=30, deadline=None)
