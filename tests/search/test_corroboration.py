"""A turn and its best fact are one piece of evidence, which stands where both together reach."""

from __future__ import annotations

from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.turn import NewTurn, Role
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.remember import append_turns, read_turns, remember_turns
from memoryapp.search import search
from memoryapp.search.fusion import FACTS
from memoryapp.spaces import Space
from memoryapp.store import sessions
from tests.samples import AGENT, NOON

SAID = ("I moved to Busan last week. My dog is called Rex.", "How is Rex?", "He likes the harbour, thanks.")


def heard(space: Space) -> None:
    sessions.open_session(space.db, sessions.Session("s1", NOON))
    roles = (Role.USER, Role.ASSISTANT, Role.USER)
    said = [NewTurn(text, "Mina", role, NOON) for text, role in zip(SAID, roles, strict=True)]
    append_turns(space, "s1", said, actor=AGENT)
    read_turns(space, reader=reader_of("rules", model=None, worth=space.tuning.fact_worth), actor=AGENT, session="s1")
    remember_turns(space)


def best(space: Space, text: str, *kinds: Kind) -> Hit:
    return search(space, Query(text, filters=Filters(kinds=kinds))).hits[0]


def test_the_fact_leads_with_its_turn_beneath_and_the_shares_say_what_the_turn_adds(space: Space) -> None:
    heard(space)
    question = "What is the name of the dog?"
    piece, fact = best(space, question), best(space, question, Kind.FACT)
    assert piece.memory.text == fact.memory.text == "Mina's dog is called Rex."
    assert piece.turn is not None and piece.turn.text == SAID[0]
    own = {name: arm.share for name, arm in piece.arms.items() if name not in ("corroboration", "repetition")}
    assert abs(piece.score - sum(arm.share for arm in piece.arms.values())) < 1e-9
    assert "corroboration" in piece.arms and piece.arms["repetition"].share == 0
    beneath = piece.score - FACTS * sum(own.values())  # what the turn reaches by itself
    assert beneath > 0


def test_what_was_learned_from_one_turn_is_one_hit(space: Space) -> None:
    heard(space)
    hits = search(space, Query("Tell me about Mina, her dog and Busan")).hits
    learned = [hit for hit in hits if SAID[0] in (hit.memory.text, hit.turn.text if hit.turn else "")]
    assert len(learned) == 1
    (hit,) = learned
    assert len({hit.memory.text, *(fact.text for fact in hit.facts)}) == 2
    alone = search(space, Query("Tell me about Mina, her dog and Busan", filters=Filters(kinds=(Kind.FACT,)))).hits
    assert len(alone) == 2  # where turns are not asked for, each fact stands for itself
