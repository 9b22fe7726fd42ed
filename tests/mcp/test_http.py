"""/mcp by HTTP: who is let in, where, under which name, and that nothing is kept between two requests."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import httpx2
import pytest

from memoryapp.interfaces.mcp.http import http_door
from tests.mcp.conftest import Place
from tests.mcp.talking import ERAS, run, talking

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"Accept": "application/json, text/event-stream"}
in_both_eras = pytest.mark.parametrize("era", ERAS)


def post(place: Place, path: str = "/mcp", *, json: Any = PING, **headers: str) -> httpx.Response:
    sent = ACCEPT | {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.post(f"{place.live.url}{path}", json=json, headers=sent, trust_env=False)


def bearer(place: Place) -> dict[str, str]:
    return {"Authorization": f"Bearer {place.key}"}


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer pal_00000000_x"}, {"X_API_Key": "no"}], ids=str)
def test_without_a_valid_key_there_is_no_protocol(untouched: Place, headers: dict[str, str]) -> None:
    answer = post(untouched, json={"not": "the protocol"}, **headers)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")
    assert answer.json()["title"] == "Not authenticated"


def test_a_key_of_strange_bytes_is_a_wrong_key(untouched: Place) -> None:
    with httpx.Client(trust_env=False) as client:
        headers = [(b"Authorization", b"Bearer pal_\xe9\xff"), (b"Accept", ACCEPT["Accept"].encode())]
        assert client.post(f"{untouched.live.url}/mcp", json=PING, headers=headers).status_code == 401


STRANGE = {
    "a lone surrogate": '{"name": "remember", "arguments": {"text": "\\ud800"}}',
    "a zero": '{"name": "remember", "arguments": {"text": "\\u0000"}}',
    "a number beyond bounds": '{"name": "recall", "arguments": {"query": "x", "top_k": 1e999}}',
    "no number": '{"name": "recall", "arguments": {"query": "x", "min_trust": NaN}}',
    "arguments that are a list": '{"name": "recall", "arguments": ["x"]}',
    "no arguments": '{"name": "recall"}',
    "a name that is a number": '{"name": 7}',
    "deep nesting": '{"name": "recall", "arguments": {"query": ' + "[" * 3_000 + "]" * 3_000 + "}}",
}


@pytest.mark.parametrize("params", STRANGE.values(), ids=STRANGE)
@in_both_eras
def test_strange_calls_are_refused_and_break_nothing(untouched: Place, params: str, era: str) -> None:
    meta = '{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}'
    headers = bearer(untouched) | ACCEPT | {"Content-Type": "application/json"}
    if era != "legacy":
        params = f'{params[:-1]}, "_meta": {meta}}}'
        headers |= {"MCP-Protocol-Version": era, "MCP-Method": "tools/call", "MCP-Name": "recall"}
    body = f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {params}}}'
    answer = httpx.post(f"{untouched.live.url}/mcp", content=body, headers=headers, trust_env=False)
    assert answer.status_code < 500
    said = answer.json()
    assert "error" in said or said["result"]["isError"]
    assert "not expected" not in answer.text
    assert post(untouched, **bearer(untouched)).status_code == 200


def test_the_session_of_a_browser_opens_nothing(untouched: Place) -> None:
    with httpx.Client(trust_env=False, follow_redirects=True) as browser:
        untouched.live.sign_in(browser)
        assert any("session" in name for name in browser.cookies)
        assert browser.post(f"{untouched.live.url}/mcp", json=PING, headers=ACCEPT).status_code == 401


def test_a_key_is_taken_from_either_header(untouched: Place) -> None:
    assert post(untouched, **bearer(untouched)).json()["result"] == {}
    assert post(untouched, X_API_Key=untouched.key).json()["result"] == {}


def test_a_request_keeps_its_name_on_the_way_and_nothing_of_the_browser() -> None:
    seen: dict[bytes, bytes] = {}

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.update(scope["headers"])
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    async def ask() -> int:
        transport = httpx.ASGITransport(app=http_door(application))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            sent = {"X-Request-ID": "night-7", "Cookie": "sessionid=x"}
            return (await client.post("/mcp", json=PING, headers=sent)).status_code

    assert asyncio.run(ask()) == 401
    assert seen[b"x-request-id"] == b"night-7" and b"cookie" not in seen


def test_there_is_no_stream_and_no_session_to_end(untouched: Place) -> None:
    for method in ("GET", "DELETE", "OPTIONS"):
        answer = httpx.request(method, f"{untouched.live.url}/mcp", headers=bearer(untouched) | ACCEPT, trust_env=False)
        assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")


def test_pages_of_other_addresses_are_turned_away(untouched: Place) -> None:
    assert post(untouched, Origin="https://evil.example", **bearer(untouched)).status_code == 403
    assert post(untouched, Origin=untouched.live.url, **bearer(untouched)).status_code == 200


def test_a_name_that_this_machine_does_not_bear_is_turned_away(untouched: Place) -> None:
    assert post(untouched, Host="evil.example", **bearer(untouched)).status_code == 400


def test_addresses_that_only_begin_alike_are_pages(untouched: Place) -> None:
    answer = httpx.get(f"{untouched.live.url}/mcpx", trust_env=False)
    assert answer.status_code == 404 and "text/html" in answer.headers["Content-Type"]


def test_a_body_has_a_bound(untouched: Place) -> None:
    assert post(untouched, json={"x": "y" * 3_000_000}, **bearer(untouched)).status_code == 413


def test_what_is_no_protocol_is_told_so(untouched: Place) -> None:
    answer = post(untouched, json={"jsonrpc": "2.0", "id": 1, "method": "no/such"}, **bearer(untouched))
    assert answer.json()["error"]["code"] == -32601


@in_both_eras
def test_the_space_is_the_keys_the_headers_or_the_addresss(place: Place, other_place: Place, era: str) -> None:
    key = place.live.key  # opens every space

    async def talk() -> list[list[str]]:
        async with talking(f"{place.url}/{place.space}", key, era=era) as agent:
            await agent.call("remember", text="The harbour is closed on Mondays.")
        found = []
        for url, headers in (
            (place.url, {"X_Space": place.space}),
            (f"{place.url}/{place.space}", {"X_Space": other_place.space}),
            (f"{place.url}/{other_place.space}", {}),
        ):
            async with talking(url, key, era=era, **headers) as agent:
                found.append([one["text"] for one in (await agent.call("recall", query="harbour"))["items"]])
        async with talking(place.url, place.key, era=era) as agent:
            found.append([one["text"] for one in (await agent.call("recall", query="harbour"))["items"]])
        return found

    there = ["The harbour is closed on Mondays."]
    assert run(talk()) == [there, there, [], there]


def test_a_space_that_is_not_open_is_not_told_from_one_that_is_not_there(untouched: Place, other_place: Place) -> None:
    closed = post(untouched, f"/mcp/{other_place.space}", **bearer(untouched))
    missing = post(untouched, "/mcp/no-such-space", **bearer(untouched))
    assert closed.status_code == missing.status_code == 404
    assert closed.json()["detail"].replace(other_place.space, "no-such-space") == missing.json()["detail"]
    assert post(untouched, "/mcp/%EA%B0%92", **bearer(untouched)).status_code == 404
    assert post(untouched, f"/mcp/{untouched.space}/x", **bearer(untouched)).status_code == 404


@in_both_eras
def test_the_agent_is_known_by_its_header_or_else_by_its_programs_name(place: Place, era: str) -> None:
    key = place.key_of("writer")

    async def talk() -> None:
        async with talking(place.url, key, era=era, name="Claude Code 값") as agent:
            await agent.call("remember", text="One.")
        async with talking(place.url, key, era=era, X_Agent_ID="night-shift") as agent:
            await agent.call("remember", text="Two.")

    run(talk())
    with place.api() as client:
        actors = [one["actor"] for one in client.get("/audit", params={"record": "memory"}).json()["items"]]
    said = "planner/Claude Code" if era != "legacy" else "planner/Claude-Code"
    assert actors[0] == "planner/night-shift"
    assert actors[1].startswith(said)


@in_both_eras
def test_two_agents_at_once_do_not_hear_each_other(place: Place, other_place: Place, era: str) -> None:
    async def talk(one: Place, town: str) -> list[str]:
        async with talking(one.url, one.key, era=era) as agent:
            for number in range(3):
                await agent.call("remember", text=f"Visit {number} to {town}.")
            return [found["text"] for found in (await agent.call("recall", query="visit", top_k=20))["items"]]

    async def both() -> list[list[str]]:
        return await asyncio.gather(talk(place, "Busan"), talk(other_place, "Lisbon"))

    here, there = run(both())
    assert sorted(here) == [f"Visit {number} to Busan." for number in range(3)]
    assert sorted(there) == [f"Visit {number} to Lisbon." for number in range(3)]


@in_both_eras
def test_a_talk_goes_on_although_each_request_meets_another_process(place: Place, era: str) -> None:
    """As behind several web processes, or over a restart: every request is served by a door made for it alone."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await http_door(_forward_to(place.live.url))(scope, receive, send)

    async def talk() -> str:
        transport = httpx2.ASGITransport(app=application)
        host = place.live.url.removeprefix("http://")
        async with talking(f"http://{host}/mcp", place.key, era=era, transport=transport) as agent:
            id = (await agent.call("remember", text="The key is under the mat."))["id"]
            return str((await agent.call("get_memory", id=id))["text"])

    assert run(talk()) == "The key is under the mat."


def _forward_to(url: str) -> Any:
    """The running app as an application inside this process."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        body = (await receive()).get("body", b"")
        async with httpx.AsyncClient(trust_env=False) as client:
            answer = await client.request(
                scope["method"], f"{url}{scope['path']}", content=body, headers=scope["headers"]
            )
        await send({"type": "http.response.start", "status": answer.status_code, "headers": answer.headers.raw})
        await send({"type": "http.response.body", "body": answer.content})

    return application


def test_more_tools_are_there_for_who_asks(untouched: Place) -> None:
    async def names(url: str) -> set[str]:
        async with talking(url, untouched.key) as agent:
            return set(agent.tools)

    nine, all_of_them = run(names(untouched.url)), run(names(f"{untouched.url}?tools=all"))
    assert len(nine) == 9 and "give_feedback" in nine and nine < all_of_them
    assert {"why_not", "list_episodes", "look_around", "read_node", "append_turn", "ingest", "undo_run"} <= all_of_them
