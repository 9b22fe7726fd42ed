from __future__ import annotations

import pytest

from memoryapp.domain.fact import SpokenTurn
from memoryapp.extraction.facts.pipeline import extract_facts
from memoryapp.extraction.facts.rewrite import third


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("try", "tries"), ("play", "plays"), ("go", "goes"), ("watch", "watches"), ("have", "has"), ("be", "is"),
        ("do", "does"), ("fix", "fixes"), ("use", "uses"), ("echo", "echoes"), ("am", "is"), ("miss", "misses"),
    ],
)  # fmt: skip
def test_the_third_person_of_a_verb(verb: str, form: str) -> None:
    assert third(verb) == form


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I live in Seoul and work at Hangang Labs.", "Ana lives in Seoul and works at Hangang Labs."),
        ("I live in Lisbon and work as a nurse.", "Ana lives in Lisbon and works as a nurse."),
        ("I will live in Seoul and work at Hangang Labs.", "Ana will live in Seoul and work at Hangang Labs."),
        ("I drink tea and milk in the morning.", "Ana drinks tea and milk in the morning."),
    ],
)
def test_a_verb_that_was_taken_for_a_noun_agrees_as_the_one_it_is_joined_to(said: str, fact: str) -> None:
    (one,) = extract_facts([SpokenTurn(said, "Ana")])
    assert [candidate.text for candidate in one.candidates] == [fact]
