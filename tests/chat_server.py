"""A chat endpoint as OpenAI's protocol has it, on a real port: it answers as a test says, late, wrongly or not at all.

The fixture `chat_server` is there for every test; `model_at(chat_server)` is a model that asks it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from memoryapp.inference.llm import ChatModel, Endpoint

KEY = "sk-secret-value"


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes over the line; `after` seconds of silence. A body of bytes is sent as it is."""

    status: int = 200
    body: Any = b""
    headers: dict[str, str] = field(default_factory=dict)
    after: float = 0.0


def completion(said: Any, *, finish: str = "stop", tokens_in: int = 100, tokens_out: int = 20, **more: Any) -> Answer:
    """A model's answer; what is not a text is said as JSON."""
    content = said if isinstance(said, str) or said is None else json.dumps(said, ensure_ascii=False)
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}
    body = {"id": "c1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}
    return Answer(body=body, **more)


def refusal(status: int, message: str = "no", **headers: str) -> Answer:
    return Answer(status=status, body={"error": {"message": message}}, headers=headers)


@dataclass
class ChatServer:
    """What was asked and with which keys. `answers` are used up one by one, then `judge` is asked."""

    address: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    judge: Callable[[dict[str, Any]], Answer] = lambda body: refusal(500, "the test left no answer")

    def answer(self, body: dict[str, Any]) -> Answer:
        return self.answers.pop(0) if self.answers else self.judge(body)

    def said(self, request: int = -1, message: int = -1) -> str:
        """The words of one message of one request."""
        words: str = self.asked[request]["messages"][message]["content"]
        return words

    def modes(self) -> list[str]:
        """How JSON was asked for, request by request."""
        return [asked.get("response_format", {}).get("type", "plain") for asked in self.asked]


def model_at(
    server: ChatServer | str, *, sleep: Callable[[float], None] = lambda seconds: None, **options: Any
) -> ChatModel:
    """A model at this server or address. Options are those of Endpoint and of ChatModel."""
    url = server if isinstance(server, str) else server.address
    own = {name: options.pop(name) for name in ("clock", "failures", "rest") if name in options}
    return ChatModel(Endpoint(**{"url": url, "name": "small-model", "timeout": 10.0, **options}), sleep=sleep, **own)


@contextmanager
def serving() -> Iterator[ChatServer]:
    """A chat server that listens until this is left."""
    state = ChatServer()
    listening = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    state.address = f"http://127.0.0.1:{listening.server_port}/v1"
    Thread(target=listening.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield state
    finally:
        listening.shutdown()
        listening.server_close()


@pytest.fixture
def chat_server() -> Iterator[ChatServer]:
    with serving() as server:
        yield server


def _handler(state: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(body)
            state.headers.append({"path": self.path, **{name.lower(): value for name, value in self.headers.items()}})
            given = state.answer(body)
            time.sleep(given.after)
            sent = given.body if isinstance(given.body, bytes) else json.dumps(given.body).encode()
            with suppress(BrokenPipeError, ConnectionResetError):  # who asked has stopped waiting
                self.send_response(given.status)
                headers = {"Content-Type": "application/json", "Content-Length": str(len(sent)), **given.headers}
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(sent)

        def log_message(self, format: str, *args: object) -> None:
            """Keep the test output clean."""

    return Handler
