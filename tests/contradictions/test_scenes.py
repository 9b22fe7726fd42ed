"""Sentences of one frame in which one thing was exchanged: diet, lists, scenes."""

from __future__ import annotations

import pytest

from memoryapp.contradictions.exchanges import exchanges
from memoryapp.domain.statement import Relation
from tests.contradictions.say import verdict


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A man in a red coat stands on a bridge.", "A man in a green coat stands on a bridge."),
        ("Three women wait at a stop.", "Five women wait at a stop."),
        ("A boy is playing the violin.", "A boy is playing the cello."),
        ("A girl stands near the fountain.", "A girl stands far from the fountain."),
        ("They are cycling in Norway.", "They are cycling in Chile."),
    ],
)
def test_in_a_scene_one_thing_is_one_way(one: str, other: str) -> None:
    assert verdict(one, other, cosine=0.9).relation is Relation.CONFLICT


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A boy waits in a kitchen.", "A boy waits in a room."),
        ("A small dog barks.", "A little dog barks."),
        ("She sells carrots, onions, beans and eggs.", "She sells carrots, leeks, beans and eggs."),
        ("A crowd, including a girl with red hair, cheers.", "A crowd, including a girl with brown hair, cheers."),
    ],
)
def test_a_general_word_a_synonym_and_one_of_a_list_are_no_contradiction(one: str, other: str) -> None:
    assert not verdict(one, other, cosine=0.9).clashes


def test_an_exchange_is_found_with_the_words_around_it() -> None:
    [found] = exchanges("The office is on the third floor.", "The office is on the fifth floor.")
    assert (found.was, found.now) == (("third",), ("fifth",))
    assert exchanges("The office is closed.", "We had lunch with Ana in the park.") == ()


@pytest.mark.parametrize(
    ("diet", "meal", "clash"),
    [
        ("Mina is vegan.", "Mina loves goat cheese.", True),
        ("Mina is vegan.", "Mina loves vegan cheese.", False),
        ("Mina is vegetarian.", "Mina's favourite dish is mushroom risotto.", False),
        ("I don't drink alcohol.", "I enjoy a beer after work.", True),
        ("I don't drink alcohol.", "I enjoy alcohol-free beer.", False),
        ("Tom is lactose intolerant.", "Tom drinks a glass of milk every morning.", True),
        ("Tom is lactose intolerant.", "Ana drinks a glass of milk every morning.", False),
        ("Tom is allergic to peanuts.", "Tom has a peanut allergy.", False),
    ],
)
def test_a_diet_rules_out_what_it_rules_out(diet: str, meal: str, clash: bool) -> None:
    assert verdict(diet, meal).clashes is clash
    assert verdict(meal, diet).clashes is clash
