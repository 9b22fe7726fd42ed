"""Turns as memories: found as soon as they are said, one hit with what was learned from them, forgotten with it."""

from __future__ import annotations

import pytest

from memoryapp import review
from memoryapp.domain.errors import BadInput, Cancelled
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.turn import NewTurn, Role, Turn
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.remember import append_turns, read_turns, remember, remember_turns
from memoryapp.search import search
from memoryapp.search.browse import browse
from memoryapp.spaces import Space
from memoryapp.store import memories, sessions, turns
from tests.samples import AGENT, PERSON

RULES = reader_of("rules", model=None, worth=2.5)
SAID = "Honestly the walls of my new flat in Lisbon are painted in three shades of teal, it is a bit much."


def say(space: Space, *texts: str, session: str = "s", role: Role = Role.USER) -> list[Turn]:
    sessions.open_session(space.db, sessions.Session(session, space.clock()))
    return append_turns(space, session, [NewTurn(text, speaker="Ines", role=role) for text in texts], actor=AGENT)


def found(space: Space, question: str, **filters: object) -> tuple[Hit, ...]:
    return search(space, Query(question, filters=Filters(**filters))).hits  # type: ignore[arg-type]


def learned(space: Space, text: str) -> tuple[Turn, Memory]:
    (turn,) = say(space, text)
    remember_turns(space)
    read_turns(space, reader=RULES, actor=AGENT)
    facts = [one for one in memories.of_turns(space.db, [turn.id]) if one.kind is Kind.FACT]
    (fact,) = [one for one in facts if "tailor" in one.text]
    return turn, fact


def test_a_turn_is_found_by_its_words_as_soon_as_it_is_said(space: Space) -> None:
    (turn,) = say(space, SAID)
    (hit,) = found(space, "shades of teal")
    assert (hit.memory.id, hit.memory.kind, hit.memory.text) == (turn.id, Kind.TURN, SAID)
    assert (hit.memory.speaker, hit.memory.origin.session) == ("Ines", "s")
    assert "cosine" not in hit.evidence


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
def test_whoever_said_it(space: Space, role: Role) -> None:
    (turn,) = say(space, SAID, role=role)
    assert [hit.memory.id for hit in found(space, "shades of teal")] == [turn.id]


def test_its_vector_follows(space: Space) -> None:
    say(space, SAID, "It rained all day.")
    assert remember_turns(space) == 2
    assert remember_turns(space) == 0
    assert found(space, "shades of teal")[0].evidence["cosine"] > 0


def test_turns_stand_beside_their_neighbours(space: Space) -> None:
    said = say(space, "Which colour are the walls?", "Teal.", "And the floor?")
    space.index.refresh()
    roster = space.index.view().roster
    middle = roster.slot(said[1].id)
    assert middle is not None
    assert [roster.ids[slot] for slot in roster.neighbours(middle, reach=1)] == [said[0].id, said[2].id]


def test_a_fact_and_its_turn_are_one_hit(space: Space) -> None:
    turn, fact = learned(space, "I work as a tailor in Porto.")
    hits = found(space, "tailor in Porto")
    assert len(hits) == 1
    assert {hits[0].memory.id, *(one.id for one in hits[0].beside)} == {turn.id, fact.id}
    (alone,) = found(space, "tailor in Porto", kinds=(Kind.FACT,))
    assert (alone.memory.id, alone.beside) == (fact.id, ())
    (said,) = found(space, "tailor in Porto", kinds=(Kind.TURN,))
    assert (said.memory.id, said.beside) == (turn.id, ())


def test_a_turn_that_says_little_is_given_with_the_one_it_answers(space: Space) -> None:
    asked, answer, _ = say(space, "Do you want the window seat or the aisle?", "The window.", "Booked, see you there!")
    hit = next(one for one in found(space, "window seat or aisle") if one.memory.id == answer.id)
    assert hit.answers is not None and hit.answers.id == asked.id
    other = next(one for one in found(space, "window seat or aisle") if one.memory.id == asked.id)
    assert other.answers is None


def test_lists_leave_turns_out_unless_they_are_asked_for(space: Space) -> None:
    turn, fact = learned(space, "I work as a tailor in Porto.")
    assert [one.id for one in browse(space, Filters()).memories] == [fact.id]
    assert [one.id for one in browse(space, Filters(kinds=(Kind.TURN,))).memories] == [turn.id]


def test_a_turn_stays_as_it_was_said(space: Space) -> None:
    (turn,) = say(space, SAID)
    with pytest.raises(BadInput, match="stays as it was said"):
        review.edit(space, turn.id, {"text": "Something else."}, actor=PERSON)
    with pytest.raises(BadInput, match="stays as it was said"):
        review.edit(space, turn.id, {"speaker": "Bruno"}, actor=PERSON)
    review.edit(space, turn.id, {"tags": ["flat"]}, actor=PERSON)
    assert memories.get(space.db, turn.id).tags == ("flat",)


def test_whoever_deletes_a_fact_is_not_answered_by_its_turn(space: Space) -> None:
    turn, fact = learned(space, "I work as a tailor in Porto.")
    done = review.delete(space, [fact.id], actor=PERSON)
    assert not found(space, "tailor in Porto")
    review.hold(space, [fact.id], actor=PERSON)
    assert {memories.get(space.db, key).state for key in (turn.id, fact.id)} == {State.HELD}
    review.delete(space, [fact.id], actor=PERSON)
    review.undo_run(space, review_last(space, fact.id), actor=PERSON)
    assert memories.get(space.db, turn.id).state is State.HELD
    assert done


