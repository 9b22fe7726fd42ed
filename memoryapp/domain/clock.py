"""Time: always UTC-aware. A clock is passed in, so that a test can stand still."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, tzinfo

from memoryapp.domain.errors import BadInput

Clock = Callable[[], datetime]
FIRST_YEAR, LAST_YEAR = 2, 9998


def utc_now() -> datetime:
    """The time now, with its zone."""
    return datetime.now(UTC)


def as_utc(moment: datetime) -> datetime:
    """A naive time is UTC; an aware one is moved there. Raises BadInput in the first and the last year of the calendar:
    such a time has no place on the clocks of other zones."""
    try:
        utc = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        utc = None
    if utc is None or not FIRST_YEAR <= utc.year <= LAST_YEAR:
        raise BadInput(f"{moment.isoformat()} lies outside the years {FIRST_YEAR} to {LAST_YEAR}.")
    return utc


def read_moment(text: str, zone: tzinfo = UTC) -> datetime:
    """A time as somebody writes it, in UTC: ISO 8601, where a year or a month alone ("2023", "2023-11") is its first
    instant and a time without an offset is one of `zone`.

    Raises ValueError for anything else, other digits alone included: read as seconds since 1970 they would be a wrong
    date that nobody sees."""
    said = text.strip()
    if re.fullmatch(r"\d{4}", said):
        said += "-01-01"
    elif re.fullmatch(r"\d{4}-\d{2}", said):
        said += "-01"
    elif re.fullmatch(r"[-+]?[\d.]+", said):
        raise ValueError("digits alone are no time: write 2026-11-21, or 2026-11-21T09:30:00Z")
    try:
        at = datetime.fromisoformat(said)
        return as_utc(at if at.tzinfo else at.replace(tzinfo=zone))
    except BadInput:
        raise ValueError(f"this time is outside the years {FIRST_YEAR} to {LAST_YEAR}") from None
    except ValueError:
        raise ValueError("it is no time: write 2026-11-21, or 2026-11-21T09:30:00Z") from None


def within_reach(first: date, last: date) -> bool:
    """Whether the starts of these days, and of the one after, are times as `as_utc` takes them."""
    return first.year >= FIRST_YEAR and last.year < LAST_YEAR


def read_instant(text: str) -> datetime:
    """An instant as a place in a list is written with it: ISO 8601 with an offset. Raises ValueError, BadInput."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError("an instant has an offset")
    return as_utc(at)
