"""A statement cut into clauses."""

from __future__ import annotations

import pytest

from memoryapp.contradictions.clause import clauses, parts


@pytest.mark.parametrize(
    ("sentence", "pieces"),
    [
        ("Alice is vegetarian, so Alice eats no meat.", ["Alice is vegetarian", "Alice eats no meat"]),
        ("Alice loves chicken, Alice had one on Friday.", ["Alice loves chicken", "Alice had one on Friday"]),
        ("Emeka reports to Sandra, and his desk is in Bonn.", ["Emeka reports to Sandra", "his desk is in Bonn"]),
        ("Mina lives in Seoul and works at Naver.", ["Mina lives in Seoul", "Mina works at Naver"]),
        ("The talk by Anna and Tom starts at 5.", ["The talk by Anna and Tom starts at 5"]),
        ("Ana, Ben and Tom live in Oslo.", ["Ana, Ben and Tom live in Oslo"]),
        ("On Friday, Alice had a steak.", ["On Friday, Alice had a steak"]),
    ],
)
def test_a_new_clause_begins_where_somebody_does_something_else(sentence: str, pieces: list[str]) -> None:
    assert [piece for _, piece in parts(sentence)] == pieces


def test_the_reason_for_a_clause_is_no_part_of_it() -> None:
    [clause] = clauses("The user prefers light mode because dark mode is not good for the eyes.")
    assert clause.text == "The user prefers light mode" and not clause.negative


def test_a_clause_ends_where_an_adverb_with_a_comma_stood() -> None:
    first, second = clauses("Production runs Postgres 16 for billing now, Adam upgraded last night.")
    assert first.text == "Production runs Postgres 16 for billing" and second.subject == "Adam"


def test_a_regular_past_that_is_in_no_list_is_an_event() -> None:
    [clause] = clauses("Mara repaired the boat.")
    assert (clause.subject, clause.once) == ("Mara", True)
    assert not clauses("We migrated the frontend to Svelte.")[0].once


def test_what_a_time_was_moved_from_is_no_value_of_it_any_more() -> None:
    [clause] = clauses("The demo was moved from Monday to Tuesday.")
    assert [value.text for value in clause.values] == ["Tuesday"]
