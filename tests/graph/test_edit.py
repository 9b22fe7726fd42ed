"""What a person corrects of an entity, and of relations."""

from __future__ import annotations

import pytest

from memoryapp.domain.entity import EntityState, EntityType
from memoryapp.domain.errors import BadInput, Clash, NotFound, Stale
from memoryapp.domain.relation import MadeBy, RelationState, RelationType
from memoryapp.domain.remembering import NewMemory
from memoryapp.extraction.entities.lexicon import lexicon_of
from memoryapp.graph import (
    add_relation,
    change_relation,
    edit_entity,
    hold_relation,
    merge,
    put_under,
    refuse_relation,
)
from memoryapp.graph.edit import relation_type
from memoryapp.remember import remember
from memoryapp.spaces import Space
from memoryapp.store import entities, relations
from tests.graph.world import World
from tests.samples import AGENT, PERSON


def test_a_new_name_keeps_the_old_one_as_an_alias(world: World, space: Space) -> None:
    world.has("Redis", state=EntityState.PROPOSED)
    after, run = edit_entity(space, world["Redis"], name=" Valkey  Cache ", type="Service", actor=PERSON)
    assert (after.name, after.normal, after.aliases, after.type) == (
        "Valkey Cache",
        "valkey cache",
        ("Redis",),
        "service",
    )
    assert after.state is EntityState.KNOWN and run.act == "edit entity"
    assert set(lexicon_of(space.db).names.entities("redis and valkey cache")) == {world["Redis"]}


def test_given_aliases_are_the_aliases(world: World, space: Space) -> None:
    world.has("Redis")
    edit_entity(space, world["Redis"], aliases=["REDIS", "레디스", "레디스 "], actor=PERSON)
    after, _ = edit_entity(space, world["Redis"], name="Valkey", aliases=["발키"], actor=PERSON)
    assert after.aliases == ("발키",)
    assert lexicon_of(space.db).names.entities("redis") == ()


def test_a_name_given_up_becomes_another_entity_where_it_is_seen_again(world: World, space: Space) -> None:
    world.has("Redis")
    edit_entity(space, world["Redis"], name="Valkey", aliases=[], actor=PERSON)
    remember(space, [NewMemory("Of [[Redis]]")], actor=AGENT)
    other = entities.by_normals(space.db, ["redis"])["redis"]
    assert other.id != world["Redis"]
    assert {edge.entity for edge in entities.scan_references(space.db)} == {other.id}


def test_a_name_that_another_has_is_refused_with_its_id(world: World, space: Space) -> None:
    world.has("Neovim", "nvim", "Vim")
    edit_entity(space, world["Vim"], aliases=["vi"], actor=PERSON)
    for change in ({"name": "NVIM"}, {"aliases": ["nvim"]}, {"name": "vi"}):
        with pytest.raises(Clash, match=f"({world['nvim']}|{world['Vim']}).*Merge them instead"):
            edit_entity(space, world["Neovim"], **change, actor=PERSON)  # type: ignore[arg-type]
    merge(space, world["Neovim"], [world["nvim"]], actor=PERSON)
    with pytest.raises(Clash):
        edit_entity(space, world["Neovim"], name="nvim", actor=PERSON)


def test_case_alone_may_change_and_no_change_is_no_write(world: World, space: Space) -> None:
    world.has("surrealdb")
    after, _ = edit_entity(space, world["surrealdb"], name="SurrealDB", actor=PERSON)
    assert (after.name, after.normal, after.aliases) == ("SurrealDB", "surrealdb", ())
    same, _ = edit_entity(space, world["surrealdb"], name="SurrealDB", actor=PERSON)
    assert same.version == after.version


def test_who_read_an_older_version_is_told(world: World, space: Space) -> None:
    world.has("Redis")
    edit_entity(space, world["Redis"], type="tool", aliases=["r2"], version=1, actor=PERSON)
    with pytest.raises(Stale) as told:
        edit_entity(space, world["Redis"], name="Valkey", version=1, actor=PERSON)
    assert told.value.current == 2


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": " …"}, "/name"), ({"name": "x" * 61}, "/name"), ({"type": "<b>"}, "/type"),
        ({"aliases": [""]}, "/aliases"), ({"aliases": [f"alias {n}" for n in range(51)]}, "/aliases"),
    ],
)  # fmt: skip
def test_bad_input_names_its_field(world: World, space: Space, change, field: str) -> None:  # type: ignore[no-untyped-def]
    world.has("Redis")
    with pytest.raises(BadInput) as told:
        edit_entity(space, world["Redis"], **change, actor=PERSON)
    assert told.value.field == field


