from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.entity import normal_form
from memoryapp.domain.errors import BadInput, PalimpsestError
from memoryapp.domain.identity import derived_id, new_id, section_id
from memoryapp.domain.limits import Tuning, tuning_from
from memoryapp.domain.memory import words_of


def test_a_space_may_set_its_own_numbers_and_the_others_stay() -> None:
    assert tuning_from({}) == Tuning()
    assert tuning_from({"vector_weight": 1, "conflict_policy": "auto"}) == Tuning(
        vector_weight=1, conflict_policy="auto"
    )


@pytest.mark.parametrize(
    "wrong",
    [{"nonsense": 1}, {"vector_weight": "1"}, {"rrf_k": 1.5}, {"rrf_k": True}, {"vector_weight": -0.1},
     {"vector_weight": float("nan")}, {"vector_weight": float("inf")}, {"trust_half_life_days": 0}, {"bm25_b": 1.1},
     {"feedback_reach": 2.0}, {"conflict_policy": "never"}, {"conflict_policy": 3}, {"cache_minutes": None},
     {"trust_gate": 10**400}, {"cache_minutes": 10**13}, {"neighbours": 10**7}],
)  # fmt: skip
def test_a_setting_that_cannot_be_is_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refused:
        tuning_from(wrong)
    assert refused.value.field == f"/{next(iter(wrong))}"


@given(st.dictionaries(st.sampled_from([f.name for f in fields(Tuning)]), st.integers() | st.floats() | st.text()))
def test_whatever_is_set_comes_out_as_a_tuning_or_as_bad_input(overrides: dict[str, Any]) -> None:
    try:
        assert isinstance(tuning_from(overrides), Tuning)
    except BadInput as refused:
        assert refused.field


@given(st.text(), st.text(), st.integers(0, 9))
def test_a_section_has_the_same_id_again_and_another_title_another(path: str, title: str, ordinal: int) -> None:
    assert section_id(path, title, ordinal=ordinal) == section_id(path, title, ordinal=ordinal)
    assert section_id(path, title, ordinal=ordinal) != section_id(path, title + "x", ordinal=ordinal)
    assert section_id(path, title, ordinal=1) != section_id(path, title, ordinal=2)


def test_an_id_has_sixteen_hex_digits() -> None:
    for key in (new_id(), derived_id("a", "\ud800"), section_id("a.md", "")):
        assert len(key) == 16
        assert not set(key) - set("0123456789abcdef")
    assert derived_id("ab", "c") != derived_id("a", "bc")


@given(st.text())
def test_a_normal_form_is_its_own_normal_form(name: str) -> None:
    once = normal_form(name)
    assert normal_form(once) == once


@pytest.mark.parametrize(
    ("name", "normal"), [("Neo-vim ", "neo-vim"), ("`ＡＳＣＩＩ`", "ascii"), ("가치관.", "가치관")]
)
def test_spellings_that_differ_in_form_alone_are_one(name: str, normal: str) -> None:
    assert normal_form(name) == normal


def test_the_indexed_words_say_who_said_it_or_what_it_is_called_once() -> None:
    assert words_of("Yes.", speaker="Mara", title="T") == "Mara: Yes."
    assert words_of("Body", title="T") == "T\nBody"
    assert words_of("## T\nBody", title="T") == "## T\nBody"


def test_every_error_has_a_title_and_a_status_of_its_kind() -> None:
    waiting = [PalimpsestError]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        assert kind.title
        assert 400 <= kind.status < 600
