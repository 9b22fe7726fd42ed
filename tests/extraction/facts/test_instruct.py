from __future__ import annotations

import pytest

from memoryapp.extraction.facts.rewrite import instruction


@pytest.mark.parametrize(
    ("said", "wish"),
    [
        ("Always run the tests first.", "The user wants to always run the tests first."),
        ("Never push to main.", "The user wants never to push to main."),
        ("Please don't commit generated files!", "The user wants never to commit generated files."),
        ("Use pnpm instead of npm.", "The user wants to use pnpm instead of npm."),
        ("From now on, answer me in Korean.", "The user wants to answer them in Korean."),
    ],
)
def test_a_standing_order_is_a_wish_of_the_user(said: str, wish: str) -> None:
    assert instruction(said, speaker="user") == wish


@pytest.mark.parametrize("said", ["Fix the login bug.", "Please run the tests.", "I always run the tests."])
def test_a_request_of_the_moment_and_a_statement_are_none(said: str) -> None:
    assert instruction(said, speaker="user") == ""
