"""Numbers that name things."""

from __future__ import annotations

import pytest

from memoryapp.contradictions.rules import other_thing
from memoryapp.domain.statement import Relation
from tests.contradictions.say import verdict


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The timeout of service 176 is 30 seconds.", "The timeout of service 236 is 30 seconds."),
        ("The timeout of service 176 is 30 seconds.", "The timeout of service 236 is 45 seconds."),
        ("Invoice 1001 was paid in May.", "Invoice 1002 was paid in May."),
        ("Sprint 12 ends on Friday.", "Sprint 13 ends on Monday."),
    ],
)
def test_things_of_one_kind_with_other_numbers_do_not_contradict_each_other(one: str, other: str) -> None:
    assert other_thing(one, other) and other_thing(other, one)
    assert verdict(one, other).relation is Relation.COMPATIBLE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The timeout of service 176 is 30 seconds.", "The timeout of service 176 is 45 seconds."),
        ("The staging server listens on port 8080.", "The staging server listens on port 9090."),
        ("The production database is Postgres 15.", "The production database is Postgres 16 now."),
    ],
)
def test_a_number_that_is_a_value_still_does(one: str, other: str) -> None:
    assert not other_thing(one, other)
    assert verdict(one, other).clashes or verdict(one, other).relation is Relation.SUCCESSION
