"""Relations, the hierarchy, names as vectors, words to be read, pairs that may be one, and where things are drawn."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.entity import Alike, AlikeStatus, Entity, EntityState, EntityType, Reference, alike_id, type_named
from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.relation import MadeBy, Relation, RelationState, RelationType, relation_id
from memoryapp.store import embeddings, entities, entity_pairs, relations, revisions
from memoryapp.store.backup import backup, restore
from memoryapp.store.embeddings import NameEmbedding
from memoryapp.store.entities import Spot
from memoryapp.store.purge import leftovers, purge
from memoryapp.store.write import Batch, commit, new_run

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
ROBOT = Actor(ActorKind.MACHINE, "graph")


def entity(name, **more):
    made = {"type": EntityType.TOOL, "state": EntityState.KNOWN, "created_at": NOON} | more
    return Entity(derived_id("entity", name), name, name.lower(), **made)


ADAM, TERRAFORM, TOOL = entity("Adam", type=EntityType.PERSON), entity("Terraform"), entity("tool")


def fact(key, text, kind=Kind.FACT):
    return Memory(key * 16, kind, text, NOON, NOON, content_hash=key * 64)


def relation(subject, type, object, *, fact=None, **more):
    made = {"confidence": 0.6, "made_by": MadeBy.RULES, "created_at": NOON} | more
    key = relation_id(subject.id, type, object.id, fact)
    return Relation(key, subject.id, type, object.id, fact=fact, **made)


def write(db, **batch):
    run = new_run("relate", ROBOT, now=NOON)
    commit(db, run, Batch(**batch), now=NOON)
    return run


@pytest.fixture
def graph(db):
    uses = relation(ADAM, RelationType.USES, TERRAFORM, fact="a" * 16, label="works with")
    kind = relation(TERRAFORM, RelationType.IS_A, TOOL, made_by=MadeBy.PERSON)
    write(
        db,
        entities=[(None, one) for one in (ADAM, TERRAFORM, TOOL)],
        created=[fact("a", "Adam works with Terraform.")],
        relations=[(None, uses), (None, kind)],
    )
    return uses, kind


def test_a_relation_comes_back_as_it_was_written(db, graph):
    assert relations.get_many(db, [one.id for one in graph]) == {one.id: one for one in graph}
    assert relations.of_entities(db, [ADAM.id]) == (graph[0],)
    assert set(relations.of_entities(db, [TERRAFORM.id])) == set(graph)
    assert relations.of_facts(db, ["a" * 16]) == (graph[0],)
    assert tuple(relations.scan(db, "relates")) == (graph[0],) and tuple(relations.scan(db, "is_a")) == (graph[1],)


def test_a_relation_that_is_not_there_is_named_in_the_error(db):
    with pytest.raises(NotFound, match="no relation ffff"):
        relations.get(db, "ffff")


def test_finding_a_relation_again_does_not_bring_back_what_was_refused(db, graph):
    uses = graph[0]
    write(db, relations=[(uses, replace(uses, state=RelationState.REFUSED, version=2))])
    write(db, relations=[(None, uses)])
    assert relations.get(db, uses.id).state is RelationState.REFUSED


def test_the_refused_ones_of_an_entity_are_handed_over_alone_and_at_either_end(db, graph):
    uses, kind = graph
    assert relations.refused_of(db, [ADAM.id, TERRAFORM.id]) == ()
    gone = [replace(one, state=RelationState.REFUSED, version=2) for one in graph]
    write(db, relations=[(uses, gone[0])])
    assert relations.refused_of(db, [TERRAFORM.id]) == relations.refused_of(db, [ADAM.id]) == (gone[0],)
    write(db, relations=[(kind, gone[1])])
    assert set(relations.refused_of(db, [TERRAFORM.id])) == set(gone)


def test_of_two_who_change_one_relation_the_second_is_told(db, graph):
    uses = graph[0]
    write(db, relations=[(uses, replace(uses, label="knows", version=2))])
    with pytest.raises(Clash, match="changed by somebody else"):
        write(db, relations=[(uses, replace(uses, label="likes", version=2))])


def test_what_was_done_to_a_relation_is_in_its_revisions(db, graph):
    uses = graph[0]
    run = write(db, unrelated=[uses])
    left = revisions.of_run(db, run.id)
    assert [(one.record, one.record_id, one.act) for one in left] == [("relation", uses.id, "remove")]
    assert left[0].before["label"] == "works with" and relations.find(db, uses.id) is None


def test_a_purge_takes_along_what_was_found_in_the_words(db, graph):
    memory = fact("a", "Adam works with Terraform.")
    purge(db, memory, run=new_run("purge", ROBOT, now=NOON))
    assert relations.find(db, graph[0].id) is None
    assert not entities.get_many(db, [ADAM.id]), "a name that stood nowhere else"
    assert TERRAFORM.id in entities.get_many(db, [TERRAFORM.id]), "it has a place in the hierarchy"
    assert not any(leftovers(db, memory).values()) and relations.count_due(db) == 0


def test_a_purge_forgets_what_was_removed_before_it(db, graph):
    write(db, unrelated=[graph[0]])
    memory = fact("a", "Adam works with Terraform.")
    purge(db, memory, run=new_run("purge", ROBOT, now=NOON))
    assert not [one for one in revisions.page(db, limit=100) if one.before.get("label")]


def test_what_somebody_corrected_meanwhile_is_not_removed(db, graph):
    uses = graph[0]
    write(db, relations=[(uses, replace(uses, label="knows", version=2))])
    with pytest.raises(Clash, match="changed by somebody else"):
        write(db, unrelated=[uses])
    assert relations.get(db, uses.id).label == "knows"


def test_words_that_are_held_again_wait_again(db):
    one = fact("b", "Adam likes Terraform.")
    write(db, created=[one], graphed=[(one.id, 1)])
    away = replace(one, state=State.ARCHIVED)
    write(db, updated=[(one, away)])
    assert relations.count_due(db) == 0
    write(db, updated=[(replace(away, version=2), replace(one, version=2))])
    assert relations.due_memories(db) == {one.id: 3}


def test_new_words_wait_to_be_read_and_those_of_a_section_do_not(db):
    one, section = fact("b", "Adam likes Terraform."), fact("c", "## Goals", kind=Kind.SECTION)
    write(db, created=[one, section])
    assert relations.due_memories(db) == {one.id: 1}
    write(db, updated=[(one, replace(one, text="Adam left Terraform."))])
    assert relations.due_memories(db) == {one.id: 2}
    write(db, graphed=[(one.id, 1)])
    assert relations.count_due(db) == 1, "the words that were read are not the words it has now"
    write(db, graphed=[(one.id, 2)])
    assert relations.count_due(db) == 0


def test_a_merge_keeps_both_entities_and_is_told_in_a_revision(db, graph):
    merged = replace(TERRAFORM, merged_into=TOOL.id, version=2)
    run = write(db, entities=[(TERRAFORM, merged)])
    assert entities.get(db, TERRAFORM.id).merged_into == TOOL.id
    assert revisions.of_run(db, run.id)[0].after == {"merged_into": TOOL.id}


def test_names_without_a_vector_are_told_and_a_new_name_needs_a_new_one(db, graph):
    assert {name for _, name in embeddings.missing_names(db, "m")} == {"Adam", "Terraform", "tool"}
    vector = np.ones(4, dtype=np.float32) / 2
    embeddings.put_names(db, [NameEmbedding(one.id, "m", one.name, vector) for one in (ADAM, TERRAFORM, TOOL)])
    assert embeddings.missing_names(db, "m") == []
    write(db, entities=[(TERRAFORM, replace(TERRAFORM, name="terraform", version=2))])
    assert [name for _, name in embeddings.missing_names(db, "m")] == ["terraform"]
    assert [one.name for one in embeddings.scan_names(db, "m")] == [
        one.name for one in sorted((ADAM, TERRAFORM, TOOL), key=lambda one: one.id)
    ]
    assert np.array_equal(next(embeddings.scan_names(db, "m")).vector, vector)
    assert tuple(embeddings.scan_names(db, "other")) == ()


def test_a_pair_that_was_refused_is_not_proposed_again(db, graph):
    pair = Alike(alike_id(ADAM.id, TOOL.id), ADAM.id, TOOL.id, "looks alike", 0.9, AlikeStatus.WAITING, NOON)
    entity_pairs.propose(db, [pair])
    assert entity_pairs.waiting(db) == (pair,)
    entity_pairs.decide(db, replace(pair, status=AlikeStatus.REFUSED))
    entity_pairs.propose(db, [pair])
    assert entity_pairs.waiting(db) == () and entity_pairs.existing_pairs(db, [pair.id, "other"]) == {pair.id}


def test_a_pair_with_a_merged_side_does_not_wait(db, graph):
    pair = Alike(alike_id(ADAM.id, TOOL.id), ADAM.id, TOOL.id, "looks alike", 0.9, AlikeStatus.WAITING, NOON)
    entity_pairs.propose(db, [pair])
    write(db, entities=[(TOOL, replace(TOOL, merged_into=ADAM.id, version=2))])
    assert entity_pairs.waiting(db) == ()


def test_a_layout_replaces_the_one_before(db):
    entities.write_layout(db, {"a": Spot(1, 2, 0), "b": Spot(3, 4, 1)})
    entities.write_layout(db, {"b": Spot(5, 6, 0)})
    assert entities.read_layout(db) == {"b": Spot(5.0, 6.0, 0)} == entities.read_layout(db, ["a", "b"])


def test_a_backup_brings_the_graph_along(db, graph, kept, tmp_path):
    write(db, references_added=[Reference("a" * 16, ADAM.id, "subject", 1.0)])
    backup(db, tmp_path / "b.gz")
    restore(kept, tmp_path / "b.gz")
    assert relations.get_many(kept, [one.id for one in graph]) == {one.id: one for one in graph}
    assert relations.due_memories(kept) == relations.due_memories(db)


@pytest.mark.parametrize(("text", "name"), [("Tool", "tool"), (" Ship ", "ship"), ("연구 과제", "연구 과제")])
def test_a_type_is_a_short_name_in_small_letters(text, name):
    assert type_named(text) == name


@pytest.mark.parametrize("text", ["", "  ", "x" * 41, "a/b", "1st", "<b>"])
def test_what_is_no_type_is_refused(text):
    with pytest.raises(BadInput):
        type_named(text)
