"""mem0's filters: {"AND": [{"user_id": "mina"}, {"created_at": {"gte": "2026-01-01"}}]}, read into a tree that is asked
of owners first, which is cheap, and of single memories where their owner does not settle it.

    {"user_id": "mina", "run_id": "7"}       all that stand side by side must hold; AND: [...] says the same
    {"OR": [...]}  {"NOT": [...]}            any of them; none of them
    {"user_id": "*"}                         anybody, as long as it is set
    {"user_id": {"in": ["mina", "jon"]}}     one of them; also eq, ne, gt, gte, lt, lte, contains, icontains
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from memoryapp.domain.clock import as_utc, read_moment
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.mem0.metadata import tag_of
from memoryapp.interfaces.mem0.owners import TYPES, Owner

# How one condition of a mem0 filter is tested: its operators, and what “the same” means for words, dates and lists.


def tests(
    name: str, value: object, *, plain: Callable[[Any, Any], bool], read_as: Callable[[Any], Any] = lambda one: one
) -> Callable[[Any], bool]:
    """One condition, or the conjunction of an object of operators. What is not set
    passes `ne`, and is equal to null."""
    if value == "*":
        return lambda held: held not in (None, "", [])
    asked = value if isinstance(value, dict) else {"eq": value}
    made: list[Callable[[Any], bool]] = []
    for operator, told in asked.items():
        if operator not in _OPERATORS:
            known = ", ".join(_OPERATORS)
            raise BadInput(f"“{name[:40]}” is asked by {known}, not by “{operator[:40]}”.", field="/filters")
        try:
            if operator == "in":
                if not isinstance(told, list):
                    raise TypeError("in takes a list")
                meant: Any = [read_as(one) for one in told]
            else:
                meant = read_as(told)
        except (TypeError, ValueError, OverflowError, BadInput):
            raise BadInput(f"“{name[:40]}” cannot be asked for {told!r:.60}.", field="/filters") from None
        made.append(_test(operator, meant, plain, read_as))
    return lambda held: all(test(held) for test in made)


def _test(
    operator: str, meant: Any, plain: Callable[[Any, Any], bool], read_as: Callable[[Any], Any]
) -> Callable[[Any], bool]:
    def test(held: Any) -> bool:
        if held is None:
            unset = None in meant if operator == "in" else meant is None
            return unset if operator in ("eq", "in") else operator == "ne" and not unset
        try:
            return _OPERATORS[operator](read_as(held), meant, plain)
        except TypeError:  # a number is neither before nor after a word
            return False

    return test


_OPERATORS: dict[str, Callable[[Any, Any, Callable[[Any, Any], bool]], bool]] = {
    "eq": lambda held, meant, plain: plain(held, meant),
    "ne": lambda held, meant, plain: not plain(held, meant),
    "in": lambda held, meant, plain: any(plain(held, one) for one in meant),
    "gt": lambda held, meant, plain: held > meant,
    "gte": lambda held, meant, plain: held >= meant,
    "lt": lambda held, meant, plain: held < meant,
    "lte": lambda held, meant, plain: held <= meant,
    "contains": lambda held, meant, plain: _is_within(held, meant),
    "icontains": lambda held, meant, plain: _is_within(held, meant, fold=True),
}


def is_same_value(held: Any, meant: Any) -> bool:
    """“7” is 7: what comes through an address is text."""
    if isinstance(held, list) and not isinstance(meant, list):
        return any(is_same_value(one, meant) for one in held)
    if isinstance(held, bool) is not isinstance(meant, bool):
        return False
    return bool(held == meant) or (_is_scalar(held) and _is_scalar(meant) and str(held) == str(meant))


def _is_scalar(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def on_day(held: datetime, meant: datetime) -> bool:
    """A date without a time is the whole day."""
    return held.date() == meant.date() if meant.time() == datetime.min.time() else held == meant


def holds_word(held: Any, meant: Any) -> bool:
    return _is_within(held, meant, fold=True) if isinstance(held, str) else is_same_value(held, meant)


def _is_within(held: Any, meant: Any, *, fold: bool = False) -> bool:
    if isinstance(held, list):
        return any(_is_within(one, meant, fold=fold) for one in held)
    first, second = str(held), str(meant)
    return second.casefold() in first.casefold() if fold else second in first


def moment(told: Any) -> datetime:
    """ISO 8601, a date, or seconds since 1970. Raises ValueError, TypeError, OverflowError or BadInput."""
    if isinstance(told, datetime):
        return as_utc(told)
    if isinstance(told, date):
        return datetime(told.year, told.month, told.day, tzinfo=UTC)
    if isinstance(told, (int, float)) and not isinstance(told, bool):
        return datetime.fromtimestamp(told, tz=UTC)
    if isinstance(told, str):
        return read_moment(told)
    raise TypeError("no time")


DATES = ("created_at", "updated_at", "timestamp", "expiration_date")
OTHERS = ("id", "memory_ids", "categories", "metadata", "keywords", "memory")
_DEEPEST = 8  # levels of AND, OR and NOT
_WHOSE = (
    "Say whose memories: filters={“user_id”: “…”}, or agent_id, app_id, run_id. "
    "{“user_id”: “*”} asks for those of every user."
)


@dataclass(frozen=True, slots=True)
class Field:
    """One condition: what `name` holds of an item, asked by `test`. `tag`: one that all that pass have, if any."""

    name: str
    test: Callable[[Any], bool]
    tag: str | None = None


@dataclass(frozen=True, slots=True)
class FilterGroup:
    """`by`: AND, OR, or NOT, which says that none of them holds."""

    by: str
    parts: tuple[Field | FilterGroup, ...]


Condition = Field | FilterGroup


def read(filters: object) -> Condition:
    """Raises BadInput that names what it cannot read, and where no owner is named: everybody's memories are given
    only to who asks for {"user_id": "*"}."""
    if not isinstance(filters, dict) or not filters:
        raise BadInput(_WHOSE, field="/filters")
    condition = _read(filters, 0)
    if not set(TYPES) & names_in(condition):
        raise BadInput(_WHOSE, field="/filters")
    return condition


def names_in(condition: Condition) -> set[str]:
    if isinstance(condition, Field):
        return {condition.name}
    return set().union(*(names_in(part) for part in condition.parts))


def of_owner(condition: Condition, owner: Owner) -> bool | None:
    """Whether an owner's memories pass: all of them (True), none (False), or it is for each to say (None)."""
    if isinstance(condition, Field):
        return condition.test(getattr(owner, condition.name)) if condition.name in TYPES else None
    said = [of_owner(part, owner) for part in condition.parts]
    if condition.by == "AND":
        return False if False in said else None if None in said else True
    found = True if True in said else None if None in said else False
    return found if condition.by == "OR" else None if found is None else not found


