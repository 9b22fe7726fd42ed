"""What the pages' own code runs against: the live app, a chat model's endpoint, an empty folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memoryapp.domain.identity import new_id
from tests.chat_server import Answer, ChatServer, completion
from tests.client.conftest import Palimpsest
from tests.live import Live


@pytest.fixture
def reader(
    live: Live, chat_server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ChatServer]:
    """Somebody who does what a page says: in an empty folder and space, with the environment that it asks for."""
    space = f"docs-{new_id()[:8]}"
    with Palimpsest(live.url, live.key) as admin:
        admin.create_space(space)
    opened = Palimpsest.__init__

    def in_own_space(self: Palimpsest, *words: Any, **more: Any) -> None:
        opened(self, *words, **{"space": space, **more})

    monkeypatch.setattr(Palimpsest, "__init__", in_own_space)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEMORY_URL", live.url)
    monkeypatch.setenv("MEMORY_KEY", live.key)
    monkeypatch.setenv("OPENAI_BASE_URL", chat_server.address)
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    chat_server.judge = _model_that_remembers
    yield chat_server


def _model_that_remembers(asked: dict[str, Any]) -> Answer:
    """A model that recalls first, then writes down, then answers with what it was told."""
    results = [said["content"] for said in asked["messages"] if said["role"] == "tool"]
    if not results:
        return _calling("recall", query="Where did Mina live?")
    if len(results) == 1:
        return _calling("remember", text="Mina lives in Busan.")
    return completion(f"I looked it up: {results[0]} and wrote it down: {results[1]}")


def _calling(name: str, **arguments: str) -> Answer:
    answer = completion(None, finish="tool_calls")
    call = {"id": f"call-{name}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
    answer.body["choices"][0]["message"]["tool_calls"] = [call]
    return answer
