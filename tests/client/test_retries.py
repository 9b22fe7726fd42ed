"""Trying again, against a server on a real port that is busy, cut off or talking nonsense before it answers."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from palimpsest_client import AsyncPalimpsest, NotReached, NotUnderstood, Palimpsest, PalimpsestError
from palimpsest_client import connection as connecting

WEIGHED = (200, {"id": "9f2c1b7a40d3e685", "used": 1, "not_useful": 0, "factor": 1.02}, {})
CUT_OFF = (0, {}, {})
BUSY = (429, {"title": "Too many requests", "detail": "Wait."}, {"Retry-After": "0"})
STARTING = (503, {"detail": "Not ready yet."}, {})
AT_WORK = (409, {"detail": "The first request with this Idempotency-Key is still being worked on."}, {})


@dataclass
class Moody:
    """What it answers, one after the other, and what it was asked."""

    answers: list[tuple[int, Any, dict[str, str]]]
    keys: list[str] = field(default_factory=list)
    url: str = ""


@contextmanager
def moody(*answers: tuple[int, Any, dict[str, str]]) -> Iterator[Moody]:
    state = Moody(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            state.keys.append(self.headers.get("Idempotency-Key", ""))
            status, body, headers = state.answers.pop(0)
            if not status:
                self.close_connection = True
                return
            sent = body if isinstance(body, bytes) else json.dumps(body).encode()
            with suppress(BrokenPipeError):
                self.send_response(status)
                for name, value in {"Content-Length": str(len(sent)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(sent)

        do_GET = do_POST  # noqa: N815 - the library's name

        def log_message(self, format: str, *args: object) -> None:
            """Keep the test output clean."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{listening.server_port}"
    Thread(target=listening.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield state
    finally:
        listening.shutdown()
        listening.server_close()


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "FIRST_PAUSE", 0.01)


def weigh(server: Moody, **options: Any) -> Any:
    with Palimpsest(server.url, "pal_key", **options) as client:
        return client.feedback("9f2c1b7a40d3e685", used=True)


def test_a_busy_a_starting_and_a_cut_off_server_are_asked_again_with_one_key() -> None:
    with moody(BUSY, STARTING, CUT_OFF, WEIGHED) as server:
        assert weigh(server).factor == 1.02
        assert len(server.keys) == 4 and len(set(server.keys)) == 1 and server.keys[0]


def test_the_same_holds_for_the_client_that_is_awaited() -> None:
    async def ask(server: Moody) -> float:
        async with AsyncPalimpsest(server.url, "pal_key") as client:
            return (await client.feedback("9f2c1b7a40d3e685", used=True)).factor

    with moody(BUSY, STARTING, CUT_OFF, WEIGHED) as server:
        assert asyncio.run(ask(server)) == 1.02
        assert len(server.keys) == 4 and len(set(server.keys)) == 1


def test_two_writes_have_two_keys() -> None:
    with moody(WEIGHED, WEIGHED) as server:
        weigh(server)
        weigh(server)
        assert len(set(server.keys)) == 2


def test_a_first_try_that_arrived_after_all_is_waited_for() -> None:
    with moody(CUT_OFF, AT_WORK, WEIGHED) as server:
        assert weigh(server).used == 1


def test_a_clash_that_no_earlier_try_explains_is_told_at_once() -> None:
    with moody(AT_WORK, WEIGHED) as server, pytest.raises(PalimpsestError) as clash:
        weigh(server)
    assert clash.value.status == 409 and len(server.keys) == 1


def test_what_the_service_asks_to_wait_is_waited() -> None:
    with moody((429, {}, {"Retry-After": "1"}), WEIGHED) as server:
        began = time.monotonic()
        weigh(server)
        assert time.monotonic() - began >= 1.0


def test_more_than_is_worth_waiting_is_told_at_once() -> None:
    with moody((429, {"detail": "Come back in an hour."}, {"Retry-After": "3600"})) as server:
        with pytest.raises(PalimpsestError, match="in an hour") as often:
            weigh(server)
        assert often.value.status == 429 and len(server.keys) == 1


def test_after_the_last_try_the_last_answer_is_the_error() -> None:
    with moody(*[STARTING] * 3) as server:
        with pytest.raises(PalimpsestError, match="Not ready yet") as starting:
            weigh(server, retries=2)
        assert starting.value.status == 503 and len(server.keys) == 3
    with moody(*[CUT_OFF] * 2) as server, pytest.raises(NotReached):
        weigh(server, retries=1)


def test_what_is_refused_is_not_asked_again() -> None:
    with moody((422, {"detail": "No.", "field": "/used"}, {}), WEIGHED) as server:
        with pytest.raises(PalimpsestError) as refused:
            weigh(server)
        assert (refused.value.field, len(server.keys)) == ("/used", 1)


def test_an_answer_that_is_none_of_ours_is_told() -> None:
    with moody((200, b"<html>A login page</html>", {})) as server, pytest.raises(NotUnderstood, match="no JSON"):
        weigh(server)
    with moody((200, {"id": "9f2c1b7a40d3e685"}, {})) as server, pytest.raises(NotUnderstood, match="has no “used”"):
        weigh(server)
    with moody((502, b"<html>Bad gateway</html>", {})) as server, pytest.raises(PalimpsestError, match="status 502"):
        weigh(server, retries=0)


def test_a_job_is_looked_at_until_it_ends_and_a_wait_has_an_end() -> None:
    job = {"id": "8c7b6a5948372615", "kind": "ingest", "report": {}, "message": "", "error": "", "run": None}
    running = (200, {**job, "status": "running", "progress": {"done": 1, "total": 2}}, {})
    cancelled = (200, {**job, "status": "cancelled", "progress": {"done": 1, "total": 2}}, {})
    answers = (running, cancelled, cancelled, cancelled, *[running] * 9)
    with moody(*answers) as server, Palimpsest(server.url, "pal_key") as client:
        with pytest.raises(PalimpsestError, match="was cancelled"):
            client.wait("8c7b6a5948372615")
        assert client.cancel_job("8c7b6a5948372615").status == "cancelled"
        assert client.retry_job("8c7b6a5948372615").progress.total == 2
        with pytest.raises(TimeoutError, match="it goes on"):
            client.wait("8c7b6a5948372615", timeout=0.2)
