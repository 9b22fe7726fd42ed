"""The settings of a space as fields of a form, and back, with a message beside the one that is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import tuning_from
from memoryapp.interfaces.settings.fields import DEFAULTS, GENERAL, GROUPS, SETTINGS, Setting, text_of


@dataclass(frozen=True, slots=True)
class SettingField:
    """`value`: what stands in the field; `saved`: what is in force; `wrong`: why the value cannot be saved."""

    setting: Setting
    value: str
    saved: str
    wrong: str = ""

    @property
    def default(self) -> str:
        return text_of(self.setting.default)

    @property
    def default_words(self) -> str:
        return self.setting.words_of(self.setting.default) or "empty"

    @property
    def changed(self) -> bool:
        """Whether it differs from the default."""
        return self.value.strip() != self.default


@dataclass(frozen=True, slots=True)
class FieldGroup:
    name: str
    help: str
    fields: list[SettingField]

    @property
    def changed(self) -> int:
        return sum(one.changed for one in self.fields)

    @property
    def wrong(self) -> bool:
        return any(one.wrong for one in self.fields)


@dataclass(frozen=True, slots=True)
class SettingsForm:
    general: FieldGroup
    advanced: list[FieldGroup]

    @property
    def changed(self) -> int:
        """Settings that differ from the default."""
        return self.general.changed + sum(group.changed for group in self.advanced)

    @property
    def wrong(self) -> list[SettingField]:
        return [one for group in (self.general, *self.advanced) for one in group.fields if one.wrong]


def form_of(
    overrides: Mapping[str, Any], *, typed: Mapping[str, str] | None = None, wrong: Mapping[str, str] | None = None
) -> SettingsForm:
    """The space's settings, or what was typed; `wrong` holds messages by name."""
    groups = []
    for group in GROUPS:
        fields = []
        for one in group.settings:
            saved = text_of(overrides.get(one.name, one.default))
            fields.append(SettingField(one, (typed or {}).get(one.name, saved), saved, (wrong or {}).get(one.name, "")))
        groups.append(FieldGroup(group.name, group.help, fields))
    assert groups[0].name == GENERAL
    return SettingsForm(groups[0], groups[1:])


def overrides_of(
    typed: Mapping[str, str], overrides: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], dict[str, str]]:
    """(the space's own settings after these were typed, messages by name). What was not typed stays as it is in
    `overrides`; what is typed as its default is none of the space's own. Saved only if there is no message."""
    own = dict(overrides or {})
    wrong: dict[str, str] = {}
    for name, default in DEFAULTS.items():
        text = typed.get(name)
        if text is None:
            continue
        try:
            value = _value(text.strip(), default)
            tuning_from({name: value})
        except (ValueError, BadInput) as error:
            wrong[name] = _message(SETTINGS[name], error)
            continue
        own.pop(name, None)
        if value != default:
            own[name] = value
    return own, wrong


def _value(text: str, default: Any) -> Any:
    if isinstance(default, str):
        return text
    if isinstance(default, float):
        value = float(text.replace(",", "."))
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueError
        return value
    return int(text)


def _message(setting: Setting, error: ValueError | BadInput) -> str:
    """What to type instead. Words and choices are refused by the domain, which says why."""
    if setting.range is None:
        return error.detail if isinstance(error, BadInput) else str(error)
    low, high = setting.range
    return f"Enter a {'whole number' if setting.kind == 'integer' else 'number'} from {low:g} to {_number_text(high)}."


def _number_text(value: float) -> str:
    return f"{value:,.0f}" if value >= 1_000 else f"{value:g}"
