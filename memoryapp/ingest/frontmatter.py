"""Front matter: YAML between two lines of dashes at the head of a file. What is not YAML stays text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import yaml

from memoryapp.domain.clock import read_moment
from memoryapp.domain.limits import LIMITS
from memoryapp.ingest.control_characters import without_control_characters

LIMIT_CHARS = 64 * 1024
_BEGUN = ("created", "date created", "created_at", "creation date")
_CHANGED = ("updated", "modified", "date modified", "updated_at", "last modified")
_LIMIT_DEPTH = 8


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """`lines`: how many lines of the file it takes, 0 where it was left as text; `note` says why it was."""

    lines: int
    values: dict[str, Any]
    note: str = ""


class _Loader(yaml.SafeLoader):
    """Safe values only, and no aliases: nine lines of them can stand for a billion values once written out."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


def front_matter(text: str) -> FrontMatter | None:
    """None where the text has none. A first line of dashes that opens no YAML mapping is a rule, and stays text."""
    if not text.startswith("---"):
        return None
    head = text[: LIMIT_CHARS + 1].split("\n")
    if head[0].rstrip() != "---":
        return None
    end = next((at for at, line in enumerate(head[1:], start=1) if line.rstrip() in ("---", "...")), 0)
    if not end:
        too_long = len(text) > LIMIT_CHARS
        return FrontMatter(0, {}, "front matter over 64 KiB or without an end, kept as text") if too_long else None
    try:
        values = yaml.load("\n".join(head[1:end]), Loader=_Loader)
        if values is None:
            return FrontMatter(end + 1, {})
        if not isinstance(values, dict):
            return None
        return FrontMatter(end + 1, _storable_value(values))
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError, TypeError, AttributeError) as error:
        return FrontMatter(0, {}, f"front matter kept as text: {_first_line(error)}")


def tags_of(value: Any) -> tuple[str, ...]:
    """Tags out of a list or a comma-separated string, without "#", each once whatever its case."""
    if isinstance(value, str):
        value = value.split(",") if "," in value else value.split()
    if not isinstance(value, list):
        value = [] if value is None or isinstance(value, dict) else [value]
    return each_once(str(item) for item in value if not isinstance(item, (list, dict)) and item is not None)


def aliases_of(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Other names of the note: a list, or one name. A comma parts names in Obsidian's own old form only ("alias")."""
    listed = values.get("aliases", values.get("alias"))
    if isinstance(listed, str):
        listed = listed.split(",")
    if not isinstance(listed, list):
        return ()
    return each_once(str(item) for item in listed if isinstance(item, (str, int)) and not isinstance(item, bool))


def begun_on(values: Mapping[str, Any]) -> datetime | None:
    """When the note was begun, if its front matter says so. Of one that it says was changed on a later day nothing
    tells which section is how old."""
    begun = next((date for name in _BEGUN if (date := date_of(values.get(name)))), None)
    changed = next((date for name in _CHANGED if (date := date_of(values.get(name)))), None)
    return None if begun and changed and changed.date() != begun.date() else begun


def each_once(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags trimmed to the limits of a memory, the first spelling of each."""
    kept: dict[str, str] = {}
    for tag in tags:
        trimmed = " ".join(tag.split()).strip("#").strip()
        if trimmed and len(trimmed) <= LIMITS.tag_chars:
            kept.setdefault(trimmed.casefold(), trimmed)
    return tuple(kept.values())[: LIMITS.tags]


def date_of(value: Any) -> datetime | None:
    """An ISO date or time as UTC, or None where it is neither."""
    if not isinstance(value, str):
        return None
    try:
        return read_moment(value)
    except ValueError:
        return None


def _storable_value(value: Any, *, depth: int = 0) -> Any:
    """Only what JSON and the store can hold: text, numbers, truth, lists and mappings of them."""
    if depth > _LIMIT_DEPTH:
        return without_control_characters(str(value)[:1000])[0]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC).date().isoformat()
    if isinstance(value, dict):
        return {
            without_control_characters(str(name))[0]: _storable_value(inner, depth=depth + 1)
            for name, inner in value.items()
        }
    if isinstance(value, (list, tuple, set)):
        return [_storable_value(inner, depth=depth + 1) for inner in value]
    if isinstance(value, str):
        return without_control_characters(value)[0]
    if value is None or isinstance(value, bool):
        return value
    if (isinstance(value, int) and abs(value) < 2**63) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return without_control_characters(str(value))[0]


def _first_line(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return f"{error.problem or 'not YAML'}, line {error.problem_mark.line + 2}"
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
