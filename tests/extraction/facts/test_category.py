from __future__ import annotations

import pytest

from memoryapp.domain.memory import Category
from memoryapp.extraction.facts.classification import category
from memoryapp.extraction.facts.parse import parse_sentences


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("My name is Jihoon.", Category.IDENTITY),
        ("I'm a backend engineer at a bank.", Category.IDENTITY),
        ("I live in Seoul.", Category.IDENTITY),
        ("I'm allergic to peanuts.", Category.PREFERENCES),
        ("I prefer tabs over spaces.", Category.PREFERENCES),
        ("I love painting.", Category.PREFERENCES),
        ("We chose Postgres instead of MySQL.", Category.WORK),
        ("The deploy failed because the token expired.", Category.WORK),
        ("My sister bought a guitar.", Category.PERSONAL),
        ("The wind was cold.", Category.OTHER),
    ],
)
def test_the_first_kind_that_fits(text: str, kind: Category) -> None:
    (sentence,) = parse_sentences([text])
    assert category(text, sentence) is kind


@pytest.mark.parametrize("text", ["We need love and support.", "I'm looking into the matter."])
def test_love_as_a_thing_and_looking_into_are_no_preferences(text: str) -> None:
    (sentence,) = parse_sentences([text])
    assert category(text, sentence) is not Category.PREFERENCES


def test_making_it_work_is_no_job() -> None:
    (sentence,) = parse_sentences(["We made it work."])
    assert category("We made it work.", sentence) is not Category.WORK
