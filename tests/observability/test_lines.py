"""Lines of the log: what they carry, and what they must never say."""

from __future__ import annotations

import json
import logging
import sys
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.observability import log_fields, note, work
from memoryapp.observability.lines import LEFT_OUT, JsonLines, ShortLines

MEMORY = "Mina keeps the heron's name a secret."


def a_record(message: str, *args: Any, error: BaseException | None = None, **extra: Any) -> logging.LogRecord:
    exc_info = (type(error), error, error.__traceback__) if error else None
    made = logging.LogRecord("memoryapp.jobs.run", logging.WARNING, __file__, 1, message, args, exc_info)
    made.__dict__.update(extra)
    return made


def raised(make: BaseException, cause: BaseException | None = None) -> BaseException:
    try:
        raise make from cause
    except BaseException:
        found = sys.exc_info()[1]
        assert found is not None
        return found


def test_a_line_is_one_json_object_with_the_fields_of_the_work_under_way() -> None:
    with work(request="r-1", job=""):
        note(space="reeds", run="f" * 16)
        line = json.loads(JsonLines().format(a_record("Job %s waits", "7c", fields={"ms": 12.5})))
    assert {name: line[name] for name in ("level", "logger", "message", "request", "space", "run", "ms")} == {
        "level": "WARNING", "logger": "memoryapp.jobs.run", "message": "Job 7c waits",
        "request": "r-1", "space": "reeds", "run": "f" * 16, "ms": 12.5,
    }  # fmt: skip
    assert line["time"].endswith("+00:00") and "job" not in line
    assert log_fields() == {}


def test_work_within_work_keeps_the_outer_fields_and_gives_them_back() -> None:
    with work(request="outer"):
        with work(job="7c"):
            note(space="reeds")
            assert log_fields() == {"request": "outer", "job": "7c", "space": "reeds"}
        assert log_fields() == {"request": "outer"}
    note(space="nobody's")
    assert log_fields() == {}


def test_what_another_thread_does_has_fields_of_its_own() -> None:
    seen: list[dict[str, Any]] = []
    with work(request="mine"):
        other = threading.Thread(target=lambda: seen.append(log_fields()))
        other.start()
        other.join()
    assert seen == [{}]


def test_a_field_that_nobody_declared_is_refused() -> None:
    with pytest.raises(ValueError, match="text"), work(text=MEMORY):
        pass


@pytest.mark.parametrize("written", [JsonLines(), ShortLines()], ids=["json", "plain"])
def test_an_unexpected_error_is_told_by_class_and_place_and_not_by_what_it_quotes(written: logging.Formatter) -> None:
    error = raised(RuntimeError(f"cannot store {MEMORY}"), cause=raised(ValueError(MEMORY)))
    text = written.format(a_record("Job failed", error=error))
    assert MEMORY not in text and "RuntimeError" in text and "ValueError" in text
    assert "test_lines.py" in text and "in raised" in text


def test_an_error_of_the_disk_says_which_file() -> None:
    error = raised(FileNotFoundError(2, "No such file or directory", "/data/lock"))
    assert "/data/lock" in json.loads(JsonLines().format(a_record("Failed", error=error)))["stack"]


@pytest.mark.parametrize("written", [JsonLines(), ShortLines()], ids=["json", "plain"])
@pytest.mark.parametrize(
    "secret",
    ["pal_1a2b3c4d_0123456789abcdef", "Bearer sk-live-123", "redis://:hunter2@queue:6379", "/login/abc123.def"],
)
def test_keys_passwords_and_login_links_are_left_out(written: logging.Formatter, secret: str) -> None:
    text = written.format(a_record("It said %s, and ended", secret))
    assert LEFT_OUT in text and "and ended" in text
    assert not any(part in text for part in ("0123456789abcdef", "sk-live-123", "hunter2", "abc123.def"))


@given(st.text())
def test_whatever_is_logged_is_one_line_that_reads_as_json(message: str) -> None:
    text = JsonLines().format(a_record("%s", message))
    assert "\n" not in text and "\r" not in text
    assert isinstance(json.loads(text)["message"], str)


def test_a_short_line_names_its_request_and_job() -> None:
    with work(request="r-1", job="7c", space="reeds"):
        assert ShortLines().format(a_record("It waits")).endswith("memoryapp.jobs.run: It waits [request r-1, job 7c]")
