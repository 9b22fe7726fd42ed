"""Words into relations: what is written, what a second reading changes, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import pytest

from memoryapp.domain.entity import Entity, EntityState, EntityType, normal_form
from memoryapp.domain.errors import Cancelled
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.relation import MadeBy, NamedEntity, Relation, RelationState, RelationType, StatedRelation
from memoryapp.domain.remembering import NewMemory
from memoryapp.extraction.relations.sentences import ParsedTexts, Reading, Text
from memoryapp.graph import change_relation, decide_entity, find_alike, part, refuse_relation, relate
from memoryapp.remember import remember
from memoryapp.review import archive, edit, purge, undo_run
from memoryapp.spaces import Space
from memoryapp.store import entities, memories, relations, revisions
from tests.graph.world import World
from tests.samples import AGENT, PERSON, a_memory, written

USES = ("Adam", "uses", "Terraform")


def stated(subject: str, type: str, object: str, **more: Any) -> StatedRelation:
    return StatedRelation(
        NamedEntity(subject, more.pop("kind", "person")), type, NamedEntity(object), more.pop("confidence", 0.6), **more
    )


@dataclass
class Says:
    """A reader that knows by heart what texts state. Fails from call number `until` on."""

    by_heart: Mapping[str, Iterable[StatedRelation]]
    name: str = "rules"
    until: int = 1_000
    asked: list[Text] = field(default_factory=list)
    calls: int = 0

    def read(self, texts: Sequence[Text], *, said: ParsedTexts | None = None) -> list[Reading]:
        self.calls += 1
        if self.calls > self.until:
            raise OSError("the plug was pulled")
        self.asked.extend(texts)
        return [Reading(tuple(self.by_heart.get(one.text, ())), reader=self.name) for one in texts]


def a_fact(text: str, **more: Any) -> Memory:
    return a_memory(text, **({"kind": Kind.FACT} | more))


def named(space: Space, name: str) -> Entity:
    return entities.by_normals(space.db, [normal_form(name)])[normal_form(name)]


def joined(space: Space) -> set[tuple[str, str, str]]:
    """Every held relation by the names of its ends."""
    found = [
        one for table in relations.TABLES for one in relations.scan(space.db, table) if one.state is RelationState.HELD
    ]
    names = {one.id: one.name for one in entities.scan(space.db)}
    return {(names[one.subject], one.type, names[one.object]) for one in found}


def roles(space: Space, memory: Memory) -> dict[str, list[str]]:
    names = {one.id: one.name for one in entities.scan(space.db)}
    found: dict[str, list[str]] = {}
    for edge in entities.references_of(space.db, [memory.id]).get(memory.id, ()):
        found.setdefault(names[edge.entity], []).append(edge.role)
    return found


def the_relation(space: Space) -> Relation:
    (one,) = relations.scan(space.db, "relates")
    return one


def test_what_a_memory_states_becomes_a_relation_that_hangs_on_it(space: Space) -> None:
    (fact,) = written(space.db, a_fact("Adam uses Terraform."))
    told = relate(space, actor=AGENT, reader=Says({fact.text: [stated(*USES, label="works with")]}))
    one = the_relation(space)
    assert joined(space) == {USES}
    assert (one.fact, one.label, one.made_by, one.at) == (fact.id, "works with", MadeBy.RULES, fact.created_at)
    assert (told.read, told.relations, told.entities, relations.count_due(space.db)) == (1, 1, 2, 0)
    assert told.run is not None and told.run.detail is not None
    assert told.run.detail["relations"] == 1 and revisions.get_run(space.db, told.run.id).ended_at is not None
    assert named(space, "Adam").type == EntityType.PERSON


def test_a_role_takes_the_place_of_a_mention(world: World, space: Space) -> None:
    world.has("Terraform", "Linux")
    fact = world.said("Adam uses Terraform on Linux.", ("Terraform", "Linux"))
    relate(space, actor=AGENT, reader=Says({fact.text: [stated(*USES)]}))
    assert roles(space, fact) == {"Adam": ["subject"], "Terraform": ["object"], "Linux": ["mention"]}


def test_with_nothing_due_no_run_is_left(space: Space) -> None:
    assert relate(space, actor=AGENT, reader=Says({})).run is None


def test_where_extraction_is_off_words_stay_due(space: Space) -> None:
    written(space.db, a_fact("Adam uses Terraform."))
    assert relate(space, actor=AGENT, reader=Says({}, name="off")).run is None
    assert relations.count_due(space.db) == 1


def reworded(space: Space, memory: Memory, text: str) -> None:
    edit(space, memory.id, {"text": text}, actor=PERSON)


def test_reading_the_same_again_changes_nothing(space: Space) -> None:
    (fact,) = written(space.db, a_fact("Adam uses Terraform."))
    reader = Says({fact.text: [stated(*USES)], "Adam uses Terraform now.": [stated(*USES)]})
    relate(space, actor=AGENT, reader=reader)
    before, edges = the_relation(space), roles(space, fact)
    reworded(space, fact, "Adam uses Terraform now.")
    told = relate(space, actor=AGENT, reader=reader)
    assert (told.read, told.relations, told.changed, told.removed, told.entities) == (1, 0, 0, 0, 0)
    assert the_relation(space) == before and roles(space, fact) == edges


def test_what_new_words_do_not_bear_out_goes_and_the_name_stays_a_mention(world: World, space: Space) -> None:
    world.has("Terraform")
    fact = world.said("Adam uses Terraform.", ("Terraform",))
    reader = Says({fact.text: [stated(*USES)], "Terraform is old.": []})
    relate(space, actor=AGENT, reader=reader)
    reworded(space, fact, "Terraform is old.")
    assert relate(space, actor=AGENT, reader=reader).removed == 1
    assert joined(space) == set()
    assert roles(space, fact) == {"Terraform": ["mention"]}


def test_a_wish_that_came_true_is_the_same_relation_changed(space: Space) -> None:
    (fact,) = written(space.db, a_fact("Adam wants Terraform."))
    reader = Says({fact.text: [stated(*USES, planned=True)], "Adam has Terraform.": [stated(*USES)]})
    relate(space, actor=AGENT, reader=reader)
    reworded(space, fact, "Adam has Terraform.")
    assert relate(space, actor=AGENT, reader=reader).changed == 1
    assert (the_relation(space).planned, the_relation(space).version) == (False, 2)


def test_what_a_person_refused_stays_refused_and_what_one_corrected_stays(space: Space) -> None:
    one, two = written(space.db, a_fact("Adam uses Terraform."), a_fact("Mina uses Rust."))
    both = {one.text: [stated(*USES)], two.text: [stated("Mina", "uses", "Rust")]}
    reader = Says(both | {one.text[:-1]: both[one.text], two.text[:-1]: []})
    relate(space, actor=AGENT, reader=reader)
    ids = {relation.fact: relation.id for relation in relations.scan(space.db, "relates")}
    refuse_relation(space, ids[one.id], actor=PERSON)
    change_relation(space, ids[two.id], type="prefers", actor=PERSON)
    reworded(space, one, one.text[:-1])
    reworded(space, two, two.text[:-1])
    relate(space, actor=AGENT, reader=reader)
    assert relations.get(space.db, ids[one.id]).state is RelationState.REFUSED
    assert joined(space) == {("Mina", "prefers", "Rust")}


def test_a_name_is_known_at_its_second_sighting(space: Space) -> None:
    (one,) = written(space.db, a_fact("Adam uses Terraform."))
    reader = Says({one.text: [stated(*USES)], "Mina uses Terraform.": [stated("Mina", "uses", "Terraform")]})
    relate(space, actor=AGENT, reader=reader)
    assert named(space, "Terraform").state is EntityState.PROPOSED
    written(space.db, a_fact("Mina uses Terraform."))
    relate(space, actor=AGENT, reader=reader)
    assert (named(space, "Terraform").state, named(space, "Terraform").sightings) == (EntityState.KNOWN, 2)
    assert named(space, "Mina").state is EntityState.PROPOSED


def test_what_a_chat_model_found_is_no_hint_and_its_names_are_known(space: Space) -> None:
    (fact,) = written(space.db, a_fact("Bo uses Zig."))

    class Model(Says):
        def read(self, texts: Sequence[Text], *, said: ParsedTexts | None = None) -> list[Reading]:
            return [replace(one, reader="llm tiny") for one in super().read(texts)]

    relate(space, actor=AGENT, reader=Model({fact.text: [stated("Bo", "uses", "Zig")]}))
    assert the_relation(space).made_by is MadeBy.LLM and not the_relation(space).hint
    assert named(space, "Zig").state is EntityState.KNOWN


def test_a_refused_name_and_what_is_no_name_take_part_in_nothing(space: Space) -> None:
    (fact,) = written(space.db, a_fact("Adam uses Terraform."))
    again = [stated(*USES), stated("Adam", "uses", "12"), stated("…", "uses", "x" * 200)]
    reader = Says({fact.text: [stated(*USES)], "Again.": again})
    relate(space, actor=AGENT, reader=reader)
    decide_entity(space, named(space, "Terraform").id, EntityState.REFUSED, actor=PERSON)
    written(space.db, a_fact("Again."))
    assert relate(space, actor=AGENT, reader=reader).relations == 0


def test_what_is_put_aside_is_not_read(space: Space) -> None:
    (fact,) = written(space.db, a_fact("Adam uses Terraform."))
    archive(space, [fact.id], actor=PERSON)
    told = relate(space, actor=AGENT, reader=Says({fact.text: [stated(*USES)]}))
    assert (told.read, relations.count_due(space.db), tuple(entities.scan(space.db))) == (0, 0, ())


class Stops:
    """Asks to stop after so many batches."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.seen: list[tuple[int, int]] = []

    def advance(self, done: int, total: int, counts: dict[str, Any] | None = None) -> None:
        self.seen.append((done, total))

    def cancelled(self) -> bool:
        return len(self.seen) >= self.after


