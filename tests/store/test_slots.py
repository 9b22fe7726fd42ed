"""Held facts of a slot, for whoever says something in it."""

from __future__ import annotations

import pytest

from memoryapp.domain.memory import Kind, Memory, Origin, State
from memoryapp.store.database import Database
from memoryapp.store.memories import filling
from tests.samples import a_memory, written

KEY = "office|in"


def a_fact(text: str, session: str | None, *slots: str, state: State = State.HELD) -> Memory:
    return a_memory(text, kind=Kind.FACT, slots=slots or (KEY,), origin=Origin(session=session), state=state)


@pytest.mark.parametrize("owner", ["owner:user_id=mina", "owner:user_id=u3", None])
def test_of_many_owners_who_fill_a_slot_each_is_found_by_itself(db: Database, owner: str | None) -> None:
    made = [a_fact(f"Of {n}.", f"owner:user_id=u{n}") for n in range(30)]
    made += [a_fact("Mina's.", "owner:user_id=mina"), a_fact("More of hers.", "owner:user_id=mina&part=2")]
    made += [a_fact("Nobody's.", None), a_fact("Of a session.", "monday")]
    made += [a_fact("Another slot.", "owner:user_id=mina", "team|size"), a_fact("Gone.", None, state=State.ARCHIVED)]
    kept = {memory.id: memory.text for memory in written(db, *made)}
    wanted = {
        "owner:user_id=mina": {"Mina's.", "More of hers."},
        "owner:user_id=u3": {"Of 3."},
        None: {"Nobody's.", "Of a session."},
    }
    found = filling(db, [KEY], [owner], limit=4)
    assert {kept[one.memory] for one in found} == wanted[owner]
    assert {(one.kind, one.slots, one.owner) for one in found} == {(Kind.FACT, (KEY,), owner)}


def test_several_owners_at_once_and_none(db: Database) -> None:
    written(db, *(a_fact(f"Of {n}.", f"owner:user_id=u{n}") for n in range(5)), a_fact("Nobody's.", None))
    assert len(filling(db, [KEY], ["owner:user_id=u1", "owner:user_id=u2", None], limit=9)) == 3
    assert filling(db, [], [None], limit=9) == filling(db, [KEY], [], limit=9) == ()
