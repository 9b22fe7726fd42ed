"""Of the rules' candidates those are kept that somebody who was not there understands and wants to know."""

from __future__ import annotations

from pathlib import Path

import pytest

from memoryapp.domain.fact import Candidate, Extraction, SpokenTurn
from memoryapp.extraction.facts import select
from memoryapp.extraction.facts.pipeline import extract_facts
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


PLAIN = """
    I moved to Busan last week. I live in Seoul. I like green tea. I love pottery. I'm allergic to walnuts.
    My dog is called Rex. I work at Hangang Labs as a data engineer. My favourite colour is teal. I'm vegetarian.
    I play the cello. My sister Ana lives in Porto. I prefer dark mode. We use Postgres 15 in production.
    I am learning Spanish. My birthday is 4 May. I don't drink coffee after noon. I have two kids.
    I'm a nurse on night shifts. The staging server runs on port 8080. We decided to move the queue to Redis.
    I repair clocks in Busan. I keep the spare keys in a blue teapot.
"""


@pytest.mark.parametrize("speaker", ["user", "Ann"])
def test_what_somebody_plainly_says_of_themselves_is_kept(speaker: str) -> None:
    said = [f"{one.strip()}." for one in PLAIN.split(".") if one.strip()]
    read = select_candidates(extract_facts([SpokenTurn(one, speaker) for one in said]))
    assert [one for one, extraction in zip(said, read, strict=True) if not extraction.candidates] == []
