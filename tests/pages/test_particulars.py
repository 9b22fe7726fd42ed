"""What changed in a record's particulars, in words."""

from __future__ import annotations

from memoryapp.interfaces.audit.revisions import _differing_texts, field_text


def test_of_two_sets_of_particulars_those_that_differ_are_told() -> None:
    before = {"path": "team", "keywords": ["team"], "weight": 1.0, "lines": {"ab": 1}, "lines_at": "2026-11-26"}
    after = {
        "path": "team",
        "keywords": ["team", "people"],
        "weight": 1.0,
        "lines": {"cd": 2},
        "lines_at": "2026-11-27",
    }
    assert _differing_texts(before, after) == ("keywords team", "keywords team, people")
    assert _differing_texts(before, {**before, "lines": {"cd": 2}, "lines_at": "2026-11-27"}) == ("", "")


def test_nothing_is_told_as_the_program_writes_it() -> None:
    assert field_text({"file": True, "deep": {"a": 1}, "tags": ["x", "y"], "none": None}) == "file yes; tags x, y"
    assert _differing_texts(None, {"weight": 1.5}) == ("", "weight 1.50")
    assert _differing_texts(None, {"key": "0f3a", "lines_at": "2026-11-27", "lines": [{"memory": "9c"}]}) == ("", "")
