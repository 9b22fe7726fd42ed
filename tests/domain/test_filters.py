from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters, filters_read, filters_told
from memoryapp.domain.memory import Kind

ANY = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=4)


def test_what_is_told_is_read_again() -> None:
    filters = Filters(kinds=(Kind.FACT,), tags=("x",), min_trust=0.5)
    assert filters_read(filters_told(filters)) == filters


@pytest.mark.parametrize(
    "wrong",
    [{"min_trust": 10**400}, {"min_trust": True}, {"min_trust": "much"}, {"since": "soon"}, {"kinds": ["poem"]},
     {"tags": "x"}, {"since": 3}, {"nonsense": 1}],
)  # fmt: skip
def test_a_filter_that_cannot_be_is_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=next(iter(wrong))):
        filters_read(wrong)


@given(st.dictionaries(st.sampled_from(sorted(Filters.__dataclass_fields__)), ANY | st.just(10**400)))
def test_whatever_is_asked_comes_out_as_filters_or_as_bad_input(told: dict[str, Any]) -> None:
    try:
        assert isinstance(filters_read(told), Filters)
    except BadInput as refused:
        assert refused.field