def test_a_refused_name_stays_refused_and_one_that_is_not_there_is_told(world: World, space: Space) -> None:
    world.has("Redis", state=EntityState.REFUSED)
    after, _ = edit_entity(space, world["Redis"], type=EntityType.CONCEPT, actor=PERSON)
    assert after.state is EntityState.REFUSED
    with pytest.raises(NotFound):
        edit_entity(space, "0" * 16, name="x1", actor=PERSON)


def test_a_relation_by_hand_is_a_persons_and_is_there_once(world: World, space: Space) -> None:
    world.has("Adam", "Terraform")
    made, run = add_relation(space, world["Adam"], "Works on", world["Terraform"], label=" since  May ", actor=PERSON)
    assert (made.type, made.label, made.made_by, made.fact) == ("works_on", "since May", MadeBy.PERSON, None)
    assert relations.get(space.db, made.id) == made and run.act == "relate by hand"
    with pytest.raises(Clash, match="there already"):
        add_relation(space, world["Adam"], "works_on", world["Terraform"], label="since May", actor=PERSON)
    refuse_relation(space, made.id, actor=PERSON)
    again, _ = add_relation(space, world["Adam"], "works_on", world["Terraform"], actor=PERSON)
    assert (again.id, again.state, again.label) == (made.id, RelationState.HELD, "")


@pytest.mark.parametrize(
    ("type", "label", "object", "field"),
    [
        ("", "", "Terraform", "/type"),
        ("a b!", "", "Terraform", "/type"),
        ("uses", "x" * 61, "Terraform", "/label"),
        ("uses", "", "Adam", "/object"),
    ],
)
def test_what_is_no_relation_is_refused(
    world: World, space: Space, type: str, label: str, object: str, field: str
) -> None:
    world.has("Adam", "Terraform")
    with pytest.raises(BadInput) as told:
        add_relation(space, world["Adam"], type, world[object], label=label, actor=PERSON)
    assert told.value.field == field
    assert tuple(relations.scan(space.db, "relates")) == ()


def test_an_end_that_was_refused_or_is_not_there_is_told(world: World, space: Space) -> None:
    world.has("Adam")
    world.has("Spam", state=EntityState.REFUSED)
    with pytest.raises(Clash, match="Take it in first"):
        add_relation(space, world["Adam"], "uses", world["Spam"], actor=PERSON)
    with pytest.raises(NotFound):
        add_relation(space, world["Adam"], "uses", "0" * 16, actor=PERSON)


def test_a_corrected_hint_is_a_hint_no_longer(world: World, space: Space) -> None:
    world.has("Adam", "Terraform")
    found = world.related("Adam", "uses", "Terraform", planned=True)
    after, _ = change_relation(space, found.id, type="works on", planned=False, version=1, actor=PERSON)
    assert (after.type, after.planned, after.hint, after.version) == ("works_on", False, False, 2)
    assert relations.get(space.db, found.id) == after
    with pytest.raises(Stale):
        change_relation(space, found.id, label="x", version=1, actor=PERSON)
    with pytest.raises(BadInput, match="hierarchy"):
        change_relation(space, found.id, type="is_a", actor=PERSON)
    with pytest.raises(NotFound):
        refuse_relation(space, "0" * 16, actor=PERSON)


def test_a_refused_relation_is_held_again_unless_it_would_close_a_circle(world: World, space: Space) -> None:
    world.has("SurrealDB", "database")
    one, _ = put_under(space, world["SurrealDB"], world["database"], actor=PERSON)
    refuse_relation(space, one.id, actor=PERSON)
    refuse_relation(space, one.id, actor=PERSON)
    put_under(space, world["database"], world["SurrealDB"], actor=PERSON)
    with pytest.raises(Clash, match="circle"):
        hold_relation(space, one.id, actor=PERSON)
    world.has("Adam", "Terraform")
    hint = world.related("Adam", "uses", "Terraform")
    held, _ = hold_relation(space, hint.id, actor=PERSON)
    assert (held.made_by, held.state) == (MadeBy.PERSON, RelationState.HELD)
    same, _ = hold_relation(space, hint.id, actor=PERSON)
    assert same.version == held.version


@pytest.mark.parametrize(
    ("text", "type"),
    [("Works at", RelationType.WORKS_AT), ("mentored-by", "mentored-by"), ("좋아하는 것", "좋아하는_것")],
)
def test_a_relation_type_is_one_of_the_taxonomy_or_a_short_name(text: str, type: str) -> None:
    assert relation_type(text) == type
