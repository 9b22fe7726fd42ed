"""The settings of a space as a form, and back."""

from __future__ import annotations

from memoryapp.domain.limits import CHOICES, tuning_from
from memoryapp.interfaces.settings.fields import DEFAULTS, GENERAL, GROUPS, SETTINGS, with_groups
from memoryapp.interfaces.settings.form import SettingField, form_of, overrides_of


def fields(overrides: dict[str, object] | None = None) -> list[SettingField]:
    form = form_of(overrides or {})
    return [one for group in (form.general, *form.advanced) for one in group.fields]


def test_every_setting_of_a_space_stands_in_one_group() -> None:
    assert sorted(one.name for _, one in with_groups()) == sorted(DEFAULTS)
    assert len({one.label for one in SETTINGS.values()}) == len(SETTINGS)
    assert [group.name for group in GROUPS].count(GENERAL) == 1
    assert 5 <= len(GROUPS[0].settings) <= 12, "what most people set is about a dozen, with title and models"


def test_each_choice_has_words_and_each_number_a_range() -> None:
    for _, one in with_groups():
        assert tuple(value for value, _ in one.choices) == CHOICES.get(one.name, ())
        assert (one.range is None) == (one.kind in ("choice", "text")), one.name
        assert one.help.endswith(".") and one.label[0].isupper(), one.name


def test_the_form_as_it_is_shown_changes_nothing() -> None:
    assert overrides_of({one.setting.name: one.value for one in fields()}) == ({}, {})
    own = {"rrf_k": 30, "conflict_policy": "auto"}
    assert overrides_of({one.setting.name: one.value for one in fields(own)}, own) == (own, {})


def test_only_what_differs_from_the_default_is_kept() -> None:
    overrides, wrong = overrides_of({"rrf_k": "30", "vector_weight": "0,5", "conflict_policy": "auto"})
    assert (overrides, wrong) == ({"rrf_k": 30, "vector_weight": 0.5, "conflict_policy": "auto"}, {})
    assert tuning_from(overrides).rrf_k == 30


def test_what_is_not_typed_stays_and_what_is_typed_as_its_default_is_reset() -> None:
    own = {"rrf_k": 30, "vector_weight": 0.5}
    assert overrides_of({"rrf_k": "60"}, own) == ({"vector_weight": 0.5}, {})
    assert own == {"rrf_k": 30, "vector_weight": 0.5}


def test_each_wrong_number_is_named_where_it_stands() -> None:
    overrides, wrong = overrides_of(
        {"rrf_k": "many", "bm25_b": "3", "trust_floor": "nan", "conflict_policy": "perhaps", "neighbours": "-1"}
    )
    assert overrides == {}
    assert set(wrong) == {"rrf_k", "bm25_b", "trust_floor", "conflict_policy", "neighbours"}
    assert wrong["rrf_k"] == "Enter a whole number from 1 to 10,000."
    assert wrong["bm25_b"] == "Enter a number from 0 to 1."


def test_what_differs_is_counted_by_group() -> None:
    form = form_of({"rrf_k": 30, "bm25_b": 0.5, "conflict_policy": "auto"})
    assert form.changed == 3 and form.general.changed == 1
    assert {group.name: group.changed for group in form.advanced if group.changed} == {"Search details": 2}
    typed = form_of({}, typed={"rrf_k": "many"}, wrong={"rrf_k": "No."})
    (wrong,) = typed.wrong
    assert (wrong.setting.name, wrong.value, wrong.saved, wrong.changed) == ("rrf_k", "many", "60", True)
