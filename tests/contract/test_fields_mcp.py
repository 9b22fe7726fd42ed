"""What agents send: strange values in every argument of every tool, and messages that are none of the protocol's."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

import httpx
import pytest

from memoryapp.accounts.keys import create_key
from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.roles import Role
from memoryapp.integrity import check
from memoryapp.interfaces.api.throttle import buckets
from memoryapp.interfaces.mcp.server import EXTRA, PINNED
from tests.contract.fields import ALL, Literal, written
from tests.contract.fields_api import places, put
from tests.contract.fields_ground import Sample, some
from tests.live import ROOT, Live, environment
from tests.security.conftest import owner, row, theirs  # noqa: F401 - fixtures
from tests.security.test_mcp import called, least
from tests.security.world import Theirs

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "remember", "arguments": {"text": "x"}}}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "odd", "version": "1"}}


def message(**other: Any) -> bytes:
    """A call, with other things in it."""
    return written(CALL | other)


def called_with(name: Any, **arguments: Any) -> bytes:
    return message(params={"name": name, "arguments": arguments})


MESSAGES: dict[str, bytes] = {
    "nothing": b"",
    "no json": b"remember this",
    "not utf-8": b'{"jsonrpc": "2.0", "id": 1, "method": "\xff"}',
    "utf-16": json.dumps(CALL).encode("utf-16"),
    "null": b"null",
    "a number": b"1e400",
    "an empty batch": b"[]",
    "a batch": json.dumps([CALL, CALL]).encode(),
    "a batch of nothing": b"[1, null, {}]",
    "an empty object": b"{}",
    "another version": message(jsonrpc="1.0"),
    "no version": b'{"id": 1, "method": "tools/list"}',
    "no method": b'{"jsonrpc": "2.0", "id": 1}',
    "an unknown method": message(method="tools/destroy"),
    "a method that is a number": message(method=7),
    "a method of half a character": message(method="\ud800"),
    "an id that is a list": message(id=[1]),
    "an id that is null": message(id=None),
    "an id with a part": message(id=1.5),
    "an id past every integer": message(id=Literal("9" * 400)),
    "an id of half a character": message(id="\ud800"),
    "parameters that are a list": message(params=[1, 2]),
    "parameters that are null": message(params=None),
    "no such tool": called_with("\u202e"),
    "a tool that is a number": called_with(7),
    "arguments that are text": message(params={"name": "remember", "arguments": "x"}),
    "arguments past every depth": b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ' + b"[" * 100_000,
    "a notification": b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}',
    "a call without an id": written({name: value for name, value in CALL.items() if name != "id"}),
    "an answer to nothing": b'{"jsonrpc": "2.0", "id": 99, "result": {}}',
    "an error to nothing": b'{"jsonrpc": "2.0", "id": 99, "error": {"code": 1, "message": "x"}}',
    "not a number": called_with("recall", query=Literal("NaN")),
    "the same name twice": b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "tools/list", "method": "ping"}',
    "three megabytes": called_with("remember", text="a" * 3_000_000),
    "a resource that is none": message(method="resources/read", params={"uri": "memory://\ud800/%00"}),
    "a resource elsewhere": message(method="resources/read", params={"uri": "file:///etc/passwd"}),
    "a prompt that is none": message(method="prompts/get", params={"name": "x", "arguments": {"y": 7}}),
    "a bent cursor": message(method="resources/list", params={"cursor": "\x00"}),
    "a handshake of the future": message(method="initialize", params=HELLO | {"protocolVersion": "9999-12-31"}),
    "a client of odd names": message(method="initialize", params=HELLO | {"clientInfo": {"name": "\u202e\n" * 500}}),
}


def test_every_argument_of_every_tool(row: Space, theirs: Theirs, in_full: bool) -> None:  # noqa: F811
    key = create_key("an agent", role=Role.ADMIN, space=row)[1]
    turns, sample, wrong, calls = some(ALL, most=1), Sample(in_full), [], 0
    for tool in (*PINNED, *EXTRA):
        plain = least(tool, theirs)
        for place in sample.of(places(tool.listed().input_schema)):
            for name in next(turns):
                buckets.clear()
                told = f"{tool.name} {place} {name}"
                arguments = json_of(put(plain, place, ALL[name]))
                if not isinstance(arguments, dict):
                    continue  # the protocol itself refuses these: below
                calls += 1
                answer, _ = called(tool, key, arguments)
                words = answer.content[0].text
                if "not expected" in words:
                    wrong.append(f"{told}: {words}")
                elif answer.is_error and not (len(words) > 20 and words[-1] in ".”)"):
                    wrong.append(f"{told}: no sentence: {words[:200]}")
    print(f"{calls:,} calls")
    assert wrong == [], "\n".join(wrong)
    assert check(open_row(row)).broken == ()


def json_of(value: Any) -> Any:
    """As it arrives: what no JSON parser lets by is None."""
    try:
        return json.loads(written(value))
    except (ValueError, RecursionError):
        return None


@pytest.mark.long
def test_a_message_that_is_none_of_the_protocols_is_answered_all_the_same(live: Live) -> None:
    wrong = []
    with httpx.Client(timeout=30, trust_env=False) as client:
        for name, body in MESSAGES.items():
            headers = {"Authorization": f"Bearer {live.key}", "Content-Type": "application/json"}
            answer = client.post(f"{live.url}/mcp", content=body, headers=headers | {"Accept": "application/json"})
            if answer.status_code >= 500 or (answer.status_code >= 400 and len(answer.text) < 20):
                wrong.append(f"{name}: {answer.status_code} {answer.text[:200]}")
    assert wrong == [], "\n".join(wrong)


def test_lines_that_are_no_messages_do_not_end_a_talk_over_standard_input(live: Live) -> None:
    begun = [
        message(id=0, method="initialize", params=HELLO),
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
    ]
    lines = [body for body in MESSAGES.values() if b"\n" not in body]
    asked = message(id="at the end", method="ping", params={})
    with subprocess.Popen(
        [sys.executable, str(ROOT / "manage.py"), "mcp"],
        env=environment(live.data),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        stop = threading.Timer(120, process.kill)  # an answer that never comes is a hang
        stop.start()
        process.stdin.write(b"\n".join([*begun, *lines, asked, b""]))
        process.stdin.flush()
        answered = next((line for line in process.stdout if json.loads(line).get("id") == "at the end"), None)
        process.stdin.close()
        told = process.stderr.read()
        stop.cancel()
    assert answered, "the talk ended"
    assert process.returncode == 0 and b"Traceback" not in told
