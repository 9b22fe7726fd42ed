"""Files of JSON are read a record at a time, in whichever shape and alphabet they come, around what is broken."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoryapp.transfer.foreign import records as module
from memoryapp.transfer.foreign.files import Part, open_path
from memoryapp.transfer.foreign.records import BrokenRecord, Record, first, records


def part(data: str | bytes) -> Part:
    raw = data if isinstance(data, bytes) else data.encode()
    return Part("a.json", len(raw), lambda: io.BufferedReader(io.BytesIO(raw)))  # type: ignore[arg-type]


def values(data: str | bytes) -> list[Any]:
    """The values, a broken one as its reason."""
    return [one.value if isinstance(one, Record) else one.why for one in records(part(data))]


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1}, {"a": 2}]',
        '{"a": 1}\n{"a": 2}\n',
        '\n {"a": 1}\r\n\r\n{"a": 2}',
        '[\n  {\n    "a": 1\n  },\n  {"a": 2}\n]\n',
    ],
    ids=["array", "lines", "lines with gaps", "array over lines"],
)
def test_an_array_and_json_lines_give_the_same(text: str) -> None:
    assert values(text) == [{"a": 1}, {"a": 2}]


def test_an_object_over_many_lines_is_one_record() -> None:
    assert values(json.dumps({"a": [1, {"b": 2}]}, indent=2)) == [{"a": [1, {"b": 2}]}]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_alphabet_as_powershell_writes_it(encoding: str) -> None:
    assert values('[{"a": "가치관"}]'.encode(encoding)) == [{"a": "가치관"}]


def test_records_longer_than_what_is_read_at_once_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHUNK", 7)
    wanted = [{"text": "x]}[{" * 20 + '"\\'}, 12345, "a, b", None, [], {"n": [1.5, True]}]
    assert values(json.dumps(wanted)) == wanted


@pytest.mark.parametrize("chunk", [3, 1 << 20])
def test_a_broken_record_is_passed_over_and_the_next_one_is_read(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHUNK", chunk)
    assert values('[{"a": 1}, {"a": tru, "b": "]"}, nope, {"a": 3}]') == [
        {"a": 1},
        "It is not JSON.",
        "It is not JSON.",
        {"a": 3},
    ]


def test_a_record_nested_too_deeply_is_passed_over() -> None:
    assert values("[1, " + "[" * 200_000 + "]" * 200_000 + ", 2]") == [1, "It is not JSON.", 2]


def test_a_broken_line_is_passed_over() -> None:
    assert values('{"a": 1}\n{"a": \n{"a": 3}') == [{"a": 1}, "It is not JSON.", {"a": 3}]


def test_where_a_record_stands_is_told_by_number_or_line() -> None:
    assert [one.where for one in records(part("[1, 2]"))] == ["a.json, record 1", "a.json, record 2"]
    assert [one.where for one in records(part('{"a": 1}\n\n{"a": 2}'))] == ["a.json, line 1", "a.json, line 3"]


def test_a_file_that_ends_in_the_middle_says_so() -> None:
    assert values('[{"a": 1}, {"a"')[1] == "The file ends in the middle of it."
    assert values('[{"a": 1}')[1] == "The file ends before its list does."


def test_what_is_no_json_is_one_broken_record_and_nothing_is_nothing() -> None:
    assert values("# A heading") == ["It is not JSON."]
    assert values("  \n ") == []


def test_more_records_than_are_read_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RECORDS", 2)
    assert values("[1, 2, 3]") == [1, 2, "It holds more than 2 records; the rest is left."]


def test_a_record_without_an_end_is_not_read_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CHARS", 1 << 20)
    found = list(records(part('[{"a": "' + "x" * (3 << 20) + '"}]')))
    assert len(found) == 1
    assert isinstance(found[0], BrokenRecord)


def test_a_long_file_takes_the_room_of_a_record(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    record = json.dumps({"text": "tide " * 400})
    path.write_text("[" + ",".join([record] * 10_000) + "]", "utf-8")
    (one,) = open_path(path).parts
    tracemalloc.start()
    try:
        assert sum(isinstance(found, Record) for found in records(one)) == 10_000
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 20_000_000
    assert most < 8_000_000


def test_a_member_that_is_damaged_gives_what_stood_before_the_damage(
    zipped: Callable[[Path], Path], tmp_path: Path
) -> None:
    folder = tmp_path / "export"
    folder.mkdir()
    # Random words, so that the damage lies in the middle of what is packed.
    words = [f"{n * 2654435761 % 2**32:x}" for n in range(200_000)]
    (folder / "a.json").write_text(
        json.dumps([{"words": words[n : n + 50]} for n in range(0, len(words), 50)]), "utf-8"
    )
    archive = zipped(folder)
    data = bytearray(archive.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 64] = bytes(64)
    archive.write_bytes(data)
    found = list(records(open_path(archive).parts[0]))
    assert isinstance(found[0], Record)
    assert isinstance(found[-1], BrokenRecord)
    assert len(first(open_path(archive).parts[0], 8)) == 8
