"""Facts with a chat model beside those without, on the project's own talks."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.chat_server import ChatServer, completion


def test_each_talk_tells_how_many_facts_are_in_the_words_of_the_model(chat_server: ChatServer, tmp_path: Path) -> None:
    chat_server.judge = lambda body: completion(
        {"turns": []} if "response_format" in body else "Quite a different thing."
    )
    out, shown = tmp_path / "figures.json", StringIO()
    asked = {"llm": f"{chat_server.address}#small-model", "limit": 4, "encoder": "hashing", "out": str(out)}
    call_command("bench", sets="facts", stdout=shown, stderr=StringIO(), **asked)
    told = json.loads(out.read_text())["worded"]
    assert told["model"] == "small-model" and told["talks"]
    assert all(one["taken"] == 0 and one["with the model"] == one["by rules"] for one in told["talks"].values())
    assert all(fact["rules"] == fact["model"] for fact in told["facts"])
    assert "rewrites facts: 0 of 12 right" in shown.getvalue() and "not taken: " in shown.getvalue()


def test_it_goes_with_facts_alone() -> None:
    problem = StringIO()
    with pytest.raises(SystemExit):
        call_command("bench", sets="blind", llm="http://127.0.0.1:1/v1", stdout=StringIO(), stderr=problem)
    assert "--sets facts" in problem.getvalue()
