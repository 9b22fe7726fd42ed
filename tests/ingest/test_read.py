"""Bytes to text and metadata; whatever a file holds, reading it does not raise."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.document import FileOutcome, FileReport
from memoryapp.domain.limits import LIMITS
from memoryapp.ingest.read import Reading, load, read
from memoryapp.ingest.walk import FoundFile


def found(data: bytes, path: str = "notes/a.md", size: int | None = None) -> FoundFile:
    return FoundFile(path, len(data) if size is None else size, 5, lambda: data)


def reading(data: bytes | str, path: str = "notes/a.md") -> Reading:
    data = data.encode() if isinstance(data, str) else data
    result = read(found(data, path), data)
    assert isinstance(result, Reading), result
    return result


def refusal(data: bytes) -> str:
    result = read(found(data), data)
    assert isinstance(result, FileReport)
    assert result.outcome is FileOutcome.NOT_READ
    return result.note


def test_text_keeps_its_lines_whatever_ends_them() -> None:
    assert reading("a\r\nb\rc\n").text == "a\nb\nc\n"


def test_what_is_not_utf8_is_refused_with_the_place() -> None:
    assert refusal(b"0123456789" * 2 + b"ab\xe9cd") == "not UTF-8 at byte 22. Save it as UTF-8 and ingest again."


def test_binary_is_refused() -> None:
    assert refusal(b"\x89PNG\x00\x01").startswith("binary")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_is_believed(encoding: str) -> None:
    assert reading("# 가치관\n".encode(encoding)).text == "# 가치관\n"


def test_broken_utf16_is_refused_by_its_own_name() -> None:
    assert refusal(b"\xff\xfe\x00\xd8").startswith("not UTF-16 at byte 2")


def test_a_file_over_the_limit_is_refused_without_being_read() -> None:
    def never() -> bytes:
        raise AssertionError

    report = load(FoundFile("big.md", 6 << 20, 0, never))
    assert isinstance(report, FileReport)
    assert report.note == "6.0 MiB, the limit is 5 MiB"


def test_a_file_that_grew_meanwhile_is_refused_too() -> None:
    report = load(found(b"x" * (LIMITS.file_bytes + 1), size=10))
    assert isinstance(report, FileReport)


def test_a_file_that_cannot_be_opened_says_why() -> None:
    def fail() -> bytes:
        raise PermissionError(13, "Permission denied")

    report = load(FoundFile("a.md", 1, 0, fail))
    assert isinstance(report, FileReport)
    assert report.note == "cannot be read: permission denied"


def test_control_characters_are_left_out_and_told() -> None:
    result = reading("a\x1b[31mred\x07\x7f\u009b b\x0cc\td\u2028e")
    assert result.text == "a[31mred b c\td e"
    assert result.notes == ("6 control characters left out",)


def test_front_matter_is_metadata_and_not_text() -> None:
    result = reading("---\ntitle: The rollback\ntags: [ops, 'deploy']\ndate: 2026-02-13\nx: 1\n---\n# H\n")
    assert (result.title, result.tags, result.body_line) == ("The rollback", ("ops", "deploy"), 6)
    assert (result.date, result.daily) == (datetime(2026, 2, 13, tzinfo=UTC), True)
    assert result.metadata["x"] == 1
    assert result.text.split("\n")[result.body_line] == "# H"


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("ops, Deploy ,ops", ("ops", "Deploy")),
        ("'#ops #deploy'", ("ops", "deploy")),
        ("[ops, 7, null, {a: b}, OPS]", ("ops", "7")),
        ("", ()),
        ("{a: b}", ()),
        ("가치관, 배포 중단", ("가치관", "배포 중단")),
    ],
)
def test_tags_are_a_list_or_a_comma_string(written: str, tags: tuple[str, ...]) -> None:
    assert reading(f"---\ntags: {written}\n---\nx").tags == tags


def test_broken_front_matter_stays_text_with_a_note() -> None:
    result = reading("---\ntitle: [open\nx: y: z\n---\nbody")
    assert result.body_line == 0
    assert result.metadata == {}
    assert "front matter kept as text" in result.notes[0]


@pytest.mark.parametrize(
    "matter",
    [
        "a: &a [x]\nb: *a",  # aliases: nine such lines can stand for a billion values
        "a: " + "[" * 30_000,
        "a: 2026-99-99",
        "a: 0001-01-01T00:00:00+14:00",
        "? [a, b]\n: c",
        "!!python/object/apply:os.system ['true']",
        "a: !!binary 'x'",
        "a: .nan\nb: .inf\nc: 123456789012345678901234567890",
        'a: "\\ud800\\0"',
        "a: " + "9" * 6_000,
        "<<: 3",
    ],
)
def test_hostile_front_matter_neither_raises_nor_runs(matter: str) -> None:
    result = reading(f"---\n{matter}\n---\nbody")
    str(result.metadata).encode()


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    for text in ("---\njust words\n---\nmore", "---\nno end", "----\na: b\n----\n"):
        assert reading(text).body_line == 0
        assert reading(text).notes == ()


def test_plain_text_has_no_front_matter() -> None:
    assert reading("---\na: b\n---\n", "a.txt").body_line == 0


@pytest.mark.parametrize(
    ("name", "date", "daily"),
    [
        ("2026-02-13.md", datetime(2026, 2, 13, tzinfo=UTC), True),
        ("2026-02-13-standup.md", datetime(2026, 2, 13, tzinfo=UTC), True),
        ("2026-11-회고.md", datetime(2026, 11, 1, tzinfo=UTC), False),
        ("2026-02-31.md", None, False),
        ("2026-13-01.md", None, False),
        ("standup.md", None, False),
        ("2026-02-131.md", None, False),
    ],
)
def test_a_dated_file_name_dates_the_file(name: str, date: datetime | None, daily: bool) -> None:
    result = reading("x", f"log/{name}")
    assert (result.date, result.daily) == (date, daily)


@pytest.mark.parametrize("day", ["0000-01-01", "0001-01-01", "9999-12-31"])
def test_a_day_that_other_zones_have_no_clock_for_is_part_of_a_name_and_no_date(day: str) -> None:
    named, stated = reading("x", path=f"{day}.md"), reading(f"---\ndate: {day}\n---\nx")
    assert (named.date, named.daily, stated.date, stated.daily) == (None, False, None, False)


def test_a_date_in_the_front_matter_is_moved_to_utc() -> None:
    result = reading("---\ndate: 2026-02-13T08:00:00+09:00\n---\n", "2025-01-01.md")
    assert result.date == datetime(2026, 2, 12, 23, tzinfo=UTC)


@given(st.binary(max_size=300))
def test_reading_any_bytes_gives_a_reading_or_a_report(data: bytes) -> None:
    result = read(found(data), data)
    assert isinstance(result, (Reading, FileReport))


@given(st.text(alphabet=st.sampled_from("abc:-[]{}&*!|>'\"\\#%@,? \n\t0.2é"), max_size=80))
def test_any_front_matter_gives_a_reading(matter: str) -> None:
    result = reading(f"---\n{matter}\n---\nbody")
    assert result.text.split("\n")[-1] == "body"
    assert result.body_line <= result.text.count("\n")


def test_the_hash_is_of_the_bytes() -> None:
    data = os.urandom(8).hex().encode()
    assert reading(data).content_hash != reading(data + b" ").content_hash