def many(space: Space, n: int) -> Says:
    facts = written(space.db, *(a_fact(f"Adam uses tool{x}x.") for x in range(n)))
    return Says({one.text: [stated("Adam", "uses", one.text[10:-1])] for one in facts})


def test_it_stops_when_asked_and_goes_on_where_it_was(space: Space) -> None:
    reader, progress = many(space, 100), Stops(after=1)
    with pytest.raises(Cancelled):
        relate(space, actor=AGENT, reader=reader, progress=progress)
    assert progress.seen == [(64, 100)] and len(joined(space)) == 64
    told = relate(space, actor=AGENT, reader=reader)
    assert (told.read, len(joined(space))) == (36, 100)
    assert named(space, "Adam").state is EntityState.KNOWN


def test_killed_in_the_middle_nothing_is_read_twice_or_lost(space: Space) -> None:
    reader = many(space, 100)
    with pytest.raises(OSError):
        relate(space, actor=AGENT, reader=replace(reader, until=1, asked=[]))
    relate(space, actor=AGENT, reader=reader)
    assert len(joined(space)) == 100 and len({one.text for one in reader.asked}) == 36


def test_no_more_is_read_than_asked_for(space: Space) -> None:
    reader = many(space, 10)
    assert relate(space, actor=AGENT, reader=reader, limit=3).read == 3
    assert relations.count_due(space.db) == 7


