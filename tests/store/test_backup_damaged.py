"""A backup that was damaged on its way: a plain error, and nothing of it is written."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.domain.errors import BadInput
from memoryapp.store.backup import backup, inspect, is_empty, restore
from memoryapp.store.database import Database, open_database
from memoryapp.store.migrate import migrate
from tests.domain.damage import Damage, damages
from tests.migrated import MIGRATED
from tests.samples import a_memory, written
from tests.sampling import examples
from tests.store.test_write import FULL

ONE_SPACE = [HealthCheck.function_scoped_fixture]  # it is empty again after each example, which is what is tested


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("whole") / "one.gz"
    db = open_database(MIGRATED, "reeds")
    migrate(db)
    written(db, a_memory("바람 \u2028 🙂", **FULL), *(a_memory(f"Memory {n}") for n in range(5)))
    backup(db, file)
    db.close()
    return file.read_bytes()


@pytest.fixture(scope="module")
def other() -> Iterator[Database]:
    db = open_database(MIGRATED, "other")
    migrate(db)
    yield db
    db.close()


@given(damage=damages())
@settings(max_examples=examples(40), suppress_health_check=ONE_SPACE)
def test_a_damaged_file_is_refused_and_nothing_is_written(
    whole: bytes, other: Database, tmp_path: Path, damage: Damage
) -> None:
    data = damage(whole)
    file = tmp_path / "damaged.gz"
    file.write_bytes(data)
    try:
        found = inspect(other, file)
    except BadInput as error:
        assert "damaged.gz" in str(error)
        with pytest.raises(BadInput):
            restore(other, file)
    else:  # no more than the head of the packing, which says the time, or bytes behind its end
        file.write_bytes(whole)
        assert inspect(other, file) == found
    assert is_empty(other)


# What somebody's hand, or a program that means well, may leave in place of a value.
VALUES: st.SearchStrategy[object] = st.sampled_from(
    [None, True, -1, 10**30, 0.5, "", "words", [], ["a", 1], {}, {"$record": 5}, {"$record": ["memory"]}, {"$at": 1},
     {"$at": "no time"}, {"$bytes": "*"}, {"$bytes": 7}, {"$null": 1}, {"$dict": []}, {"$record": ["nowhere", "x"]}]
)  # fmt: skip


@given(line=st.floats(0, 1, exclude_max=True), field=st.integers(0, 60), value=VALUES)
@settings(max_examples=examples(25), suppress_health_check=ONE_SPACE)
def test_a_row_that_was_changed_by_hand_is_taken_or_refused_but_never_half(
    whole: bytes, other: Database, tmp_path: Path, line: float, field: int, value: object
) -> None:
    lines = gzip.decompress(whole).decode().split("\n")
    at = 1 + int(line * (len(lines) - 3))
    entry = json.loads(lines[at])
    names = sorted(entry["row"])
    entry["row"][names[field % len(names)]] = value
    lines[at] = json.dumps(entry)
    file = tmp_path / "changed.gz"
    file.write_bytes(gzip.compress("\n".join(lines).encode(), 1))
    try:
        restore(other, file)
    except BadInput as error:
        assert "changed.gz" in str(error) and f"line {at + 1} ({entry['table']})" in str(error)
        assert is_empty(other)
    else:
        tables = {json.loads(one)["table"] for one in lines[1:-2]}
        other.query("{" + " ".join(f"DELETE {table} RETURN NONE;" for table in sorted(tables)) + "}")


@pytest.mark.parametrize(
    ("table", "field", "value", "reason"),
    [
        ("memory", "id", True, "its id is not one of memory"),
        ("memory", "id", {"$record": ["nowhere", "x"]}, "its id is not one of memory"),
        ("memory", "version", "three", "version"),
        ("memory", "created_at", {"$at": "no time"}, "isoformat"),
        ("run", "at", 10**30, "too large|cannot|out of range"),
        ("revision", "record", None, "record"),
    ],
    ids=["id-true", "id-elsewhere", "words-for-a-number", "no-time", "a-number-too-large", "nothing"],
)
def test_a_row_that_does_not_fit_is_named_by_its_line_and_table(
    whole: bytes, other: Database, tmp_path: Path, table: str, field: str, value: object, reason: str
) -> None:
    lines = gzip.decompress(whole).decode().split("\n")
    at = max(n for n, line in enumerate(lines) if line.startswith(f'{{"table": "{table}"'))
    entry = json.loads(lines[at])
    entry["row"][field] = value
    lines[at] = json.dumps(entry)
    (tmp_path / "changed.gz").write_bytes(gzip.compress("\n".join(lines).encode(), 1))
    with pytest.raises(BadInput, match=reason) as refused:
        restore(other, tmp_path / "changed.gz")
    assert f"line {at + 1} ({table})" in str(refused.value) and "changed.gz" in str(refused.value)
    assert is_empty(other)
    assert "nowhere" not in other.query("INFO FOR DB")[0]["tables"]


def test_a_line_that_was_lost_is_noticed(whole: bytes, other: Database, tmp_path: Path) -> None:
    lines = gzip.decompress(whole).decode().split("\n")
    (tmp_path / "short.gz").write_bytes(gzip.compress("\n".join(lines[:5] + lines[6:]).encode()))
    with pytest.raises(BadInput, match="says that it holds"):
        restore(other, tmp_path / "short.gz")
    assert is_empty(other)
