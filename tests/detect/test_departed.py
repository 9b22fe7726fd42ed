"""Who has died does nothing any more, and a plan that was dropped is none; who is only missed is no contradiction."""

from __future__ import annotations

import pytest

from memoryapp.detect.departed import called_off, departed
from memoryapp.detect.reading import read
from memoryapp.detect.undoing import denies_otherwise


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Otto the hamster sleeps in a cage in the kitchen.", "Otto the hamster died over the weekend."),
        ("I call my mother every evening.", "My mother passed away when I was in college."),
        ("When I was ten, Grandma Ruth taught me to knit.", "Grandma Ruth died several years before I was born."),
    ],
)
def test_the_dead_do_nothing(one: str, other: str) -> None:
    assert departed(read(one), read(other)) and not departed(read(other), read(one))


@pytest.mark.parametrize(
    "one", ["My mother's name was Rosa.", "I visit my mother's grave every Sunday.", "My father sings in a choir."]
)
def test_the_dead_are_remembered_and_others_live(one: str) -> None:
    assert not departed(read(one), read("My mother passed away when I was in college."))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I'm running the Berlin marathon this September.", "I pulled out of this September's Berlin marathon."),
        ("We're flying to Crete in August.", "We cancelled the trip to Crete."),
        (
            "The family plans to spend Christmas in Vienna.",
            "The Vienna trip is cancelled; the family will stay at home.",
        ),
    ],
)
def test_a_plan_that_was_dropped_is_none(one: str, other: str) -> None:
    assert called_off(read(one), read(other))


def test_another_plan_stands() -> None:
    assert not called_off(read("We're flying to Crete in August."), read("We cancelled the trip to Norway."))
    assert not called_off(read("We went to Crete in August."), read("We cancelled the trip to Crete."))


@pytest.mark.parametrize(
    ("one", "other", "otherwise"),
    [
        ("I don't like cooking.", "I cook for the kids every evening.", True),
        ("Theo doesn't play football.", "Theo watches football every Saturday.", True),
        ("I don't like cooking.", "I love cooking for friends.", False),
        ("Theo doesn't play football.", "Theo plays football every Saturday.", False),
    ],
)
def test_a_denial_reaches_only_what_it_denies(one: str, other: str, otherwise: bool) -> None:
    assert denies_otherwise(read(one), read(other)) is otherwise
