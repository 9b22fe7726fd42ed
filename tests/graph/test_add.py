"""An entity that a person names: what is linked to it at once and later, what is in its way, and its undo."""

from __future__ import annotations

import pytest

from memoryapp import graph
from memoryapp.domain.entity import EntityState
from memoryapp.domain.errors import BadInput, Clash
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember import remember
from memoryapp.review import undo_run
from memoryapp.spaces import Space
from memoryapp.store import entities
from tests.samples import AGENT


def noted(space: Space, text: str) -> str:
    (done,) = remember(space, [NewMemory(text=text)], actor=AGENT)
    return done.id


def named(space: Space, memory: str) -> set[str]:
    return {edge.entity for edge in entities.references_of(space.db, [memory]).get(memory, ())}


def test_memories_that_name_it_are_linked_whatever_their_case_those_there_are_and_those_to_come(space: Space) -> None:
    before = [noted(space, text) for text in ("we moved the pool to zfs", "I like the zfs", "배포 서버는 ZFS를 쓴다")]
    other = noted(space, "the prefix zfsx is another word")
    entity, _, linked = graph.add_entity(space, "ZFS", type="tool", aliases=["zpool"], actor=AGENT)
    assert (entity.state, entity.type, entity.aliases, linked) == (
        EntityState.KNOWN,
        "tool",
        ("zpool",),
        2,
    )  # the third showed it as a name already
    assert [named(space, memory) for memory in before] == [{entity.id}] * 3
    assert named(space, other) == set()
    assert named(space, noted(space, "the zfs grew")) == named(space, noted(space, "a second zpool")) == {entity.id}


def test_undo_takes_the_entity_and_its_links_away(space: Space) -> None:
    memory = noted(space, "we moved the pool to zfs")
    _entity, run, _ = graph.add_entity(space, "ZFS", actor=AGENT)
    undo_run(space, run.id, actor=AGENT)
    assert named(space, memory) == set()
    assert "zfs" not in {one.normal for one in entities.scan(space.db) if one.state is EntityState.KNOWN}
    assert named(space, noted(space, "more zfs")) == set()
    again, _, linked = graph.add_entity(space, "ZFS", actor=AGENT)
    assert again.state is EntityState.KNOWN and linked == 2


def test_a_name_that_was_only_proposed_is_taken_in_with_the_given_type_and_aliases(space: Space) -> None:
    memory = noted(space, "see [[Tantivy]]")
    entity, _, _ = graph.add_entity(space, "tantivy", type="tool", actor=AGENT)
    assert named(space, memory) == {entity.id}
    assert (entity.name, entity.type, entity.state) == ("tantivy", "tool", EntityState.KNOWN)


@pytest.mark.parametrize(("name", "aliases"), [("zfs", []), ("zpool", []), ("Storage", ["ZFS"])])
def test_a_name_that_an_entity_has_is_refused_with_that_ones_address(
    space: Space, name: str, aliases: list[str]
) -> None:
    entity, _, _ = graph.add_entity(space, "ZFS", aliases=["zpool"], actor=AGENT)
    with pytest.raises(Clash) as caught:
        graph.add_entity(space, name, aliases=aliases, actor=AGENT)
    assert caught.value.address == f"/entities/{entity.id}"


def test_a_refused_name_says_that_it_was_refused(space: Space) -> None:
    entity, _, _ = graph.add_entity(space, "Batching", actor=AGENT)
    graph.decide_entity(space, entity.id, EntityState.REFUSED, actor=AGENT)
    with pytest.raises(Clash, match="refused"):
        graph.add_entity(space, "batching", actor=AGENT)


@pytest.mark.parametrize("name", ["", " — ", "x" * 61])
def test_a_name_without_letters_or_too_long_is_refused(space: Space, name: str) -> None:
    with pytest.raises(BadInput):
        graph.add_entity(space, name, actor=AGENT)


def test_without_a_type_it_is_guessed_or_unknown(space: Space) -> None:
    assert graph.add_entity(space, "PostgreSQL", actor=AGENT)[0].type == "tool"
    assert graph.add_entity(space, "Harvest", actor=AGENT)[0].type == "unknown"
