"""The server over an API that answers what the test says: nothing runs, nothing is held."""

from __future__ import annotations

import logging
from typing import Any

import httpx
import pytest
from mcp.client import Client

from memoryapp.mcp.asking import Api
from memoryapp.mcp.server import make_server
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
    problem = {"title": "This cannot be used as it is", "detail": "It is too early.", "field": "/as_of"}
    said = told_of(httpx.Response(422, json=problem), "recall", query="x")
    assert said == "It is too early. (at as_of) Correct this and call again."


def test_an_answer_that_is_no_problem_is_told_by_its_status() -> None:
    assert told_of(httpx.Response(502, text="<html>")) == "Palimpsest answered 502 Bad Gateway."
    assert "Wait a moment" in told_of(httpx.Response(429, json={"detail": "Too many requests."}))


def test_an_answer_of_another_shape_is_logged_and_no_riddle_to_the_agent(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "memoryapp.mcp"):
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
        said.append(headers.get("X-Agent-ID", ""))
        return httpx.Response(200, json={"items": [], "total": 0, "next_cursor": None})

    async def talk() -> None:
        for mode in ("auto", "legacy"):
            async with Client(make_server(Api(send, agent=agent)), mode=mode) as client:
                await client.call_tool("list_conflicts", {})

    run(talk())
    assert said == ["night-shift"] * 2 if agent else all(said)
