"""The turn beside a fact: the quote is found in it and marked, whatever the white space."""

from __future__ import annotations

from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind
from memoryapp.domain.turn import Turn
from memoryapp.interfaces.facts.source import spoken_of
from tests.samples import NOON, a_memory


def turn(text: str) -> Turn:
    return Turn(new_id(), "standup", 3, text, NOON, "Jiwon")


def test_the_quote_is_marked_in_its_turn() -> None:
    fact = a_memory("Deploys stop on Friday.", kind=Kind.FACT, detail={"quote": "Deploys stop  on friday."})
    found = spoken_of(fact, turn("One thing.\nDeploys stop on\nFriday. Agreed?"))
    assert found
    assert (found.before, found.quote, found.after) == ("One thing.\n", "Deploys stop on\nFriday.", " Agreed?")
    assert found.href.endswith("?turn=3#t3")


def test_words_that_are_not_in_the_turn_are_not_marked() -> None:
    fact = a_memory("Deploys stop.", kind=Kind.FACT, detail={"quote": "nobody said this"})
    found = spoken_of(fact, turn("Something else was said."))
    assert found
    assert (found.before, found.quote, found.after) == ("", "", "Something else was said.")


def test_signs_in_a_quote_are_no_pattern() -> None:
    fact = a_memory("Costs.", kind=Kind.FACT, detail={"quote": "$5 (or 6.0*2)?"})
    found = spoken_of(fact, turn("It is $5 (or 6.0*2)? Yes."))
    assert found and found.quote == "$5 (or 6.0*2)?"


def test_a_long_turn_is_cut_around_the_quote() -> None:
    fact = a_memory("Deploys stop.", kind=Kind.FACT, detail={"quote": "deploys stop"})
    found = spoken_of(fact, turn("word " * 400 + "deploys stop " + "word " * 400))
    assert found and found.quote == "deploys stop"
    assert found.before.startswith("… word") and found.after.endswith("word …")
    assert len(found.before) + len(found.after) < 700


def test_without_a_turn_there_is_nothing_to_show() -> None:
    assert spoken_of(a_memory("Deploys stop."), None) is None
