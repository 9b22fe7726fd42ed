"""Which cases of a test are always run. The others are marked `long`: `./test --long` runs them too. And how many
examples a property test draws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings


def sample(cases: Iterable[Any], *always: Any) -> list[Any]:
    """For `pytest.mark.parametrize`. `always`: the most telling cases. Raises ValueError where one is no case."""
    listed = list(cases)
    if unknown := [one for one in always if one not in listed]:
        raise ValueError(f"not among the cases: {unknown}")
    return [one if one in always else _long(one) for one in listed]


def every(step: int, cases: Iterable[Any], *, start: int = 0) -> list[Any]:
    """For `pytest.mark.parametrize`: always run is every so many-th case, from `start`."""
    return [one if number % step == start else _long(one) for number, one in enumerate(cases)]


def examples(number: int) -> int:
    """For `hypothesis.settings`: so many in --long, and always a quarter, the same ones each time."""
    return number if settings.get_current_profile_name() == "long" else min(number, max(4, number // 4))


def _long(case: Any) -> Any:
    values, marks, name = ([case], (), None)
    if isinstance(case, tuple):
        values = list(case)
        if hasattr(case, "marks"):  # a pytest.param
            values, marks, name = list(case.values), case.marks, case.id
    return pytest.param(*values, marks=(*marks, pytest.mark.long), id=name)
