"""Of the rules' candidates those are kept that somebody who was not there understands and wants to know."""

from __future__ import annotations

from pathlib import Path

import pytest

from memoryapp.domain.fact import Candidate, Extraction
from memoryapp.extraction.facts import select
from memoryapp.extraction.facts.select import select_candidates

GOOD = Candidate("Mina is allergic to walnuts.", quote="I'm allergic to walnuts, by the way.")
DANGLING = Candidate("The other one did that as well.", quote="the other one did that as well")
KOREAN = Candidate("민아는 그렇게 했다.", quote="그렇게 했어.")


def test_what_stands_by_itself_is_kept_and_what_hangs_in_the_air_is_told_as_passed_over() -> None:
    empty = Extraction(())
    one, two, three = select_candidates([Extraction((GOOD, DANGLING)), empty, Extraction((KOREAN,))])
    assert one.candidates == (GOOD,)
    ((passed),) = one.passed_over
    assert passed.quote == DANGLING.quote and "likely to be worth keeping" in passed.reason
    assert two == empty and three.candidates == (KOREAN,)


def test_a_line_of_none_keeps_all_and_one_above_all_keeps_none() -> None:
    (every,) = select_candidates([Extraction((GOOD, DANGLING))], line=0.0)
    (none,) = select_candidates([Extraction((GOOD, DANGLING))], line=1.01)
    assert every.candidates == (GOOD, DANGLING) and every.passed_over == ()
    assert none.candidates == () and [one.quote for one in none.passed_over] == [GOOD.quote, DANGLING.quote]


def test_without_its_model_all_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(select, "SELECTOR", tmp_path)
    select._model.cache_clear()
    try:
        (read,) = select_candidates([Extraction((GOOD, DANGLING))])
    finally:
        select._model.cache_clear()
    assert read.candidates == (GOOD, DANGLING)