def tags_of(condition: Condition) -> tuple[str, ...]:
    """Tags that every memory that passes has: the index looks for them before anything is ranked."""
    if isinstance(condition, Field):
        return (condition.tag,) if condition.tag else ()
    return tuple(tag for part in condition.parts for tag in tags_of(part)) if condition.by == "AND" else ()


def holds(condition: Condition, item: Mapping[str, Any]) -> bool:
    """Whether one memory, in mem0's shape, passes."""
    if isinstance(condition, Field):
        return condition.test(_value(condition.name, item))
    if condition.by == "AND":
        return all(holds(part, item) for part in condition.parts)
    return any(holds(part, item) for part in condition.parts) is (condition.by == "OR")


def _value(name: str, item: Mapping[str, Any]) -> Any:
    if name.startswith("metadata."):
        return (item.get("metadata") or {}).get(name.removeprefix("metadata."))
    return item.get({"memory_ids": "id", "keywords": "memory", "timestamp": "created_at"}.get(name, name))


def _read(said: object, depth: int) -> Condition:
    if depth > _DEEPEST:
        raise BadInput(f"The filters are nested more than {_DEEPEST} levels deep.", field="/filters")
    if not isinstance(said, dict) or not said or not all(isinstance(name, str) for name in said):
        raise BadInput(f"A filter is an object with at least one condition, not {said!r:.60}.", field="/filters")
    parts: list[Condition] = []
    for name, value in said.items():
        if name.upper() in ("AND", "OR", "NOT"):
            listed = value if isinstance(value, list) else [value]
            if not listed:
                raise BadInput(f"“{name}” joins at least one condition.", field="/filters")
            parts.append(FilterGroup(name.upper(), tuple(_read(one, depth + 1) for one in listed)))
        elif name == "metadata":
            parts += _of_metadata(value)
        else:
            parts.append(_field(name, value))
    return parts[0] if len(parts) == 1 else FilterGroup("AND", tuple(parts))


def _of_metadata(value: object) -> list[Condition]:
    if value == "*":
        return [Field("metadata", bool)]
    if not isinstance(value, dict) or not value:
        raise BadInput("“metadata” is an object of the names and values that a memory must have.", field="/filters")
    return [
        Field(f"metadata.{name}", tests(name, told, plain=is_same_value), tag_of(name, told))
        for name, told in value.items()
    ]


def _field(name: str, value: object) -> Field:
    if name not in (*TYPES, *DATES, *OTHERS):
        known = ", ".join((*TYPES, *DATES, *OTHERS))
        raise BadInput(
            f"There is no filter “{name[:40]}”. There are {known}; your own names stand under metadata.",
            field="/filters",
        )
    if name in DATES:
        return Field(name, tests(name, value, plain=on_day, read_as=moment))
    if name in ("categories", "keywords", "memory"):
        return Field(name, tests(name, value, plain=holds_word))
    if name in ("id", "memory_ids") and isinstance(value, list):
        value = {"in": value}
    return Field(name, tests(name, value, plain=is_same_value))
