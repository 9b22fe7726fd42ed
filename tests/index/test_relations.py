from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest

from memoryapp.domain.relation import MadeBy, Relation, RelationState, RelationType
from memoryapp.index.draft import GraphDraft
from memoryapp.index.links import Relations
from tests.index.told import places
from tests.index.world import NOW, entity, relation

DAY = timedelta(days=1)


def draft_of(*made: Relation, entities: str = "abcd", **into: str) -> GraphDraft:
    """`into`: what was merged into what. Memory number n is called "mn" and sits in slot n."""
    draft = GraphDraft()
    draft.slot_of = {f"m{slot}": slot for slot in range(4)}
    for key in entities:
        draft.put_entity(key, entity(key, key, merged_into=into.get(key)))
    for one in made:
        draft.put_relation(one)
    return draft


def holding(of: Relations, held: list[int], **when: Any) -> set[str]:
    mask = np.isin(np.arange(4), held)
    return {of.ids[at] for at in np.flatnonzero(of.holding(mask, **when))}


def ids(**named: Relation) -> dict[str, Relation]:
    return {name: replace(one, id=name) for name, one in named.items()}


def test_a_relation_holds_while_its_fact_is_held_and_until_its_end() -> None:
    made = ids(
        free=relation("a", "uses", "b"),
        found=relation("a", "uses", "c", fact="m1"),
        lost=relation("a", "uses", "d", fact="gone"),
        over=relation("b", "uses", "c", valid_to=NOW),
        ends=relation("b", "uses", "d", valid_to=NOW + DAY, fact="m1"),
    )
    relations = draft_of(*made.values()).graph(4).relations
    assert holding(relations, [1], now=NOW) == {"free", "found", "ends"}
    assert holding(relations, [0, 2], now=NOW) == {"free"}
    assert holding(relations, [1], now=NOW + DAY) == {"free", "found"}
    assert relations.has_fact.tolist() == [False, True, True, False, True]


def test_without_a_moment_it_is_asked_for_now() -> None:
    past, coming = datetime(2000, 1, 1, tzinfo=NOW.tzinfo), datetime(2999, 1, 1, tzinfo=NOW.tzinfo)
    made = ids(past=relation("a", "uses", "b", valid_to=past), coming=relation("a", "uses", "c", valid_to=coming))
    assert holding(draft_of(*made.values()).graph(4).relations, []) == {"coming"}


def test_as_of_an_instant_only_what_was_known_by_then_holds() -> None:
    made = ids(
        later=relation("a", "uses", "b"),
        then=relation("a", "uses", "c", at=NOW - 9 * DAY),
        found=relation("a", "uses", "d", fact="m1"),
        over=relation("b", "uses", "c", at=NOW - 9 * DAY, valid_to=NOW - 6 * DAY),
    )
    relations = draft_of(*made.values()).graph(4).relations
    assert holding(relations, [1], as_of=NOW - 5 * DAY) == {"then", "found"}
    assert holding(relations, [1], as_of=NOW - 7 * DAY) == {"then", "found", "over"}
    assert holding(relations, [], as_of=NOW - 10 * DAY) == set()


def test_neighbours_are_symmetric_by_the_surest_and_without_plans() -> None:
    draft = draft_of(
        relation("a", "uses", "b", confidence=0.5),
        relation("b", "knows", "a", confidence=0.75),
        relation("a", "uses", "b", confidence=0.625, fact="m0"),
        relation("a", "uses", "c", planned=True),
        relation("c", RelationType.IS_A, "d", confidence=1.0),
        relation("d", "uses", "b", confidence=0.25, fact="m1"),
    )
    graph = draft.graph(4)
    keys: list[str | None] = [*"abcd"]
    held = np.array([True, False, False, False])
    expected = {("a", "b"): 0.75, ("b", "a"): 0.75, ("c", "d"): 1.0, ("d", "c"): 1.0}
    assert places(graph.neighbours(held, now=NOW), keys) == expected
    assert places(graph.neighbours(~held, now=NOW), keys) == expected | {("b", "d"): 0.25, ("d", "b"): 0.25}
    assert graph.neighbours(held).dtype == np.float32
    assert places(graph.children, keys) == {("d", "c"): 1.0}


