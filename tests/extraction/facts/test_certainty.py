from __future__ import annotations

import pytest

from memoryapp.domain.memory import Mood
from memoryapp.extraction.facts.classification import confidence, decides, imagines, mood, moves
from memoryapp.extraction.facts.parse import parse_sentences


def sure(text: str, *, named_entity: bool = False) -> float:
    (sentence,) = parse_sentences([text])
    return confidence(text, sentence, named_entity=named_entity)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("I live in Seoul.", 0.9),
        ("My brother lives in Seoul.", 0.9),
        ("I'm going to move to Seoul.", 0.7),
        ("The trip taught me patience.", 0.7),
        ("The deploy failed at noon.", 0.7),
        ("I think I lost it.", 0.5),
        ("Small acts help.", 0.5),
        ("We might change the plan.", 0.5),
    ],
)
def test_confidence_is_how_it_was_said(text: str, points: float) -> None:
    assert sure(text) == points


def test_a_named_thing_is_surer_than_nobody() -> None:
    assert sure("Postgres runs well.", named_entity=True) > sure("Postgres runs well.")


def test_the_month_of_may_is_no_guess() -> None:
    assert sure("I moved to Seoul in May.") == 0.9


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Seoul.", Mood.ACTUAL),
        ("I want to learn Rust.", Mood.PLANNED),
        ("We're going to ship on Friday.", Mood.PLANNED),
        ("If the tests pass, we would merge it.", Mood.CONDITIONAL),
        ("I asked if it works.", Mood.ACTUAL),
        ("Maybe it rained.", Mood.UNCERTAIN),
    ],
)
def test_mood(text: str, expected: Mood) -> None:
    assert mood(text, own=True) is expected


def test_what_anybody_must_do_is_normative() -> None:
    assert mood("Every request must carry a token.", own=False) is Mood.NORMATIVE


@pytest.mark.parametrize("text", ["We decided to use Postgres.", "I switched to Vim.", "We agreed on two weeks."])
def test_a_decision_is_known(text: str) -> None:
    assert decides(text)


@pytest.mark.parametrize("text", ["We haven't decided yet.", "I never agreed to that.", "I like deciding late."])
def test_what_is_not_decided_is_none(text: str) -> None:
    assert not decides(text)


@pytest.mark.parametrize(
    ("text", "felt"), [("I was devastated.", True), ("I felt alone there.", True), ("I love painting.", False)]
)
def test_a_feeling_is_more_than_liking(text: str, felt: bool) -> None:
    (sentence,) = parse_sentences([text])
    assert moves(text, sentence) is felt


@pytest.mark.parametrize(
    "text",
    ["If I were on the team, I would prefer mornings.", "I'd sleep more if I had time.", "If we knew, we could plan."],
)
def test_what_is_thought_up_is_imagined(text: str) -> None:
    assert imagines(text)


@pytest.mark.parametrize(
    "text", ["If it rains, I take the bus.", "I would like to see if I was right.", "I prefer tea if there is any."]
)
def test_conditions_that_come_true_are_not_imagined(text: str) -> None:
    assert not imagines(text)
