from __future__ import annotations

import pytest

from memoryapp.search.entities import speaker_named


@pytest.mark.parametrize(
    ("query", "speakers", "named"),
    [
        ("What did Caroline say?", ["Caroline", "Melanie"], "caroline"),
        ("What are Melanie's pets?", ["Caroline", "Melanie"], "melanie"),
        ("Did Caroline meet Melanie?", ["Caroline", "Melanie"], None),
        ("what did caroline think", ["Caroline Smith", "Melanie"], "caroline smith"),
        ("what did Kim think", ["Kim Minsu", "Kim Jiwoo"], None),
        ("what did Kim Minsu think", ["Kim Minsu", "Kim Jiwoo"], "kim minsu"),
        ("민수가 뭐라고 했어?", ["민수", "지우"], "민수"),
        ("who is the assistant of the user?", ["user", "assistant"], None),
        ("carolines", ["Caroline"], None),
        ("nobody here", ["Caroline"], None),
        ("anything", [], None),
    ],
)
def test_exactly_one_known_speaker_is_named(query: str, speakers: list[str], named: str | None) -> None:
    assert speaker_named(query, speakers) == named
