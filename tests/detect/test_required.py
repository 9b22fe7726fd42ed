"""What has to come first may be asked for or denied: both say the same."""

from __future__ import annotations

import pytest

from memoryapp.detect.reading import read
from memoryapp.detect.required import required_alike
from memoryapp.domain.statement import Relation
from tests.detect.say import verdict

SHOWN = (Relation.CONFLICT, Relation.SUCCESSION, Relation.POSSIBLE)
MUST = "Pull requests must pass the checks before they are merged."


def alike(one: str, other: str) -> bool:
    return required_alike(read(one), read(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (MUST, "No pull request may be merged until it passes the checks."),
        ("Visitors need a badge to enter the lab.", "Visitors may not enter the lab without a badge."),
    ],
)
def test_a_demand_and_a_denial_until_it_is_met_are_one(one: str, other: str) -> None:
    assert alike(one, other) and alike(other, one)
    assert verdict(one, other).relation not in SHOWN


@pytest.mark.parametrize(
    "other",
    [
        "Pull requests need not pass the checks before they are merged.",
        "Pull requests are merged without any checks.",
        "Nobody is on call until the office opens.",
    ],
)
def test_whatever_asks_for_nothing_or_for_something_else_is_not(other: str) -> None:
    assert not alike(MUST, other)


def test_another_amount_is_another_demand() -> None:
    assert not alike("Refunds need 2 signatures before payment.", "No refund is paid without 3 signatures.")


def test_a_feast_is_its_day() -> None:
    due = "The Cobalt report is due on 31 December."
    assert verdict(due, "The Cobalt report is due on New Year's Eve.").relation not in SHOWN
    assert verdict(due, "The Cobalt report is due on Christmas Eve.").relation in SHOWN
