"""What `./test audit` makes of pip-audit's report; the report itself takes a network."""

from __future__ import annotations

from typing import Any

from tests.security.audit import verdict

GOOD: dict[str, Any] = {"name": "httpx", "version": "0.28.1", "vulns": []}
WEAK: dict[str, Any] = {
    "name": "leaky", "version": "1.0", "vulns": [{"id": "PYSEC-2026-1", "fix_versions": ["1.1"]}]
}  # fmt: skip
MISSED: dict[str, Any] = {"name": "palimpsest", "skip_reason": "Dependency not found on PyPI"}


def test_a_weakness_is_told_with_the_version_that_mends_it_and_fails() -> None:
    said, code = verdict({"dependencies": [GOOD, WEAK, MISSED]})
    assert code == 1
    assert "leaky 1.0: PYSEC-2026-1, mended in 1.1" in said
    assert "2 packages looked up; 1 could not be looked up, 1 weaknesses known." in said


def test_without_one_it_passes() -> None:
    assert verdict({"dependencies": [GOOD]}) == ("audit: 1 packages looked up, 0 weaknesses known.", 0)


def test_where_nothing_could_be_looked_up_it_says_so_and_fails_nothing() -> None:
    said, code = verdict({"dependencies": [MISSED, MISSED]})
    assert code == 0 and "of 2 packages none could be looked up" in said
    said, code = verdict(None)
    assert code == 0 and "Nothing was looked up" in said
