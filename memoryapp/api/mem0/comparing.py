"""How one condition of a mem0 filter is tested: its operators, and what “the same” means for words, dates and lists."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

from memoryapp.domain.clock import as_utc, read_moment
from memoryapp.domain.errors import BadInput


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
    "contains": lambda held, meant, plain: _within(held, meant),
    "icontains": lambda held, meant, plain: _within(held, meant, fold=True),
}


def same(held: Any, meant: Any) -> bool:
    """“7” is 7: what comes through an address is text."""
    if isinstance(held, list) and not isinstance(meant, list):
        return any(same(one, meant) for one in held)
    if isinstance(held, bool) is not isinstance(meant, bool):
        return False
    return bool(held == meant) or (_plain(held) and _plain(meant) and str(held) == str(meant))


def _plain(value: Any) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def on_day(held: datetime, meant: datetime) -> bool:
    """A date without a time is the whole day."""
    return held.date() == meant.date() if meant.time() == datetime.min.time() else held == meant


def holds_word(held: Any, meant: Any) -> bool:
    return _within(held, meant, fold=True) if isinstance(held, str) else same(held, meant)


def _within(held: Any, meant: Any, *, fold: bool = False) -> bool:
    if isinstance(held, list):
        return any(_within(one, meant, fold=fold) for one in held)
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
