"""A space full of things that somebody else must not see, each of them telling a word that stands nowhere else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.domain.identity import new_id
from memoryapp.jobs.models import Job
from memoryapp.search import settle
from memoryapp.store.backup import every_row
from tests.api.conftest import Agent

SECRET = "zanzibarsecret"
MISSING = "0" * 16


@dataclass(frozen=True, slots=True)
class Theirs:
    """`ids`: of one thing of each kind, by the name of its list in the API."""

    row: Space
    ids: dict[str, str]

    def id_for(self, kind: str) -> str:
        return self.ids.get(kind, MISSING)

    def rows(self) -> list[str]:
        """Everything the space holds, to be compared with what it holds later."""
        return sorted(f"{table} {row}" for table, row in every_row(open_row(self.row).db))


def filled_space(row: Space, owner: Agent) -> Theirs:
    """`owner` is an administrator of the space. Names are plain, so that only what is told holds the secret."""
    ids: dict[str, str] = {"profiles": "their-own", "nodes": "their/own"}

    def made(path: str, body: Any, method: str = "POST") -> dict[str, Any]:
        answer = owner.ask(method, path, body)
        assert answer.status_code in (200, 201, 202), (path, answer.content)
        told: dict[str, Any] = answer.json()
        return told

    ids["memories"] = made("/memories", {"text": f"[[Minsu Kim]] told [[Jiwoo Park]] the word {SECRET}."})["id"]
    ids["facts"] = made("/memories", {"kind": "fact", "text": f"Minsu lives in {SECRET.capitalize()}."})["id"]
    ids["conflicts"] = made("/memories", {"kind": "fact", "text": "Minsu lives in Busan."})["conflict"]
    ids["sessions"] = made("/sessions", {"name": "their-talk"})["id"]
    made(f"/sessions/{ids['sessions']}/turns", {"text": f"I like {SECRET}.", "speaker": "Mina"})
    entities = owner.get("/entities").json()["items"]
    ids["entities"], other = entities[0]["id"], entities[1]["id"]
    told = made("/relations", {"subject": ids["entities"], "type": "uses", "object": other})
    ids["relations"] = told.get("id") or told["relation"]["id"]
    made("/golden", {"query": f"where is {SECRET}?", "relevant": [ids["memories"]]})
    ids["golden"] = owner.get("/golden").json()["items"][0]["id"]
    made("/profiles/their-own", {"plan": "hybrid", "note": SECRET}, "PUT")
    made("/tree", {"path": "their/own", "text": f"# {SECRET}\n\nOf {SECRET}.\n", "keywords": [SECRET]})
    made("/search", {"query": f"what is {SECRET}?"})
    settle()
    for kind in ("runs", "audit", "traces"):
        ids[kind] = owner.get(f"/{kind}").json()["items"][0]["id"]
    ids["jobs"] = Job.objects.create(id=new_id(), kind="ingest", space=row.name, message=SECRET, status="failed").pk
    return Theirs(row, ids)