def test_children_are_told_as_ever_said_and_as_held() -> None:
    draft = draft_of(relation("a", RelationType.IS_A, "b", fact="m0"), relation("b", RelationType.IS_A, "c"))
    graph = draft.graph(4)
    keys: list[str | None] = [*"abcd"]
    nothing = np.zeros(4, dtype=np.bool_)
    assert places(graph.children, keys) == {("b", "a"): 0.5, ("c", "b"): 0.5}
    assert places(graph.children_held(nothing, now=NOW), keys) == {("c", "b"): 0.5}


def test_a_merge_may_come_before_or_after_and_a_loop_of_it_is_no_relation() -> None:
    made = relation("a", "uses", "b"), relation("b", "uses", "c")
    before = draft_of(*made, a="b").graph(4)
    draft = draft_of(*made)
    assert len(draft.graph(4).relations) == 2
    draft.put_entity("a", entity("a", "a", merged_into="b"))
    after = draft.graph(4)
    for graph in (before, after):
        of = graph.relations
        assert [(graph.entities[s].id, graph.entities[o].id) for s, o in zip(of.subject, of.object, strict=True)] == [
            ("b", "c")
        ]


def test_a_relation_may_come_before_its_ends_and_its_fact() -> None:
    draft = draft_of(relation("x", "uses", "y", fact="late"), entities="")
    assert len(draft.graph(4).relations) == 0
    draft.put_entity("x", entity("x", "x"))
    draft.put_entity("y", entity("y", "y"))
    assert draft.graph(4).relations.fact.tolist() == [-1]
    draft.seats.seat("late", 3)
    assert draft.graph(4).relations.fact.tolist() == [3]


def test_the_same_id_in_both_tables_is_two_relations() -> None:
    one = replace(relation("a", "uses", "b"), id="same")
    draft = draft_of(one, replace(one, type=RelationType.IS_A))
    assert draft.graph(4).relations.is_a.tolist() == [False, True]
    draft.drop_relation("same", is_a=False)
    assert draft.graph(4).relations.is_a.tolist() == [True]


@pytest.mark.parametrize(
    "change",
    [
        {"state": RelationState.REFUSED},
        {"confidence": 1.0},
        {"planned": True},
        {"label": "other words"},
        {"type": "knows"},
        {"valid_to": NOW},
        {"at": NOW},
        {"made_by": MadeBy.PERSON},
        {"fact": "m2"},
    ],
)
def test_every_change_makes_a_new_state_and_leaves_the_old(change: dict[str, Any]) -> None:
    made = relation("a", "uses", "b", fact="m1", label="works with")
    draft = draft_of(made)
    before = draft.graph(4)
    draft.put_relation(made)
    assert draft.graph(4) is before
    draft.put_relation(replace(made, **change))
    after = draft.graph(4)
    assert after is not before
    assert (before.relations.label, before.relations.fact.tolist()) == (["works with"], [1])
    assert before.relations.types[before.relations.type[0]] == "uses" and not before.relations.planned[0]
    assert len(after.relations) == (0 if "state" in change else 1)
    assert len(before.relations) == 1


def test_nothing_is_an_empty_graph() -> None:
    graph = GraphDraft().graph(0)
    nothing = np.zeros(0, dtype=np.bool_)
    assert graph.neighbours(nothing).shape == graph.children.shape == (0, 0)
    assert graph.follows.shape == (0, 2) and len(graph.names[0]) == 0 and len(graph.relations) == 0


def test_dropping_what_is_not_there_is_nothing() -> None:
    draft = draft_of(relation("a", "uses", "b"))
    before = draft.graph(4)
    draft.drop_relation("nothing", is_a=True)
    draft.drop_follow(("m0", "m1"))
    draft.drop_name("a")
    draft.drop_reference(("m0", "a", "mention"))
    assert draft.graph(4) is before
    assert draft.edges.dead == 0
