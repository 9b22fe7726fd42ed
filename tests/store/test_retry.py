"""An act that reads and writes is done again where somebody else was quicker, and only there."""

from __future__ import annotations

import pytest

from memoryapp.domain.errors import Clash, LostRace, Stale
from memoryapp.store.retry import retry_write


class Rival:
    """Is quicker `times` times: the act then fails with `error`."""

    def __init__(self, error: Exception, times: int) -> None:
        self.error, self.times, self.acts = error, times, 0

    def __call__(self) -> int:
        self.acts += 1
        if self.acts <= self.times:
            raise self.error
        return self.acts


LOST = [Stale("Changed.", current=2), LostRace("It is already there.")]


@pytest.mark.parametrize("error", LOST, ids=lambda error: type(error).__name__)
def test_the_act_is_done_again_after_what_is_to_be_done_between(error: Exception) -> None:
    between: list[int] = []
    act = Rival(error, 2)
    assert retry_write(act, between=lambda: between.append(act.acts)) == 3
    assert between == [1, 2]


@pytest.mark.parametrize("error", LOST, ids=lambda error: type(error).__name__)
def test_who_names_a_version_is_told_at_once(error: Exception) -> None:
    act = Rival(error, 1)
    with pytest.raises(type(error)):
        retry_write(act, version=1)
    assert act.acts == 1


def test_what_cannot_be_done_in_the_present_state_is_not_tried_again() -> None:
    act = Rival(Clash("It is decided already."), 1)
    with pytest.raises(Clash, match="decided already"):
        retry_write(act)
    assert act.acts == 1


def test_it_gives_up_in_the_end() -> None:
    act = Rival(LOST[0], 1000)
    with pytest.raises(Stale):
        retry_write(act)
    assert 2 < act.acts < 20
