from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest

from memoryapp.connect.agents import HOOK
from memoryapp.connect.app import key_file
from memoryapp.connect.places import Place, table_with
from tests.live import Live


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder in which no agent ever was."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return folder


@dataclass
class Desk:
    """Somebody at work with an agent: a project's folder, a data folder of which the running app is the owner unless
    it is away, and a space of their own."""

    live: Live
    data: Path
    project: Path
    space: str
    transcript: Path
    session: str = field(default_factory=lambda: str(uuid4()))
    said: list[str] = field(default_factory=list)

    def come(self) -> None:
        """The app runs on the data folder from now on."""
        for name in ("server.json", "lock"):
            (self.data / name).symlink_to(self.live.data / name)

    def leave(self) -> None:
        for name in ("server.json", "lock"):
            (self.data / name).unlink()

    def runs_at(self, port: int) -> None:
        """Something else answers in the app's place."""
        (self.data / "server.json").unlink()
        told = {"url": f"http://127.0.0.1:{port}", "key": "", "pid": 1}
        (self.data / "server.json").write_text(json.dumps(told))

    def say(self, *texts: str, **more: Any) -> None:
        """The transcript grows: a person and Claude in turns."""
        with self.transcript.open("a", encoding="utf-8") as out:
            for text in texts:
                role = ("user", "assistant")[len(self.said) % 2]
                self.said.append(text)
                out.write(json.dumps(self.line(role, text, **more), ensure_ascii=False) + "\n")

    def line(self, role: str, text: str, **more: Any) -> dict[str, Any]:
        return {
            "type": role,
            "sessionId": self.session,
            "uuid": str(uuid4()),
            "timestamp": f"2026-11-20T10:{len(self.said) // 60:02}:{len(self.said) % 60:02}Z",
            "cwd": str(self.project),
            "message": {"role": role, "content": [{"type": "text", "text": text}] if role == "assistant" else text},
            **more,
        }

    def payload(self, event: str, **more: Any) -> dict[str, Any]:
        return {
            "session_id": self.session,
            "transcript_path": str(self.transcript),
            "cwd": str(self.project),
            "hook_event_name": event,
            **more,
        }

    def start(
        self,
        event: str | bytes,
        *words: str,
        agent: str = "claude-code",
        wait: bool = True,
        within: int = 30,
        **more: Any,
    ) -> subprocess.Popen[bytes]:
        """The hook as an agent starts it, with its input written."""
        given = event if isinstance(event, bytes) else json.dumps(self.payload(event, **more)).encode()
        line = [sys.executable, "-I", "-S", str(HOOK), "--data", str(self.data), "--agent", agent]
        line += ["--within", str(within), *words]
        pipe = subprocess.PIPE
        env = {name: value for name, value in os.environ.items() if name != "CLAUDE_PROJECT_DIR"}
        process = subprocess.Popen(
            [*line, *(["--wait"] if wait else [])], stdin=pipe, stdout=pipe, stderr=pipe, env=env
        )
        assert process.stdin is not None
        process.stdin.write(given)
        process.stdin.close()
        process.stdin = None
        return process

    def hook(self, event: str | bytes, *words: str, **more: Any) -> str:
        """What the hook printed; it always ends well."""
        process = self.start(event, *words, **more)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, b"")
        return out.decode()

    def context(self, event: str, *words: str, **more: Any) -> str:
        printed = self.hook(event, *words, **more)
        if not printed:
            return ""
        told = json.loads(printed)["hookSpecificOutput"]
        assert told["hookEventName"] == event
        return str(told["additionalContext"])

    def kept(self, name: str = "") -> list[str]:
        """What the memory has of the session, in its order; [] where there is no such session."""
        found: list[str] = []
        with self.live.client(space=self.space) as client:
            path = f"/sessions/{quote(name or f'claude-code:{self.session}', safe='')}/turns"
            cursor = ""
            while True:
                answer = client.get(path, params={"limit": 100, "cursor": cursor})
                if answer.status_code == 404:
                    return []
                found += [turn["text"] for turn in answer.json()["items"]]
                cursor = answer.json()["next_cursor"] or ""
                if not cursor:
                    return found

    @property
    def log(self) -> str:
        file = self.data / "connect" / "hook.log"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    @property
    def spooled(self) -> str:
        return "".join(file.read_text(encoding="utf-8") for file in (self.data / "connect" / "spool").glob("*.jsonl"))


@pytest.fixture
def desk(live: Live, tmp_path: Path) -> Iterator[Desk]:
    space = f"desk-{uuid4().hex[:10]}"
    data, project = tmp_path / "data", tmp_path / "project"
    data.mkdir(mode=0o700)
    project.mkdir()
    with live.client() as client:
        assert client.post("/spaces", json={"name": space}).status_code == 201
        made = client.post("/keys", json={"name": "hooks", "role": "writer", "space": space, "agent": "stdio"})
    key_file(data, space).write_text(made.json()["key"])
    file, content = table_with(data, project, Place(space))
    file.parent.mkdir()
    file.write_bytes(content)
    one = Desk(live, data, project, space, tmp_path / "transcript.jsonl")
    one.come()
    yield one


def eventually(holds: Any) -> None:
    """Waits until it holds: what a process of its own does is done when it is done."""
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until, "it never came to be"
        time.sleep(0.05)
