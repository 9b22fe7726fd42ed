"""A table's rows follow from the fields of its dataclass."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Any

import pytest
from surrealdb import RecordID

from memoryapp.store import rows

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Spot:
    x: int
    y: int | None = None


@dataclass(frozen=True)
class Thing:
    key: str
    at: datetime
    colour: Colour | None = None
    share: float = 0.5
    names: tuple[str, ...] = ()
    spot: Spot = field(default_factory=lambda: Spot(0))
    spots: tuple[Spot, ...] = ()
    detail: dict[str, Any] = field(default_factory=dict)
    until: datetime | None = None
    hex: int = 0


THINGS = rows.Table("thing", Thing, key="key", codecs={"hex": (hex, lambda text: int(text, 16))}, sparse=("detail",))
PLAIN = Thing("a", NOON)
FULL = Thing("b", NOON, Colour.RED, 1.0, ("x", "차"), Spot(1, 2), (Spot(3), Spot(4, 5)), {"a": 1}, NOON, 255)


@pytest.mark.parametrize("thing", [PLAIN, FULL])
def test_what_is_written_is_read_again_and_columns_that_are_left_out_have_their_default(thing: Thing) -> None:
    row = THINGS.row(thing)
    assert THINGS.read(row) == thing
    assert THINGS.read({name: value for name, value in row.items() if value is not None}) == thing


def test_a_row_has_what_the_engine_takes() -> None:
    row = THINGS.row(FULL)
    assert row["id"] == RecordID("thing", "b") and "key" not in row
    assert (row["colour"], type(row["colour"])) == ("red", str)
    assert row["names"] == ["x", "차"] and row["hex"] == "0xff"
    assert row["spot"] == {"x": 1, "y": 2} and row["spots"] == [{"x": 3, "y": None}, {"x": 4, "y": 5}]
    assert THINGS.row(PLAIN)["detail"] is None


def test_moments_are_read_in_utc_and_whole_numbers_as_shares() -> None:
    seoul = NOON.astimezone(timezone(timedelta(hours=9)))
    read = THINGS.read(THINGS.row(PLAIN) | {"at": seoul, "share": 1})
    assert read.at == NOON and read.at.tzinfo is UTC and type(read.share) is float


def test_a_row_without_what_it_must_have_is_refused() -> None:
    with pytest.raises(TypeError, match="at"):
        THINGS.read({"id": RecordID("thing", "a")})