def test_another_spelling_of_a_known_name_is_one_with_it_from_the_start_and_can_be_parted(
    world: World, space: Space
) -> None:
    world.has("Neovim")
    (fact,) = written(space.db, a_fact("Adam uses nvim."))
    again = a_fact("Adam uses the NeoVim.")
    reader = Says({fact.text: [stated("Adam", "uses", "nvim")], again.text: [stated("Adam", "uses", "Neo-Vim")]})
    relate(space, actor=AGENT, reader=reader)
    nvim = named(space, "nvim")
    assert (nvim.merged_into, nvim.state) == (world["Neovim"], EntityState.KNOWN)
    assert joined(space) == {("Adam", "uses", "nvim")}, "its edges are its own"
    part(space, nvim.id, actor=PERSON)
    written(space.db, again)
    relate(space, actor=AGENT, reader=reader)
    assert named(space, "Neo-Vim").merged_into is not None
    assert named(space, "nvim").merged_into is None


def test_two_spellings_in_two_memories_are_two_sightings_of_one_thing(space: Space) -> None:
    one, two = a_fact("Adam uses Neovim."), a_fact("Mina uses nvim.")
    reader = Says({one.text: [stated("Adam", "uses", "Neovim")], two.text: [stated("Mina", "uses", "nvim")]})
    for fact in (one, two):
        written(space.db, fact)
        relate(space, actor=AGENT, reader=reader)
    assert named(space, "nvim").merged_into == named(space, "Neovim").id
    assert {named(space, name).state for name in ("nvim", "Neovim")} == {EntityState.KNOWN}


