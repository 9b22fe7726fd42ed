from __future__ import annotations

import pytest

from memoryapp.domain.fact import Extracted, Said
from memoryapp.domain.memory import Category
from memoryapp.extract.facts.pipeline import extract_facts


def read(text: str, speaker: str, *, others: tuple[str, ...] = ()) -> Extracted:
    (one,) = extract_facts([Said(text, speaker, others=others)])
    return one


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("We use Postgres 15 in production.", "The user uses Postgres 15 in production."),
        ("The staging server runs on port 8080.", "The staging server runs on port 8080."),
        ("The deploy failed because the token expired.", "The deploy failed because the token expired."),
        ("Redis is used for caching only.", "Redis is used for caching only."),
        ("My email is ann@example.com.", "The user's email is ann@example.com."),
    ],
)
def test_technical_statements_of_a_user_are_facts(said: str, fact: str) -> None:
    assert [one.text for one in read(said, "user").candidates] == [fact]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Fix the login bug in the settings page.", "a request"),
        ("I need help with my React component.", "a request"),
        ("You wrote a good summary of the meeting.", "about the other person"),
    ],
)
def test_requests_and_praise_are_passed_over(said: str, why: str) -> None:
    one = read(said, "user", others=("assistant",))
    assert [left.reason for left in one.passed_over] == [why]
    assert one.candidates == ()


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("I've updated the config to use port 9090.", "The assistant has updated the config to use port 9090."),
        ("You prefer tabs over spaces.", "The user prefers tabs over spaces."),
        ("The tests failed because of a missing token.", "The tests failed because of a missing token."),
    ],
)
def test_what_an_assistant_did_and_what_it_says_of_the_user_are_facts(said: str, fact: str) -> None:
    assert [one.text for one in read(said, "assistant", others=("user",)).candidates] == [fact]


@pytest.mark.parametrize(
    "said",
    [
        "Python lists are mutable, while tuples are immutable.",
        "You can use a list comprehension for that loop.",
        "I recommend Postgres for a project of this size.",
        "I'll add the missing tests to the suite.",
    ],
)
def test_explanations_advice_and_offers_of_an_assistant_are_none(said: str) -> None:
    assert read(said, "assistant", others=("user",)).candidates == ()


@pytest.mark.parametrize("said", ["I like hiking.", "I enjoy painting.", "I really love singing."])
def test_what_somebody_likes_doing_is_worth_as_much_as_what_somebody_likes(said: str) -> None:
    (fact,) = read(said, "Mina").candidates
    assert fact.category is Category.PREFERENCES


@pytest.mark.parametrize("said", ["I like it.", "I like that idea.", "I love you all."])
def test_a_liking_that_names_nothing_is_none(said: str) -> None:
    assert read(said, "Mina").candidates == ()
