"""What a stranger has: the address of a running app, a key, and a folder of notes. Nothing here looks inside."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx

from memoryapp.domain.identity import new_id
from tests.live import Live
from tests.samples import REVIEW

T = TypeVar("T")
PATIENCE = 120.0  # seconds; a busy machine is slow, not wrong
ENDED = ("done", "failed", "cancelled")


@dataclass(frozen=True, slots=True)
class Place:
    """A space of its own, with an administrator's key, and a folder that may be read."""

    live: Live
    name: str
    api: httpx.Client
    folder: Path

    def note(self, path: str, text: str | bytes) -> Path:
        """Writes a file of the folder."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def read(self, path: Path | None = None, *, dry_run: bool = False) -> dict[str, Any]:
        """Ingests the folder, or what is named; the job once it has ended, which must be well."""
        job = self.begin(path or self.folder, dry_run=dry_run)
        assert job["status"] == "done", job
        return job

    def begin(self, path: Path, *, dry_run: bool = False) -> dict[str, Any]:
        answer = self.api.post("/ingest", json={"path": str(path), "dry_run": dry_run})
        assert answer.status_code == 202, answer.text
        return self.ended(answer.json()["job"]["id"])

    def upload(self, name: str, data: bytes) -> dict[str, Any]:
        answer = self.api.post("/ingest", files={"upload": (name, data)})
        assert answer.status_code == 202, answer.text
        return self.ended(answer.json()["job"]["id"])

    def ended(self, job: str) -> dict[str, Any]:
        """The job, however it ended."""
        return until(lambda: got(self.api, f"/jobs/{job}"), lambda told: told["status"] in ENDED)

    def notes_of(self, job: dict[str, Any]) -> dict[str, str]:
        """What the job says of each file that it did not read."""
        return {line["path"]: line["note"] for line in job["report"]["failed"]}

    def memories(self, **asked: Any) -> dict[str, dict[str, Any]]:
        """All that are held, or as asked, by id."""
        found: dict[str, dict[str, Any]] = {}
        cursor = ""
        while True:
            page = got(self.api, "/memories", params={"limit": 200, "cursor": cursor, **asked})
            found |= {item["id"]: item for item in page["items"]}
            cursor = page["next_cursor"]
            if not cursor:
                return found

    def titled(self, title: str) -> dict[str, Any]:
        """The one memory of this title, whatever its state."""
        everything = self.memories(states=["held", "superseded", "archived"]) | self.memories(states=["deleted"])
        (found,) = [m for m in everything.values() if m["title"] == title]
        return found

    def write(self, text: str, **more: Any) -> dict[str, Any]:
        answer = self.api.post("/memories", json={"text": text, **more})
        assert answer.status_code in (200, 201), answer.text
        written: dict[str, Any] = answer.json()
        return written

    def fact(self, text: str, **more: Any) -> dict[str, Any]:
        """Posts a ready-made fact; the memory as it now stands, and what became of the words."""
        answer = self.api.post("/memories", json={"kind": "fact", "text": text, **more})
        assert answer.status_code in (200, 201), answer.text
        written: dict[str, Any] = answer.json()
        return written

    def say(self, session: str, *turns: str | dict[str, Any], **more: Any) -> list[dict[str, Any]]:
        """Says these in a session, which is opened where it is not; the turns once they are read. `more` is of every
        turn."""
        told = self.append(session, *turns, **more)
        self.read_up(session)
        heard = {turn["id"]: turn for turn in self.heard(session)}
        return [heard[turn["id"]] for turn in told["items"]]

    def append(self, session: str, *turns: str | dict[str, Any], **more: Any) -> dict[str, Any]:
        """Says these in a session, and does not wait for them to be read."""
        self.api.post("/sessions", json={"name": session}).raise_for_status()
        sent = [more | ({"text": turn} if isinstance(turn, str) else turn) for turn in turns]
        answer = self.api.post(f"/sessions/{session}/turns", json={"turns": sent})
        assert answer.status_code == 202, answer.text
        taken: dict[str, Any] = answer.json()
        return taken

    def read_up(self, session: str) -> None:
        """Waits until every turn of the session is read."""
        until(lambda: got(self.api, f"/sessions/{session}"), lambda told: told["waiting"] == 0)

    def heard(self, session: str) -> list[dict[str, Any]]:
        """The turns of a session, each with what was learned from it."""
        page = got(self.api, f"/sessions/{session}/turns", params={"limit": 200})
        assert page["next_cursor"] is None, "more turns than a page holds"
        turns: list[dict[str, Any]] = page["items"]
        return turns

    def end(self, session: str) -> dict[str, Any] | None:
        """Ends a session; its episode, where it became one."""
        ended = self.act(f"/sessions/{session}/end")
        assert self.ended(ended["job"])["status"] == "done"
        key = got(self.api, f"/sessions/{session}")["episode"]
        return got(self.api, f"/episodes/{key}") if key else None

    def conflicts(self, status: str = "waiting") -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = got(self.api, "/conflicts", params={"status": status, "limit": 200})["items"]
        return found

    def search(self, query: str, **more: Any) -> dict[str, Any]:
        answer = self.api.post("/search", json={"query": query, **more})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def act(self, address: str, **body: Any) -> dict[str, Any]:
        answer = self.api.post(address, json=body)
        assert answer.status_code == 200, answer.text
        done: dict[str, Any] = answer.json()
        return done

    def backup(self) -> bytes:
        """Every row of the space, as plain JSON lines."""
        answer = self.api.post("/backups/export")
        assert answer.status_code == 200, answer.text
        return gzip.decompress(answer.content)

    def still(self) -> None:
        """Nothing reads what is said here for the graph by itself, where a test counts every row."""
        self.api.patch("/heartbeat", json={"act": "graph", "on": False}).raise_for_status()

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """The rows of a backup by table."""
        found: dict[str, list[dict[str, Any]]] = {}
        for line in self.backup().decode().splitlines():
            entry = json.loads(line)
            if "table" in entry:
                found.setdefault(entry["table"], []).append(entry["row"])
        return found

    def files(self) -> dict[str, bytes]:
        """Everything of the data folder that is written in plain words: indexes, people, uploads; not the engine's
        log."""
        engine = self.live.data / "spaces"
        files: dict[str, bytes] = {}
        for folder, _, names in os.walk(self.live.data):  # which bears a folder that goes meanwhile
            for path in (Path(folder) / name for name in names):
                if engine not in path.parents and path.is_file():
                    with contextlib.suppress(FileNotFoundError):  # replaced in this moment
                        files[str(path)] = path.read_bytes()
        return files

    def key(self, role: str) -> httpx.Client:
        """A client with a fresh key of this role, for this space alone."""
        answer = self.api.post("/keys", json={"name": f"a {role}", "role": role, "space": self.name})
        assert answer.status_code == 201, answer.text
        return client(self.live.url, answer.json()["key"], self.name)


def client(url: str, key: str, space: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {key}", "X-Space": space}
    return httpx.Client(base_url=f"{url}/api/v1", headers=headers, timeout=PATIENCE, trust_env=False)


def place_in(live: Live, folder: Path, *, space: str = "", encoder: str = "", **settings: Any) -> Place:
    """A new space of a running app with settings of its own, or one that is there."""
    name = space or f"a-{new_id()}"
    with client(live.url, live.key, "default") as everything:
        if not space:
            answer = everything.post("/spaces", json={"name": name, "encoder": encoder, "settings": REVIEW | settings})
            assert answer.status_code == 201, answer.text
    return Place(live, name, client(live.url, live.key, name), folder)


def got(api: httpx.Client, address: str, **more: Any) -> Any:
    answer = api.get(address, **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


def until(look: Callable[[], T], satisfied: Callable[[T], bool], *, every: float = 0.03) -> T:
    """What `look` saw when it was satisfied. Fails when patience runs out."""
    end = time.monotonic() + PATIENCE
    while not satisfied(seen := look()):
        assert time.monotonic() < end, seen
        time.sleep(every)
    return seen


def said(answer: httpx.Response, status: int) -> str:
    """The plain sentence of a problem; everything that a problem must be is checked on the way."""
    assert answer.status_code == status, answer.text[:500]
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["status"] == status and problem["title"] and problem["type"].startswith("/api/docs#")
    assert "Traceback" not in answer.text and 'File "' not in answer.text
    detail: str = problem["detail"]
    return detail


def zipped(members: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()
