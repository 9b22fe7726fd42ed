"""Turns as nobody should send them, and some do: each is kept and found by its words, or refused in a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from memoryapp.domain.limits import LIMITS
from memoryapp.jobs import run
from tests.api.conftest import Agent


@pytest.fixture
def session(writer: Agent) -> str:
    return str(writer.post("/sessions", {"name": "odd things"}).json()["id"])


def post(agent: Agent, session: str, *turns: dict[str, Any]) -> Any:
    return agent.post(f"/sessions/{session}/turns", {"turns": list(turns)})


def found(agent: Agent, query: str) -> list[str]:
    return [one["text"] for one in agent.post("/search", {"query": query, "strategy": "keyword"}).json()["items"]]


def settle(taken: Any) -> None:
    """Reads what waits to be read."""
    if taken["job"]:
        run.run(taken["job"])


def test_a_turn_of_a_megabyte_is_refused_with_the_limit_and_the_way_round(writer: Agent, session: str) -> None:
    refused = post(writer, session, {"text": "word " * 200_000})
    assert refused.status_code in (413, 422)
    told = refused.json()["detail"]
    assert f"{LIMITS.turn_chars:,}" in told and "several" in told
    assert refused.json()["field"] == "/turns/0/text"


def test_ten_thousand_turns_at_once_are_refused_with_the_limit_and_the_way_round(writer: Agent, session: str) -> None:
    refused = post(writer, session, *({"text": f"Turn {n}."} for n in range(10_000)))
    assert refused.status_code in (413, 422)
    assert f"{LIMITS.turns}" in refused.json()["detail"] and "several" in refused.json()["detail"]
    assert writer.get(f"/sessions/{session}").json()["turns"] == 0


def test_a_turn_as_long_as_may_be_is_found_by_its_last_words(writer: Agent, session: str) -> None:
    text = ("The river was calm. " * 2_000)[: LIMITS.turn_chars - 40] + " At the very end a pelican appeared."
    answer = post(writer, session, {"text": text[: LIMITS.turn_chars]})
    assert answer.status_code == 202
    settle(answer.json())
    assert any("pelican" in one for one in found(writer, "pelican"))


def test_one_word_without_an_end_is_kept(writer: Agent, session: str) -> None:
    assert post(writer, session, {"text": "x" * 100_000}).status_code in (413, 422)
    answer = post(writer, session, {"text": "x" * LIMITS.turn_chars}, {"text": "The pelican came back."})
    assert answer.status_code == 202
    settle(answer.json())
    assert found(writer, "pelican") == ["The pelican came back."]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("def pelican_count(rows):\n    return sum(1 for row in rows if row['bird'] == 'pelican')", "pelican_count"),
        (
            "2026-11-25T10:00:01Z ERROR [worker-3] psycopg.OperationalError: connection to 10.0.0.7:5432 refused\n"
            * 80,
            "OperationalError",
        ),
        ('{"level":"warn","msg":"disk 91% full","host":"pelican-07"}', "pelican"),
        ("```sql\nSELECT * FROM pelicans WHERE id = 1; DROP TABLE turn; --\n```", "pelicans"),
        ("$(rm -rf /) {{ 7*7 }} <script>alert('pelican')</script>", "pelican"),
    ],
)
def test_code_and_logs_are_kept_word_for_word_and_found(writer: Agent, session: str, text: str, query: str) -> None:
    answer = post(writer, session, {"text": text, "role": "tool"}, {"text": text})
    assert answer.status_code == 202, answer.content
    settle(answer.json())
    items = writer.get(f"/sessions/{session}/turns").json()["items"]
    assert [one["text"] for one in items] == [text.strip()] * 2
    assert text.strip() in found(writer, query)


def test_a_turn_made_only_of_secrets_is_kept_as_marks_and_found_by_nothing(writer: Agent, session: str) -> None:
    secret = "AKIA" + "IOSFODNN7EXAMPLZ"
    answer = post(writer, session, {"text": f"{secret} {secret}"})
    assert answer.status_code == 202
    assert answer.json()["items"][0]["text"] == "[secret: API key] [secret: API key]"
    assert answer.json()["reading"] == "done"
    assert found(writer, secret) == [] and found(writer, "API key") == []


@pytest.mark.parametrize("text", ["", "   ", "\n\t\n", "\u200b\u200b", "\x00\x01", "\ufeff"])
def test_a_turn_without_a_word_is_refused_where_it_stands(writer: Agent, session: str, text: str) -> None:
    refused = post(writer, session, {"text": "The pelican came back."}, {"text": text})
    assert refused.status_code == 422
    assert refused.json()["field"] == "/turns/1/text"
    assert writer.get(f"/sessions/{session}").json()["turns"] == 0


def test_control_characters_are_left_out_and_the_words_stay(writer: Agent, session: str) -> None:
    answer = post(writer, session, {"text": "The \x1b[31mpelican\x1b[0m\x00 came\x07 back.\u202e"})
    assert answer.status_code == 202, answer.content
    kept = answer.json()["items"][0]["text"]
    assert kept.rstrip("\u202e") == "The pelican came back."
    assert found(writer, "pelican") == [kept]


def test_half_of_a_character_is_refused_in_words(writer: Agent, session: str) -> None:
    refused = post(writer, session, {"text": "The pelican \ud800 came back."})
    assert refused.status_code == 422 and "half of a character" in refused.json()["detail"]


def test_a_turn_of_signs_alone_is_no_trouble(writer: Agent, session: str) -> None:
    for text in ("👍👍👍", "…", "?!", "🏳️‍🌈", "—"):
        answer = post(writer, session, {"text": text})
        assert answer.status_code in (202, 422), answer.content
        if answer.status_code == 202:
            settle(answer.json())
    assert found(writer, "👍") is not None
