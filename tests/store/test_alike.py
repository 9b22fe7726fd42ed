from __future__ import annotations

from dataclasses import replace

from memoryapp.domain.entity import Alike, AlikeStatus, Entity, EntityState, alike_id
from memoryapp.store import entity_pairs
from memoryapp.store.database import Database
from memoryapp.store.write import Batch, commit, new_run
from tests.graph.world import an_entity
from tests.samples import NOON, PERSON


def test_an_entitys_own_pairs_are_those_of_all_that_wait(db: Database) -> None:
    one, other, third, gone = (an_entity(name) for name in ("nvim", "Neovim", "vim", "vi"))
    written(db, one, other, third, gone)
    pairs = [pair(one, other, 0.7), pair(third, one, 0.9), pair(other, third, 0.8), pair(one, gone, 0.95)]
    entity_pairs.propose(db, pairs)
    commit(
        db,
        new_run("refuse", PERSON, now=NOON),
        Batch(entities=[(gone, replace(gone, state=EntityState.REFUSED, version=2))]),
        now=NOON,
    )
    assert [one.id for one in entity_pairs.waiting(db)] == [pairs[1].id, pairs[2].id, pairs[0].id]
    assert [one.id for one in entity_pairs.waiting_of(db, one.id)] == [pairs[1].id, pairs[0].id]
    assert [one.id for one in entity_pairs.waiting_of(db, third.id)] == [pairs[1].id, pairs[2].id]
    assert entity_pairs.waiting_of(db, gone.id) == ()
    entity_pairs.decide(db, replace(pairs[1], status=AlikeStatus.REFUSED))
    assert [one.id for one in entity_pairs.waiting_of(db, one.id)] == [pairs[0].id]


def pair(one: Entity, other: Entity, score: float) -> Alike:
    return Alike(alike_id(one.id, other.id), one.id, other.id, "alike", score, AlikeStatus.WAITING, NOON)


def written(db: Database, *some: Entity) -> None:
    commit(db, new_run("x", PERSON, now=NOON), Batch(entities=[(None, one) for one in some]), now=NOON)