def test_the_name_everybody_knows_does_not_go_into_the_short_one(world: World, space: Space) -> None:
    world.has("nvim")
    (fact,) = written(space.db, a_fact("Adam uses Neovim."))
    relate(space, actor=AGENT, reader=Says({fact.text: [stated("Adam", "uses", "Neovim")]}))
    assert named(space, "Neovim").merged_into is None
    find_alike(space)
    assert named(space, "nvim").merged_into == named(space, "Neovim").id


def test_korean_and_very_long_names_take_part_like_others(space: Space) -> None:
    (fact,) = written(space.db, a_fact("미나는 서울 사무실에서 일한다."))
    told = [
        stated("미나", "works_at", "서울 사무실"),
        stated("미나", "knows", "가" * 61),
        stated("가" * 60, "knows", "미나"),
    ]
    relate(space, actor=AGENT, reader=Says({fact.text: told}))
    assert joined(space) == {("미나", "works_at", "서울 사무실"), ("가" * 60, "knows", "미나")}


def test_a_relation_that_a_person_changed_while_it_was_read_is_read_again_and_left(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    (fact,) = written(space.db, a_fact("Adam uses Terraform."))
    reader = Says({fact.text: [stated(*USES)], "Other words.": [stated(*USES, planned=True)]})
    relate(space, actor=AGENT, reader=reader)
    reworded(space, fact, "Other words.")
    module, done = import_module("memoryapp.graph.relate"), []
    real = module.relation_changes

    def late(*asked: Any, **more: Any) -> Any:
        batch = real(*asked, **more)
        if not done:
            done.append(change_relation(space, the_relation(space).id, label="since May", actor=PERSON))
        return batch

    monkeypatch.setattr(module, "relation_changes", late)
    told = relate(space, actor=AGENT, reader=reader)
    assert (the_relation(space).label, the_relation(space).planned, told.changed) == ("since May", False, 0)
    assert relations.count_due(space.db) == 0


def test_a_thing_is_not_joined_to_itself_under_another_name(world: World, space: Space) -> None:
    world.has("Neovim")
    world.has("nvim", merged_into=world["Neovim"])
    (fact,) = written(space.db, a_fact("nvim is Neovim."))
    relate(space, actor=AGENT, reader=Says({fact.text: [stated("nvim", "is_a", "Neovim")]}))
    assert joined(space) == set()


def test_nothing_is_put_above_itself(space: Space) -> None:
    one, two, three = written(
        space.db, a_fact("A database is a tool."), a_fact("A tool is a thing."), a_fact("A thing is a database.")
    )
    says = {
        one.text: [stated("Database", "is_a", "Tool", kind="")],
        two.text: [stated("Tool", "is_a", "Thing", kind="")],
        three.text: [stated("Thing", "is_a", "Database", kind="")],
    }
    relate(space, actor=AGENT, reader=Says(says))
    assert len(joined(space)) == 2
    assert {type for _, type, _ in joined(space)} == {RelationType.IS_A}


def test_a_guess_of_the_kind_is_taken_where_there_was_none_and_never_over_a_person(world: World, space: Space) -> None:
    world.has("Adam", "Terraform", type=EntityType.CONCEPT)
    fact = world.said("Adam uses Terraform.")
    relate(space, actor=AGENT, reader=Says({fact.text: [stated(*USES)]}))
    assert named(space, "Adam").type == EntityType.PERSON
    assert named(space, "Terraform").type != EntityType.PERSON


def test_an_atom_says_itself_what_it_states(space: Space) -> None:
    nested = "(plans :subject Bo :object (visits :subject Bo :object Busan))"
    written(
        space.db,
        a_memory("Alice prefers Python.", kind=Kind.ATOM, detail={"atom": "(prefers :subject Alice :object Python)"}),
        a_memory("Bo plans to visit Busan.", kind=Kind.ATOM, detail={"atom": nested}),
        a_memory("In other words than it came.", kind=Kind.ATOM),
    )
    reader = Says({})
    relate(space, actor=AGENT, reader=reader)
    assert joined(space) == {("Alice", "prefers", "Python"), ("Bo", "visited", "Busan")}
    assert [text.text for text in reader.asked] == ["In other words than it came."]
    assert {one.made_by for one in relations.scan(space.db, "relates")} == {MadeBy.ATOM}
    assert named(space, "Alice").state is EntityState.KNOWN


def test_the_rules_read_what_is_remembered(space: Space) -> None:
    texts = ["Adam uses Terraform.", "Mina works at Hangang Labs.", "The weather was mild."]
    remember(space, [NewMemory(text, kind=Kind.FACT) for text in texts], actor=AGENT)
    relate(space, actor=AGENT)
    assert {("Adam", "uses", "Terraform"), ("Mina", "works_at", "Hangang Labs")} <= joined(space)
    assert all(one.hint for one in relations.scan(space.db, "relates"))


def test_the_rules_tell_the_kind_of_a_known_name_of_which_nothing_was_known(world: World, space: Space) -> None:
    world.has("Jiwon", "Seoul", type=EntityType.CONCEPT)
    remember(space, [NewMemory("Jiwon lives in Seoul.", kind=Kind.FACT)], actor=AGENT)
    relate(space, actor=AGENT)
    assert (named(space, "Jiwon").type, named(space, "Seoul").type) == (EntityType.PERSON, EntityType.PLACE)


def test_a_narrower_kind_stands_under_the_wider_one(space: Space) -> None:
    remember(space, [NewMemory("SurrealDB is a multi-model database.", kind=Kind.FACT)], actor=AGENT)
    relate(space, actor=AGENT)
    assert joined(space) >= {
        ("SurrealDB", "is_a", "multi-model database"), ("multi-model database", "is_a", "database"),
    }  # fmt: skip


def test_what_the_job_found_is_undone_in_one_go(space: Space) -> None:
    remember(space, [NewMemory("Adam uses Terraform.", kind=Kind.FACT)], actor=AGENT)
    (fact,) = memories.scan(space.db)
    before = roles(space, fact)
    told = relate(space, actor=AGENT)
    assert joined(space) == {USES} and told.run is not None
    undone = undo_run(space, told.run.id, actor=PERSON)
    assert joined(space) == set() and roles(space, fact) == before and undone.left == ()
    undo_run(space, undone.run.id, actor=PERSON)
    assert joined(space) == {USES}


def test_what_is_purged_while_it_is_read_does_not_come_back_as_names(space: Space) -> None:
    gone, stays = written(space.db, a_fact("Quokka uses syrup."), a_fact("Adam uses Terraform."))

    class Purging(Says):
        """Somebody purges one of the memories while its words are read."""

        def read(self, texts: Sequence[Text], *, said: ParsedTexts | None = None) -> list[Reading]:
            purge(space, gone.id, actor=PERSON)
            return super().read(texts, said=said)

    knows = {gone.text: [stated("Quokka", "uses", "syrup")], stays.text: [stated(*USES)]}
    told = relate(space, actor=AGENT, reader=Purging(knows))
    assert joined(space) == {USES} and told.relations == 1
    assert not entities.by_normals(space.db, ["quokka", "syrup"]) and relations.count_due(space.db) == 0
