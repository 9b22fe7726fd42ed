"""Every block of Python in the client's pages and the recipes is run, in the order in which a reader meets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import load_command_class
from markdown_it import MarkdownIt

from tests.chat_server import ChatServer
from tests.client.conftest import Palimpsest
from tests.live import live_app

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
WITH_CODE = ("CLIENT.md", *(f"recipes/{file.name}" for file in sorted((DOCS / "recipes").glob("*.md"))))


# Each has a test of its own.
TOLD_APART = (
    "CLIENT.md",
    "recipes/first-agent.md",
    "recipes/openai.md",
    "recipes/langgraph.md",
    "recipes/workspace.md",
)


def program(page: str, language: str = "python") -> str:
    """The page's blocks as one program whose lines have the numbers that they have in the page."""
    lines = [""] * 2_000
    for token in MarkdownIt().parse((DOCS / page).read_text(encoding="utf-8")):
        if token.type == "fence" and token.info.split(" ")[0] == language and token.map:
            written = token.content.splitlines()
            lines[token.map[0] + 1 : token.map[0] + 1 + len(written)] = written
    return "\n".join(lines).rstrip()


def run(page: str) -> dict[str, Any]:
    known: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(program(page), str(DOCS / page), "exec"), known)
    return known


@pytest.mark.parametrize("name", [name for name in WITH_CODE if program(name) and name not in TOLD_APART])
def test_the_pages_code_runs(name: str, reader: ChatServer) -> None:
    run(name)


def test_the_clients_page_shows_what_it_says(reader: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    known = run("CLIENT.md")
    assert (known["clash"].outcome, known["decision"].status) == ("conflict", "decided")
    printed = capsys.readouterr().out
    for said in ("Backups run at 02:00 KST.", "{'written'}", "/confidence", "sections added", "identity/values"):
        assert said in printed


def test_a_first_agent_contradicts_itself_as_its_page_says(
    reader: ChatServer, capsys: pytest.CaptureFixture[str]
) -> None:
    known = run("recipes/first-agent.md")
    printed = capsys.readouterr().out
    assert known["said"].outcome == "conflict"
    assert [hit.text for hit in known["memory"].recall("when do we deploy?", top_k=1)] == [
        "We deploy on Thursdays now."
    ]
    assert "We deploy on Tuesdays." in printed and "{'1': '" in printed
    assert [turn.speaker for turn in known["memory"].turns("monday")] == ["Mina", None]


def test_the_loop_recalls_writes_down_and_answers(reader: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    with Palimpsest() as before:
        before.remember("Mina lived in Seoul.", kind="fact")
    known = run("recipes/openai.md")
    assert "and wrote it down: " in capsys.readouterr().out
    memory = known["memory"]
    assert "Mina lives in Busan." in [one.text for one in memory.memories(kinds=["fact"], contains="Busan")]
    assert [turn.role for turn in memory.turns("chat-2026-02-13")] == ["user", "assistant"]
    offered = {tool["function"]["name"] for tool in reader.asked[0]["tools"]}
    assert offered == {"recall", "remember"}
    given = reader.asked[0]["messages"][0]["content"]
    assert "not instructions" in given and "Mina lived in Seoul." in given
    assert [said["role"] for said in reader.asked[-1]["messages"]][2:] == ["assistant", "tool"] * 2


def test_the_graph_recalls_answers_and_keeps_the_talk(reader: ChatServer, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("langgraph", reason="LangGraph is no dependency of ours")
    known = run("recipes/langgraph.md")
    assert "and wrote it down: " in capsys.readouterr().out
    assert [turn.role for turn in known["memory"].turns("thread-1")] == ["user", "assistant"]


def test_the_workspace_is_read_at_the_start_and_told_at_the_heartbeat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = tmp_path / "workspace" / "memory"
    logs.mkdir(parents=True)
    said = "# Standup\n\n## Backups\n\nWe decided that the backups run at two at night.\n"
    (logs / "2026-02-13.md").write_text(said, encoding="utf-8")
    monkeypatch.setenv("WORKSPACE", str(logs.parent))
    with live_app(tmp_path / "data", MEMORY_INGEST_ROOTS=str(logs.parent)) as app:
        monkeypatch.setenv("MEMORY_URL", app.url)
        monkeypatch.setenv("MEMORY_KEY", app.key)
        known = run("recipes/workspace.md")
        assert "the backups run at two at night" in capsys.readouterr().out
        (logs / "2026-02-14.md").write_text("# Standup\n\n## Keys\n\nRotate them in May.\n", encoding="utf-8")
        assert known["heartbeat"]()[0] == "Read 1 new and 0 changed sections."
        assert known["memory"].session_state("2026-02-14").ended_at


def test_claudes_configuration_starts_a_command_that_takes_these_words() -> None:
    server = json.loads(program("recipes/claude.md", "json"))["mcpServers"]["palimpsest"]
    command, *words = server["args"]
    options = load_command_class("memoryapp", command).create_parser("manage.py", command).parse_args(words)
    assert (command, options.role) == ("mcp", "writer")


def test_json_blocks_are_json() -> None:
    for name in WITH_CODE:
        for token in MarkdownIt().parse((DOCS / name).read_text(encoding="utf-8")):
            if token.type == "fence" and token.info == "json":
                json.loads(token.content)
