"""The server over an API that answers what the test says: nothing runs, nothing is held."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import Any

import httpx
import pytest
from mcp.client import Client

from memoryapp.interfaces.mcp import server
from memoryapp.interfaces.mcp.client import Api, refusal
from memoryapp.interfaces.mcp.server import make_server
from tests.mcp.talking import run


def told_of(answer: httpx.Response, name: str = "list_conflicts", **arguments: Any) -> str:
    """What a tool says when the API answers so."""

    async def send(method: str, path: str, **more: Any) -> httpx.Response:
        return answer

    async def talk() -> str:
        async with Client(make_server(Api(send))) as client:
            result = await client.call_tool(name, arguments)
            assert result.is_error
            return str(result.content[0].text)

    return run(talk())


def test_a_problem_is_told_with_its_field_and_what_to_do() -> None:
    problem = {"title": "Invalid input", "detail": "It is too early.", "field": "/as_of"}
    said = told_of(httpx.Response(422, json=problem), "recall", query="x")
    assert said == "It is too early. (at as_of) Correct this and call again."


def test_an_answer_that_is_no_problem_is_told_by_its_status() -> None:
    assert told_of(httpx.Response(502, text="<html>")) == "Palimpsest answered 502 Bad Gateway."
    assert "Wait a moment" in told_of(httpx.Response(429, json={"detail": "Too many requests."}))


def test_an_answer_of_another_shape_is_logged_and_no_riddle_to_the_agent(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "memoryapp.interfaces.mcp"):
        said = told_of(httpx.Response(200, json={"no": "items"}))
    assert "not expected" in said
    assert "The tool list_conflicts failed" in caplog.text


def test_a_tool_that_is_not_offered_is_not_called() -> None:
    async def send(method: str, path: str, **more: Any) -> httpx.Response:
        raise AssertionError("it was called")

    async def talk() -> None:
        async with Client(make_server(Api(send))) as client:
            for name in ("undo_run", "no_such"):
                with pytest.raises(Exception, match="There is no tool"):
                    await client.call_tool(name, {})

    run(talk())


@pytest.mark.parametrize("agent", ["night-shift", ""])
def test_an_agent_goes_by_its_own_word_before_its_programs(agent: str) -> None:
    said: list[str] = []

    async def send(method: str, path: str, *, headers: dict[str, str], **more: Any) -> httpx.Response:
        if path.endswith("/conflicts"):
            said.append(headers.get("X-Agent-ID", ""))
        return httpx.Response(200, json={"items": [], "total": 0, "next_cursor": None})

    async def talk() -> None:
        for mode in ("auto", "legacy"):
            async with Client(make_server(Api(send, agent=agent)), mode=mode) as client:
                await client.call_tool("list_conflicts", {})

    run(talk())
    assert said == ["night-shift"] * 2 if agent else all(said)


def test_an_agent_erases_for_good_only_where_its_door_allows_it() -> None:
    asked: list[str] = []

    async def send(method: str, path: str, **more: Any) -> httpx.Response:
        asked.append(f"{method} {path}")
        return httpx.Response(200, json={"dry_run": False, "removed": {"memory": 1}, "also": [], "said_by": []})

    async def talk(purges: bool) -> str:
        async with Client(make_server(Api(send, purges=purges))) as client:
            told = await client.call_tool("forget", {"id": "9f2c1b7a40d3e685", "purge": True})
            return str(told.content[0].text)  # type: ignore[union-attr]

    assert "may not erase for good" in run(talk(False))
    assert not any(one.endswith("/purge") for one in asked)
    assert "Erased 9f2c1b7a40d3e685 for good" in run(talk(True))
    assert sum(one.endswith("/purge") for one in asked) == 1


def test_a_refusal_gives_advice_that_fits_its_cause() -> None:
    def refused(detail: str) -> str:
        return refusal(httpx.Response(403, json={"detail": detail})).advice

    assert "curator" in refused("This takes the role of a curator; you are a writer in “default”.")
    assert refused("/etc/passwd is outside the folders that may be read: /home/ada.") == ""


def test_a_session_begins_with_a_greeting_and_with_a_call_after_a_long_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    now = [0.0]
    monkeypatch.setattr(server.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(server, "_last", OrderedDict())

    async def send(method: str, path: str, **more: Any) -> httpx.Response:
        begun.append(path)
        return httpx.Response(200, json={"jobs": []})

    async def calls(session: str, *, greeting: bool = False) -> int:
        begun.clear()
        await server.note_call(Api(send, session=session), greeting=greeting)
        return len(begun)

    assert run(calls("a")) == 1 and run(calls("a")) == 0 and run(calls("b")) == 1
    assert run(calls("a", greeting=True)) == 1
    now[0] += server.PAUSE - 1
    assert run(calls("a")) == 0  # each call is a sign of life
    now[0] += server.PAUSE
    assert run(calls("a")) == 1


@pytest.mark.parametrize("session", ["", "a-caller-by-http"])
def test_a_greeting_over_stdio_waits_for_no_app_and_its_first_call_begins_the_session(
    session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_last", OrderedDict())
    asked: list[str] = []

    async def send(method: str, path: str, **more: Any) -> httpx.Response:
        asked.append(path.rpartition("/")[2])
        return httpx.Response(200, json={"items": [], "total": 0, "next_cursor": None})

    async def talk() -> list[str]:
        async with Client(make_server(Api(send, session=session)), mode="legacy") as client:
            greeted = list(asked)
            await client.call_tool("list_conflicts", {})
        return greeted

    assert run(talk()) == (["session-start"] if session else [])
    assert asked == ["session-start", "conflicts"]
