from __future__ import annotations

import pytest

from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.domain.fact import SpokenTurn
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember import preview, read_again, read_turns, remember
from memoryapp.review import (
    all_exclusions,
    allow,
    count_waiting,
    exclude,
    exclusion_of,
    hold,
    purge,
    set_likeness,
    undo_run,
)
from memoryapp.spaces import Space
from memoryapp.store import memories, turns
from tests.remember.talk import LineReader, say
from tests.review.test_inbox import learn, texts
from tests.samples import AGENT, PERSON

RAN = "Mara ran the test suite on the staging server today."
RAN_TOO = "Mara ran the test suite on the staging server tonight."


def hear(space: Space, *lines: str, session: str = "tuesday") -> str:
    (key,) = say(space, "\n".join(lines), session=session)
    read_turns(space, reader=LineReader(), actor=AGENT)
    return key


def test_what_is_like_it_is_not_learned_the_rest_is_and_the_turn_stays(space: Space) -> None:
    (fact,) = learn(space, RAN)
    exclude(space, fact.id, actor=PERSON)
    assert memories.get(space.db, fact.id).state is State.DELETED and count_waiting(space) == 0
    key = hear(space, RAN_TOO, "Mara keeps bees in Ghent.")
    assert texts(space) == ["Mara keeps bees in Ghent."]
    reading = turns.readings(space.db, [key])[key]
    assert reading.excluded == (fact.id,) and reading.passed_over == 1
    assert turns.get(space.db, key).text.startswith(RAN_TOO)
    (one,) = all_exclusions(space)
    assert (one.fact.text, one.kept_out) == (RAN, 1)
    assert 0.3 < one.likeness < 0.85


def test_reading_a_turn_again_counts_once(space: Space) -> None:
    (fact,) = learn(space, RAN)
    exclude(space, fact.id, actor=PERSON)
    key = hear(space, RAN_TOO)
    read_again(space, [key])
    read_turns(space, reader=LineReader(), actor=AGENT)
    assert exclusion_of(space, fact.id).kept_out == 1


def test_an_undo_brings_fact_and_turn_back_and_its_like_is_learned_again(space: Space) -> None:
    (fact,) = learn(space, RAN)
    done = exclude(space, fact.id, actor=PERSON)
    assert fact.origin.turn is not None
    assert memories.get(space.db, fact.origin.turn).state is State.DELETED
    undo_run(space, done.run.id, actor=PERSON)
    assert memories.get(space.db, fact.origin.turn).state is State.HELD
    assert texts(space) == [RAN] and all_exclusions(space) == ()
    key = hear(space, RAN_TOO)
    assert turns.readings(space.db, [key])[key].excluded == ()


def test_removing_it_leaves_the_fact_deleted_and_can_be_undone(space: Space) -> None:
    (fact,) = learn(space, RAN)
    exclude(space, fact.id, actor=PERSON)
    removed = allow(space, fact.id, actor=PERSON)
    assert memories.get(space.db, fact.id).state is State.DELETED and all_exclusions(space) == ()
    hear(space, RAN_TOO)
    assert texts(space) == [RAN_TOO]
    with pytest.raises(NotFound):
        allow(space, fact.id, actor=PERSON)
    undo_run(space, removed.run.id, actor=PERSON)
    assert [one.fact.id for one in all_exclusions(space)] == [fact.id]


def test_a_fact_that_is_restored_excludes_nothing_and_not_when_it_is_deleted_again(space: Space) -> None:
    (fact,) = learn(space, RAN)
    exclude(space, fact.id, actor=PERSON)
    hold(space, [fact.id], actor=PERSON)
    assert all_exclusions(space) == () and memories.get(space.db, fact.id).detail.get("never") is None


def test_the_likeness_decides_what_is_like_it(space: Space) -> None:
    (fact,) = learn(space, RAN)
    exclude(space, fact.id, actor=PERSON, likeness=1.0)
    hear(space, RAN_TOO)
    assert texts(space) == [RAN_TOO]
    changed = set_likeness(space, fact.id, 0.5, actor=PERSON)
    hear(space, "Mara ran the test suite on the staging server at noon.", session="wednesday")
    assert texts(space) == [RAN_TOO] and exclusion_of(space, fact.id).likeness == 0.5
    undo_run(space, changed.run.id, actor=PERSON)
    assert exclusion_of(space, fact.id).likeness == 1.0
    for wrong in (0.0, 1.5, float("nan")):
        with pytest.raises(BadInput, match="likeness"):
            set_likeness(space, fact.id, wrong, actor=PERSON)


def test_the_very_words_are_excluded_without_a_model(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    from memoryapp.domain.errors import EncoderError
    from memoryapp.inference.embedding import EncoderSlot

    (fact,) = learn(space, RAN)
    exclude(space, fact.id, actor=PERSON)

    def refuses(self: EncoderSlot, patience: float) -> None:
        raise EncoderError("The model is not here.")

    monkeypatch.setattr(EncoderSlot, "get", refuses)
    hear(space, RAN.upper(), RAN_TOO)
    assert texts(space) == [RAN_TOO] and exclusion_of(space, fact.id).kept_out == 1


def test_one_owner_excludes_nothing_of_another(space: Space) -> None:
    (mine,) = learn(space, RAN, session="owner:user_id=mina")
    exclude(space, mine.id, actor=PERSON)
    hear(space, RAN_TOO, session="owner:user_id=jon")
    assert texts(space) == [RAN_TOO]
    key = hear(space, RAN_TOO, session="owner:user_id=mina&part=2")
    assert turns.readings(space.db, [key])[key].excluded == (mine.id,)


def test_a_preview_says_what_is_not_learned_and_why(space: Space) -> None:
    (fact,) = learn(space, RAN)
    exclude(space, fact.id, actor=PERSON)
    (told,) = preview(space, [SpokenTurn(RAN_TOO, "Mara")], reader=LineReader())
    assert told.would == ()
    assert [(one.quote, RAN in one.reason) for one in told.extracted.passed_over] == [(RAN_TOO, True)]


def test_a_purged_fact_excludes_nothing(space: Space) -> None:
    (fact,) = learn(space, RAN)
    exclude(space, fact.id, actor=PERSON)
    purge(space, fact.id, actor=PERSON)
    assert all_exclusions(space) == ()
    hear(space, RAN_TOO)
    assert texts(space) == [RAN_TOO]


def test_only_facts_and_each_once(space: Space) -> None:
    note = remember(space, [NewMemory("A note.", kind=Kind.NOTE)], actor=AGENT)[0]
    with pytest.raises(BadInput, match="only facts"):
        exclude(space, note.id, actor=PERSON)
    (fact,) = learn(space, RAN)
    exclude(space, fact.id, actor=PERSON)
    with pytest.raises(Clash):
        exclude(space, fact.id, actor=PERSON)