def review_last(space: Space, key: str) -> str:
    from memoryapp.store import revisions

    return revisions.of_record(space.db, key)[-1].run


def test_turns_that_confirmed_a_deleted_fact_go_along(space: Space) -> None:
    _, fact = learned(space, "I work as a tailor in Porto.")
    (again,) = say(space, "I work as a tailor in Porto.", session="later")
    remember_turns(space)
    read_turns(space, reader=RULES, actor=AGENT)
    assert memories.get(space.db, fact.id).reinforcements == 1
    review.delete(space, [fact.id], actor=PERSON)
    assert memories.get(space.db, again.id).state is State.DELETED


def test_a_purged_fact_leaves_its_turn_without_its_words(space: Space) -> None:
    turn, fact = learned(space, "I work as a tailor in Porto. My sister works at the harbour museum.")
    receipt = review.purge(space, fact.id, actor=PERSON)
    assert receipt.complete, receipt.left
    kept = memories.get(space.db, turn.id)
    assert "tailor" not in kept.text
    assert "harbour museum" in kept.text
    assert not found(space, "tailor")
    (row,) = turns.of_session(space.db, "s")
    assert row.text == kept.text


def test_a_turn_that_says_nothing_else_goes_with_the_purged_fact(space: Space) -> None:
    turn, fact = learned(space, "I work as a tailor in Porto.")
    assert review.purge(space, fact.id, actor=PERSON).complete
    assert turn.id not in memories.get_many(space.db, [turn.id])
    turns.set_all_remembered(space.db, to=False)
    remember_turns(space)
    assert turn.id not in memories.get_many(space.db, [turn.id])


def test_a_purged_turn_takes_along_what_was_learned_from_it_alone(space: Space) -> None:
    turn, fact = learned(space, "I work as a tailor in Porto.")
    receipt = review.purge(space, turn.id, actor=PERSON)
    assert receipt.complete, receipt.left
    assert not memories.get_many(space.db, [turn.id, fact.id])
    assert [one.text for one in turns.of_session(space.db, "s")] == ["[purged]"]
    turns.set_all_remembered(space.db, to=False)
    remember_turns(space)
    assert not memories.get_many(space.db, [turn.id])


KEY = "ghp_" + "aB3d" * 9


def test_secrets_and_private_words_are_kept_nowhere(space: Space) -> None:
    sessions.open_session(space.db, sessions.Session("s", space.clock()))
    new = [
        NewTurn(f"Use {KEY} for the deploy of the heron service."),
        NewTurn("The heron is <private>called Bertha</private>, by the way."),
        NewTurn("I have a rash on my back.", private=True),
        NewTurn(KEY),
    ]
    kept = append_turns(space, "s", new, actor=AGENT)
    assert [turn.text for turn in kept] == [
        "Use [secret: API key] for the deploy of the heron service.",
        "The heron is [private], by the way.",
        "[private]",
        "[secret: API key]",
    ]
    assert [turn.number for turn in kept] == [1, 2, 3, 4]
    remember_turns(space)
    read_turns(space, reader=RULES, actor=AGENT)
    every = memories.scan(space.db)
    assert {one.id for one in every if one.kind is Kind.TURN} == {kept[0].id, kept[1].id}
    assert not [one for one in every if KEY in one.text or "Bertha" in one.text or "rash" in one.text]


def test_a_turn_that_asks_not_to_be_remembered_is_not_found(space: Space) -> None:
    first, second, third = say(space, "The sauna is at nine.", "I fired Jonas. Don't remember this.", "Bring a towel.")
    assert [hit.memory.id for hit in found(space, "fired Jonas")] == []
    assert [memories.get(space.db, one.id).position for one in (first, third)] == [1, 3]
    turns.set_all_remembered(space.db, to=False)
    remember_turns(space)
    assert second.id not in memories.get_many(space.db, [second.id])


def test_a_note_with_a_secret_is_masked_too(space: Space) -> None:
    (done,) = remember(space, [NewMemory(f"The key is {KEY}.")], actor=AGENT)
    assert memories.get(space.db, done.id).text == "The key is [secret: API key]."


class Impatient:
    """Stops whoever asks a second time."""

    def __init__(self) -> None:
        self.asked = 0

    def advance(self, done: int, total: int, counts: dict[str, object] | None = None) -> None: ...

    def cancelled(self) -> bool:
        self.asked += 1
        return self.asked > 1


def test_turns_of_before_become_memories_and_go_on_where_they_were_stopped(space: Space) -> None:
    texts = [f"The bridge over river number {n} was closed." for n in range(600)]
    said = [turn for n in range(0, 600, 200) for turn in say(space, *texts[n : n + 200])]
    space.db.query("DELETE memory RETURN NONE")
    turns.set_all_remembered(space.db, to=False)
    with pytest.raises(Cancelled):
        remember_turns(space, progress=Impatient())
    assert not turns.all_remembered(space.db)
    assert remember_turns(space) == len(said)
    assert turns.all_remembered(space.db)
    assert memories.get(space.db, said[3].id).position == said[3].number
    assert found(space, "river number 512")[0].memory.id == said[512].id
