"""What stands in the environment and cannot be used is told in a sentence that names the variable."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

SETTINGS = Path(__file__).resolve().parents[2] / "memoryapp" / "settings.py"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MEMORY_RATE_LIMIT", "lots"),
        ("MEMORY_LLM_TIMEOUT", "a minute"),
        ("MEMORY_LOG_LEVEL", "loud"),
        ("MEMORY_LOG_FORMAT", "jsno"),
        ("MEMORY_LOG_REQUESTS", "yes"),
        ("DATABASE_URL", "my-database"),
    ],
)
def test_a_variable_that_cannot_be_used_is_named(
    name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_DATA_DIR", str(tmp_path))
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ending:
        runpy.run_path(str(SETTINGS))
    assert name in str(ending.value) and "\n" not in str(ending.value)


def test_an_empty_variable_counts_as_not_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_DATA_DIR", str(tmp_path))
    for name in ("MEMORY_RATE_LIMIT", "MEMORY_LOG_LEVEL", "MEMORY_LOG_FORMAT", "DATABASE_URL"):
        monkeypatch.setenv(name, "")
    found = runpy.run_path(str(SETTINGS))
    assert (found["RATE_LIMIT"], found["LOG_LEVEL"], found["LOG_FORMAT"]) == (300.0, "INFO", "plain")
