"""What `./test` always runs of many cases, and what it leaves to `./test --long`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sampling import every, examples, sample


def always(cases: list[Any]) -> list[Any]:
    """Those that no mark leaves out."""
    return [case for case in cases if not getattr(case, "marks", ())]


def test_the_most_telling_cases_are_always_run_and_none_is_lost() -> None:
    widths = sample([360, 390, 1600], 390)
    assert always(widths) == [390] and len(widths) == 3
    assert [mark.name for mark in widths[0].marks] == ["long"] and widths[0].values == (360,)


def test_a_case_of_several_values_keeps_them_its_marks_and_its_name() -> None:
    named = pytest.param("GET", "/", marks=pytest.mark.slow, id="home")
    first, second, third = every(2, [("POST", "/x"), named, ("PUT", "/y")])
    assert (first, third) == (("POST", "/x"), ("PUT", "/y"))
    assert second.values == ("GET", "/") and second.id == "home"
    assert {mark.name for mark in second.marks} == {"slow", "long"}


def test_a_sample_of_what_is_no_case_is_refused() -> None:
    with pytest.raises(ValueError, match="391"):
        sample([360, 390], 391)


def test_a_property_draws_a_quarter_of_its_examples_and_never_fewer_than_four(in_full: bool) -> None:
    assert [examples(number) for number in (200, 12, 3)] == ([200, 12, 3] if in_full else [50, 4, 3])
