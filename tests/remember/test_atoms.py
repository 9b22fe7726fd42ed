"""Atoms become memories whose participants are entities, and what they state becomes relations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memoryapp.domain.change import Run
from memoryapp.domain.conflict import ConflictStatus
from memoryapp.domain.entity import Entity, EntityState
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Kind, MemoryType, Mood, State
from memoryapp.domain.relation import MadeBy, Relation, RelationState, RelationType
from memoryapp.domain.remembering import Became, NewMemory, RememberedItem
from memoryapp.extraction.atoms import parse
from memoryapp.graph import decide_entity, relate
from memoryapp.remember import atoms_of, preview_atoms, remember
from memoryapp.review import edit, hold, undo_run
from memoryapp.spaces import Space
from memoryapp.store import conflicts, entities, memories, relations
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, PERSON, runs_of

ALICE = "(prefers :subject Alice :object Python :memory_type semantic)"


def post(space: Space, text: str, *, words: str = "", **more: object) -> tuple[RememberedItem, ...]:
    items = atoms_of(text, NewMemory(words, **more))  # type: ignore[arg-type]
    return remember(space, items, actor=AGENT)


def roles(space: Space, memory: str) -> dict[str, tuple[str, float]]:
    edges = entities.references_of(space.db, [memory]).get(memory, ())
    named = entities.get_many(space.db, [edge.entity for edge in edges])
    return {named[edge.entity].name: (edge.role, edge.weight) for edge in edges}


def named(space: Space, name: str) -> Entity:
    (found,) = (one for one in entities.scan(space.db) if one.name == name)
    return found


def stated(space: Space, memory: str) -> list[tuple[str, str, str]]:
    edges = relations.of_facts(space.db, [memory])
    ends = entities.get_many(space.db, [end for edge in edges for end in (edge.subject, edge.object)])
    return [(ends[edge.subject].name, edge.type, ends[edge.object].name) for edge in edges]


def first_run(space: Space) -> Run:
    return runs_of(space.db)[-1]


def test_an_atom_is_kept_as_it_was_posted_and_read_aloud(space: Space) -> None:
    (told,) = post(space, ALICE)
    memory = memories.get(space.db, told.id)
    assert told.outcome is Became.WRITTEN
    assert (memory.kind, memory.text, memory.memory_type) == (Kind.ATOM, "Alice prefers Python.", MemoryType.SEMANTIC)
    assert memory.detail == {"atom": ALICE}
    assert parse(memory.detail["atom"]) == parse(ALICE)


def test_who_takes_part_is_known_at_once_in_its_role(space: Space) -> None:
    (told,) = post(space, '(gives :subject Alice :object "red book" :recipient Bob :locus Seoul :value 42)')
    assert roles(space, told.id) == {
        "Alice": ("subject", 1.0), "red book": ("object", 0.9), "Bob": ("recipient", 0.8), "Seoul": ("locus", 0.4),
        "42": ("value", 0.5),
    }  # fmt: skip
    assert named(space, "Alice").state is named(space, "Seoul").state is EntityState.KNOWN
    assert named(space, "Seoul").type == "place"
    assert named(space, "42").state is EntityState.PROPOSED  # a number is no name to look for in every text


def test_the_relation_is_the_atoms_and_holds_with_its_memory(space: Space) -> None:
    (told,) = post(space, ALICE, session="a", confidence=0.8)
    (edge,) = relations.of_facts(space.db, [told.id])
    assert (edge.type, edge.made_by, edge.fact, edge.session) == ("prefers", MadeBy.ATOM, told.id, "a")
    assert edge.confidence == 0.8 and not edge.hint and not edge.planned and edge.valid_to is None
    assert stated(space, told.id) == [("Alice", "prefers", "Python")]


def test_there_is_nothing_left_to_read_in_an_atom_and_a_note_beside_it_waits(space: Space) -> None:
    (told,) = post(space, ALICE)
    assert relations.count_due(space.db) == 0
    remember(space, [NewMemory("A note.")], actor=AGENT)
    assert list(relations.due_memories(space.db)) != [told.id] and relations.count_due(space.db) == 1


def test_the_same_atom_confirms_the_first_whoever_says_it_and_however_it_is_spelled(space: Space) -> None:
    (first,) = post(space, ALICE, session="a")
    (again,) = post(space, f"(p / {ALICE[1:-1]})  # said again\n", speaker="heron", session="b")
    assert again == RememberedItem(first.id, None, Became.REINFORCED, near=first.id)
    memory = memories.get(space.db, first.id)
    assert (memory.reinforcements, memory.sessions) == (1, ("a", "b"))
    assert len(relations.of_facts(space.db, [first.id])) == 1
    assert len(roles(space, first.id)) == 2


def test_several_atoms_are_several_memories_in_one_run(space: Space) -> None:
    told = post(space, f"{ALICE}\n(uses :subject Bob :object Rust)\n{ALICE}")
    assert [one.outcome.value for one in told] == ["written", "written", "reinforced"]
    assert told[0].id == told[2].id and len(runs_of(space.db)) == 1


def test_a_participant_is_found_by_its_alias_and_a_proposed_name_becomes_known(space: Space) -> None:
    remember(space, [NewMemory("We moved everything to `neovim` today.")], actor=AGENT)
    proposed = named(space, "neovim")
    assert proposed.state is EntityState.PROPOSED
    known = replace(proposed, aliases=("nvim",), state=EntityState.KNOWN, version=proposed.version + 1)
    run = new_run("edit", PERSON, now=space.clock())
    commit(space.db, run, Batch(entities=[(proposed, known)]), now=space.clock())
    (told,) = post(space, "(uses :subject Alice :object nvim)")
    assert roles(space, told.id)["neovim"][0] == "object"
    assert stated(space, told.id) == [("Alice", "uses", "neovim")]


def test_a_name_that_a_note_of_the_same_batch_proposes_is_known(space: Space) -> None:
    note = NewMemory("We moved everything to `tmux` today.")
    told = remember(space, [note, *atoms_of("(uses :subject Alice :object tmux)", NewMemory(""))], actor=AGENT)
    assert named(space, "tmux").state is EntityState.KNOWN
    assert roles(space, told[1].id)["tmux"][0] == "object" and roles(space, told[0].id)["tmux"][0] == "mention"


def test_a_refused_name_stays_refused_and_keeps_its_place_in_the_atom(space: Space) -> None:
    post(space, ALICE)
    decide_entity(space, named(space, "Python").id, EntityState.REFUSED, actor=PERSON)
    (told,) = post(space, "(uses :subject Bob :object Python)")
    assert named(space, "Python").state is EntityState.REFUSED
    assert roles(space, told.id)["Python"][0] == "object"


def test_a_known_name_inside_a_participant_is_mentioned(space: Space) -> None:
    post(space, ALICE)
    (told,) = post(space, '(uses :subject Bob :object "Python with uv")')
    assert roles(space, told.id)["Python"] == ("mention", 1.0)


def test_i_is_whoever_speaks(space: Space) -> None:
    (told,) = post(space, "(likes :subject I :object tea)", speaker="Mara")
    assert set(roles(space, told.id)) == {"Mara", "tea"} and named(space, "Mara").type == "person"
    (other,) = post(space, "(likes :subject me :object coffee)")
    assert set(roles(space, other.id)) == {"user", "coffee"}


def test_an_atom_that_contradicts_a_fact_raises_a_conflict(space: Space) -> None:
    (seoul,) = remember(space, [NewMemory("Minsu lives in Seoul.", kind=Kind.FACT)], actor=AGENT)
    (busan,) = post(space, "(lives_in :subject Minsu :locus Busan)")
    assert busan.outcome is Became.CONFLICT and busan.near == seoul.id
    (waiting,) = conflicts.page(space.db, status=ConflictStatus.WAITING)
    assert {waiting.existing, waiting.incoming} == {seoul.id, busan.id}


@pytest.mark.parametrize(
    "atom",
    [
        "(lives_in :subject Minsu :locus Busan :mood planned)",
        "(lives_in :subject Minsu :locus Busan :tense future)",
        "(lives_in :subject Minsu :locus Busan :mood conditional)",
        "(says :subject Jihye :object (lives_in :subject Minsu :locus Busan))",
    ],
)
def test_what_an_atom_does_not_claim_contradicts_nothing_either_way_round(space: Space, atom: str) -> None:
    remember(space, [NewMemory("Minsu lives in Seoul.", kind=Kind.FACT)], actor=AGENT)
    (told,) = post(space, atom)
    assert told.outcome is Became.WRITTEN
    (later,) = remember(space, [NewMemory("Minsu lives in Daegu.", kind=Kind.FACT)], actor=AGENT)
    assert later.near != told.id
    assert all(told.id not in (one.existing, one.incoming) for one in conflicts.page(space.db))


def test_a_plan_is_planned_in_its_memory_and_its_relation(space: Space) -> None:
    (told,) = post(space, "(uses :subject Alice :object Rust :mood planned)")
    (edge,) = relations.of_facts(space.db, [told.id])
    assert edge.planned and memories.get(space.db, told.id).mood is Mood.PLANNED


def test_what_was_so_is_over(space: Space) -> None:
    (told,) = post(space, '(worked_at :subject Alice :object "Hangang Labs" :tense past)')
    (edge,) = relations.of_facts(space.db, [told.id])
    assert edge.valid_to == edge.at and memories.get(space.db, told.id).detail["tense"] == "past"


def test_an_atom_that_confirms_a_fact_gives_it_its_roles(space: Space) -> None:
    (fact,) = remember(space, [NewMemory("Alice prefers Python.", kind=Kind.FACT)], actor=AGENT)
    (told,) = post(space, ALICE)
    assert told == RememberedItem(fact.id, None, Became.REINFORCED, near=fact.id)
    memory = memories.get(space.db, fact.id)
    assert memory.kind is Kind.FACT and memory.detail["atom"] == ALICE
    assert roles(space, fact.id) == {"Alice": ("subject", 1.0), "Python": ("object", 0.9)}
    assert stated(space, fact.id) == [("Alice", "prefers", "Python")]


def test_a_hint_becomes_what_the_atom_states_and_what_was_refused_stays_so(space: Space) -> None:
    (fact,) = remember(space, [NewMemory("Alice prefers Python.", kind=Kind.FACT)], actor=AGENT)
    post(space, ALICE)
    (edge,) = relations.of_facts(space.db, [fact.id])
    hint = replace(edge, made_by=MadeBy.RULES, confidence=0.6, version=edge.version + 1)
    put(space, edge, hint)
    post(space, ALICE)
    (found,) = relations.of_facts(space.db, [fact.id])
    assert (found.made_by, found.confidence, found.state) == (MadeBy.ATOM, 0.9, RelationState.HELD)
    put(space, found, replace(found, state=RelationState.REFUSED, version=found.version + 1))
    post(space, ALICE)
    assert [one.state for one in relations.of_facts(space.db, [fact.id])] == [RelationState.REFUSED]


def put(space: Space, before: Relation, after: Relation) -> None:
    run = new_run("edit", PERSON, now=space.clock())
    commit(space.db, run, Batch(relations=[(before, after)]), now=space.clock())


def test_a_new_atom_under_its_ref_takes_the_place_of_the_old_one(space: Space) -> None:
    (first,) = post(space, ALICE, ref="pref-1")
    (second,) = post(space, "(prefers :subject Alice :object Rust)", ref="pref-1")
    assert second.id == first.id and memories.get(space.db, first.id).text == "Alice prefers Rust."
    assert roles(space, first.id) == {"Alice": ("subject", 1.0), "Rust": ("object", 0.9)}
    assert stated(space, first.id) == [("Alice", "prefers", "Rust")]
    (same,) = post(space, "(prefers :subject Alice :object Rust)", ref="pref-1")
    assert same.outcome is Became.UNCHANGED


def test_a_note_under_the_ref_of_an_atom_leaves_nobody_in_a_role(space: Space) -> None:
    (first,) = post(space, ALICE, ref="pref-1")
    remember(space, [NewMemory("Alice came by.", ref="pref-1")], actor=AGENT)
    assert {role for role, _ in roles(space, first.id).values()} <= {"mention"}
    assert relations.of_facts(space.db, [first.id]) == ()
    assert list(relations.due_memories(space.db)) == [first.id]


def test_undoing_the_run_takes_memory_edges_and_relations_back(space: Space) -> None:
    (told,) = post(space, ALICE)
    undo_run(space, first_run(space).id, actor=PERSON)
    assert memories.get(space.db, told.id).state is State.DELETED
    assert relations.of_facts(space.db, [told.id]) == ()


def test_edited_words_say_no_more_what_the_atom_said_until_they_are_undone(space: Space) -> None:
    (told,) = post(space, ALICE)
    edited = edit(space, told.id, {"text": "Alice prefers Rust."}, actor=PERSON)
    assert "atom" not in memories.get(space.db, told.id).detail
    assert list(relations.due_memories(space.db)) == [told.id]  # whoever reads words for relations, reads these
    undo_run(space, edited.run.id, actor=PERSON)
    memory = memories.get(space.db, told.id)
    assert memory.detail["atom"] == ALICE and memory.text == "Alice prefers Python."


def test_what_reads_words_leaves_a_fact_what_an_atom_said_of_it(space: Space) -> None:
    (fact,) = remember(space, [NewMemory("Minsu lives in Busan.", kind=Kind.FACT)], actor=AGENT)
    post(space, "(lives_in :subject Minsu :locus Busan)")
    before = relations.of_facts(space.db, [fact.id]), roles(space, fact.id)
    assert relations.count_due(space.db) == 1
    relate(space, actor=AGENT)
    assert (relations.of_facts(space.db, [fact.id]), roles(space, fact.id)) == before


def test_new_words_take_the_roles_of_the_old_ones_away(space: Space) -> None:
    (told,) = post(space, "(lives_in :subject Minsu :locus Busan)")
    edit(space, told.id, {"text": "Minsu works at Naver."}, actor=PERSON)
    relate(space, actor=AGENT)
    assert stated(space, told.id) == [("Minsu", "works_at", "Naver")]
    assert roles(space, told.id) == {"Minsu": ("subject", 1.0), "Naver": ("object", 0.9)}
    (edge,) = relations.of_facts(space.db, [told.id])
    assert edge.hint


def test_an_undone_edit_brings_back_what_the_atom_joined(space: Space) -> None:
    text = '(set_up :subject Adam :object "deployment pipeline" :instrument Terraform)'
    (told,) = post(space, text)
    edited = edit(space, told.id, {"text": "Adam went home."}, actor=PERSON)
    relate(space, actor=AGENT)
    assert relations.of_facts(space.db, [told.id]) == ()
    undo_run(space, edited.run.id, actor=PERSON)
    relate(space, actor=AGENT)
    assert sorted(stated(space, told.id)) == [("Adam", "created", "deployment pipeline"), ("Adam", "uses", "Terraform")]


def test_an_atom_that_was_put_aside_is_written_anew(space: Space) -> None:
    (first,) = post(space, ALICE)
    edit(space, first.id, {"text": "Alice prefers Rust."}, actor=PERSON)
    (second,) = post(space, ALICE)
    assert second.id != first.id
    hold(space, [first.id], actor=PERSON)


def test_words_and_a_ref_go_with_a_single_atom(space: Space) -> None:
    (told,) = post(space, ALICE, words="Alice likes Python best of all.")
    assert memories.get(space.db, told.id).text == "Alice likes Python best of all."
    for name in ("words", "ref"):
        with pytest.raises(BadInput, match="2 atoms and one") as refused:
            post(space, f"{ALICE} {ALICE}", **{name: "x"})  # type: ignore[arg-type]
        assert refused.value.field in ("/text", "/ref")


@pytest.mark.parametrize("text", ["", "(prefers :subject Alice", f"{ALICE}\n(likes :who Bob)", "likes"])
def test_a_mistake_names_its_place_and_stores_nothing(space: Space, text: str) -> None:
    with pytest.raises(BadInput, match=r"Line \d+, column \d+: ") as refused:
        post(space, text)
    assert refused.value.field == "/atoms"
    assert runs_of(space.db) == () and tuple(memories.scan(space.db)) == ()


def test_an_atom_of_the_wrong_kind_is_refused(space: Space) -> None:
    (item,) = atoms_of(ALICE, NewMemory(""))
    for wrong in (replace(item, kind=Kind.NOTE), replace(item, atom=None)):
        with pytest.raises(BadInput, match="PENMAN"):
            remember(space, [wrong], actor=AGENT)


def test_a_preview_tells_all_and_stores_nothing(space: Space) -> None:
    post(space, ALICE)
    before = (runs_of(space.db), tuple(entities.scan(space.db)))
    text = f"{ALICE} (uses :subject Alice :object nvim) (uses :subject Alice :object nvim)"
    would = preview_atoms(space, atoms_of(text, NewMemory("")))
    assert [one.outcome.value for one in would] == ["reinforced", "written", "reinforced"]
    assert would[0].near is not None and would[0].near.text == "Alice prefers Python."
    assert would[1].near is None and would[2].near is None
    assert [(entity.name, role.value) for entity, role in would[1].part.participants] == [
        ("Alice", "subject"),
        ("nvim", "object"),
    ]
    assert [edge.type for _, edge, _ in would[1].part.relations] == [RelationType.USES]
    assert (runs_of(space.db), tuple(entities.scan(space.db))) == before


def test_korean_atoms_are_read_aloud_in_korean(space: Space) -> None:
    (told,) = post(space, "(좋아하다 :subject 민수 :object 파이썬)")
    assert memories.get(space.db, told.id).text == "민수는 파이썬을 좋아하다."
    assert stated(space, told.id) == [("민수", "prefers", "파이썬")]
