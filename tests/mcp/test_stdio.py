"""The same tools over standard input and output: beside an app that runs, and where none does."""

from __future__ import annotations

import contextlib
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import Implementation

from memoryapp.interfaces.mcp.client import Api, ApiError
from memoryapp.interfaces.mcp.stdio import AppAddress, _make_send
from memoryapp.management.running import running_in
from tests.live import ROOT, environment, manage
from tests.mcp.conftest import Place
from tests.mcp.talking import Agent, run


@contextlib.asynccontextmanager
async def over_stdio(data: Path, *words: str, era: str = "auto", **more: str) -> AsyncIterator[Agent]:
    program = StdioServerParameters(
        command=sys.executable, args=[str(ROOT / "manage.py"), "mcp", *words], env=environment(data, **more)
    )
    info = Implementation(name="claude-desktop", version="1")
    with open(data / "stderr.txt", "w", encoding="utf-8") as errors:
        async with Client(stdio_client(program, errlog=errors), mode=era, client_info=info) as client:
            yield Agent(client, {tool.name: tool for tool in (await client.list_tools()).tools})


def test_an_agent_beside_a_running_app_settles_a_conflict_that_it_caused(place: Place) -> None:
    async def talk() -> None:
        async with over_stdio(
            place.live.data, "--space", place.space, "--role", "curator", "--all-tools", era="legacy"
        ) as agent:
            assert "why_not" in agent.tools and len(agent.tools) > 9
            await agent.call("remember", text="Minsu lives in Seoul.", kind="fact")
            told = await agent.call("remember", text="Minsu lives in Busan.", kind="fact")
            done = await agent.call("resolve_conflict", id=told["conflict"]["id"], outcome="replace")
            assert done["status"] == "decided"
            (found,) = (await agent.call("recall", query="Where does Minsu live?"))["items"]
            assert found["text"] == "Minsu lives in Busan."

    run(talk())
    with place.api() as client:
        actors = {one["actor"] for one in client.get("/audit").json()["items"]}
    assert actors == {"stdio/claude-desktop"}
    assert "Using the running app" in (place.live.data / "stderr.txt").read_text()


def test_a_key_that_is_given_is_used_with_its_role_and_agent(place: Place) -> None:
    async def talk() -> None:
        given = {"MEMORY_KEY": place.key_of("reader")}
        async with over_stdio(place.live.data, "--url", place.live.url, "--agent", "mole", **given) as agent:
            assert len(agent.tools) == 9
            assert "you are a reader" in await agent.refused("remember", text="Nothing of this.")

    run(talk())


@pytest.mark.slow
def test_where_no_app_runs_one_runs_for_as_long_as_the_agent_stays(tmp_path: Path) -> None:
    async def talk() -> None:
        async with over_stdio(tmp_path) as agent:
            await agent.call("remember", text="The key is under the mat.")
            assert running_in(tmp_path) is not None  # so that commands, a browser and other agents find it
            (found,) = (await agent.call("recall", query="key"))["items"]
            assert found["text"] == "The key is under the mat."

    run(talk())
    assert running_in(tmp_path) is None
    told = manage("recall", "key", data=tmp_path)
    assert "under the mat" in told.stdout, told.stderr


def test_an_app_elsewhere_takes_a_key(tmp_path: Path) -> None:
    told = manage("mcp", "--url", "https://memory.example.org", data=tmp_path)
    assert (told.returncode, told.stdout) == (1, "")
    assert "takes a key" in told.stderr and len(told.stderr.splitlines()) == 1


def test_an_app_that_went_is_looked_for_anew(place: Place) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        gone = f"http://127.0.0.1:{taken.getsockname()[1]}"
    places = [AppAddress(place.live.url, place.key)]

    async def talk() -> None:
        looked: list[AppAddress] = []

        def find() -> AppAddress | None:
            looked.append(places[0])
            return places[0]

        api = Api(_make_send(find, place.space))
        assert (await api.ask("GET", "/version"))["name"] == "Palimpsest"
        assert (await api.ask("GET", "/version"))["name"] == "Palimpsest" and len(looked) == 1
        places[0] = AppAddress(gone, place.key)
        api = Api(_make_send(find, place.space))
        with pytest.raises(ApiError, match="does not answer"):
            await api.ask("GET", "/version")
        places[0] = AppAddress(place.live.url, place.key)
        assert (await api.ask("GET", "/version"))["name"] == "Palimpsest"

    run(talk())


def test_nothing_running_is_told_with_what_to_do() -> None:
    async def talk() -> None:
        await Api(_make_send(lambda: None, "")).ask("GET", "/version")

    with pytest.raises(ApiError, match="not running") as told:
        run(talk())
    assert "manage.py up" in told.value.advice


def test_a_request_that_may_have_arrived_is_not_sent_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []

    async def torn(self: httpx.AsyncClient, method: str, path: str, **more: object) -> httpx.Response:
        sent.append(path)
        raise httpx.ReadError("torn")

    monkeypatch.setattr(httpx.AsyncClient, "request", torn)

    async def talk() -> None:
        await Api(_make_send(lambda: AppAddress("http://127.0.0.1:1", "k"), "")).ask("POST", "/memories", json={})

    with pytest.raises(ApiError, match="torn"):
        run(talk())
    assert len(sent) == 1
