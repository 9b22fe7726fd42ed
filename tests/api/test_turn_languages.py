"""What is said in any language is found by its words as soon as it is posted."""

from __future__ import annotations

import pytest

from tests.api.conftest import Agent


def say(agent: Agent, session: str, *texts: str) -> None:
    agent.post("/sessions", {"name": session})
    turns = [{"text": text, "speaker": "Sam", "ref": f"{session}-{n}"} for n, text in enumerate(texts)]
    assert agent.post(f"/sessions/{session}/turns", {"turns": turns}).status_code == 202


def first(agent: Agent, query: str) -> str:
    """The words of the best result by words alone."""
    items = agent.post("/search", {"query": query, "strategy": "keyword"}).json()["items"]
    return str(items[0]["text"]) if items else ""


JAPANESE = "来週の金曜日に京都の美術館へ行きます。"
CHINESE = "我们把数据库搬到了上海的机房。"
KOREAN = "지난주에 부산으로 이사했어요."
MIXED = "昨日PostgreSQLのバックアップが失敗しました。"
GERMAN = "Die Fähre nach Rügen fährt morgens um sieben."


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("美術館", JAPANESE),
        ("京都はいつ?", JAPANESE),
        ("バックアップ", MIXED),
        ("postgresql", MIXED),
        ("数据库在哪里", CHINESE),
        ("上海", CHINESE),
        ("库", CHINESE),
        ("我们搬了吗?", CHINESE),
        ("부산", KOREAN),
        ("Fahre", GERMAN),
        ("fährt", GERMAN),
    ],
)
def test_words_of_one_session_in_five_languages_are_found(writer: Agent, query: str, text: str) -> None:
    say(writer, "many-tongues", JAPANESE, CHINESE, KOREAN, MIXED, GERMAN, "The ferry was late today.")
    assert first(writer, query) == text


def test_a_single_sign_finds_nothing_that_lacks_it(writer: Agent) -> None:
    say(writer, "signs", JAPANESE, "東京の天気は晴れです。")
    assert first(writer, "猫") == ""
