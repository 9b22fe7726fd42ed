from __future__ import annotations

from dataclasses import asdict

from memoryapp.domain.limits import Tuning, tuned
from memoryapp.interfaces.settings.form import groups_of, overrides_of


def test_every_number_of_a_space_has_its_field() -> None:
    shown = [field.name for group in groups_of({}) for field in group.fields]
    assert sorted(shown) == sorted(asdict(Tuning()))


def test_the_form_as_it_is_shown_changes_nothing() -> None:
    typed = {field.name: field.value for group in groups_of({}) for field in group.fields}
    assert overrides_of(typed) == ({}, {})


def test_only_what_differs_from_the_default_is_kept() -> None:
    overrides, wrong = overrides_of({"rrf_k": "30", "vector_weight": "0,5", "conflict_policy": "auto"})
    assert (overrides, wrong) == ({"rrf_k": 30, "vector_weight": 0.5, "conflict_policy": "auto"}, {})
    assert tuned(overrides).rrf_k == 30


def test_each_wrong_number_is_named_where_it_stands() -> None:
    overrides, wrong = overrides_of(
        {"rrf_k": "many", "bm25_b": "3", "trust_floor": "nan", "conflict_policy": "perhaps", "neighbours": "-1"}
    )
    assert overrides == {}
    assert set(wrong) == {"rrf_k", "bm25_b", "trust_floor", "conflict_policy", "neighbours"}
    assert wrong["rrf_k"] == "Enter a whole number."
    assert wrong["bm25_b"] == "“bm25_b” lies between 0 and 1."
