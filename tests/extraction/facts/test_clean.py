from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.extraction.facts.sentences import plain, strip_greetings


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("**Bold** and `code` 🎉", "Bold and code"),
        ("- [x] ship the [release](https://example.com/a)", "ship the release"),
        ("i’m gonna go :)", "I'm going to go"),
        ("  too   much\tspace ", "too much space"),
        ("Dont panic, we wanna fix it", "Don't panic, we want to fix it"),
    ],
)
def test_markup_emoji_and_haste_go(said: str, left: str) -> None:
    assert plain(said).casefold() == left.casefold()


def test_because_is_not_made_of_the_cause_of_a_thing() -> None:
    assert plain("The cause of it is known") == "The cause of it is known"
    assert plain("I left 'cause I was tired") == "I left because I was tired"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Hey Melanie, I bought a car.", "I bought a car."),
        ("Wow, thanks, Mel! I bought a car.", "I bought a car."),
        ("Yeah, well, actually, I bought a car.", "I bought a car."),
        ("I bought a car, Melanie!", "I bought a car!"),
        ("Since we last talked, I bought a car.", "I bought a car."),
        ("So that is it.", "So that is it."),
        ("Nice cars are rare.", "Nice cars are rare."),
    ],
)
def test_greetings_fillers_and_names_called_go(said: str, left: str) -> None:
    assert strip_greetings(said, others=("Melanie",)) == left


def test_a_name_that_is_not_called_stays() -> None:
    assert strip_greetings("Melanie has a car.", others=("Melanie",)) == "Melanie has a car."
    assert strip_greetings("Wow, I saw Melanie!", others=("Melanie",)) == "I saw Melanie!"


@given(st.text(max_size=200), st.lists(st.text(max_size=20), max_size=3))
def test_any_text_and_any_names_are_borne(said: str, others: list[str]) -> None:
    left = strip_greetings(plain(said), others=others)
    assert left == left.strip()
    assert left[:1] == left[:1].upper() or len(left[:1].upper()) > 1
