"""What tests of moving share: a space in which every room has worked, one beside it, and a progress that can stop."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from memoryapp import graph, review, spaces, tree
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.golden import Golden, Profile
from memoryapp.domain.identity import new_id
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Category, Kind
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.turn import NewTurn, Role
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.ingest import ingest
from memoryapp.remember import append_turns, read_turns, remember, remember_turns
from memoryapp.spaces import Space
from memoryapp.store import conflicts, golden, memories, profiles, sessions, usage
from memoryapp.store.write import new_run
from tests.samples import AGENT, NOON, PERSON, REVIEW

PLACES = ("Lisbon", "Oslo", "Kyoto", "Quito", "Tartu")
PEOPLE = ("Mara", "Jonas", "Ines", "Yuki", "Tomas")
TOOLS = ("Redis", "Neovim", "SurrealDB", "Celery", "PostgreSQL")
BANK = {
    "tree-index.json": '{"nodes": {\n  "values":  {"title": "Values", "keywords": ["가치관", "honesty"]}}}',
    "bank/values.md": "# Values\r\n\r\n- 정직은 가치관이다.\r\n",
}
NOTES = {
    "infra.md": "# Infrastructure\n\n## Backup\n\nThe nightly backup of [[SurrealDB]] starts at 03:00.\n\n"
    "## Deploy freeze\n\n배포는 금요일 16시부터 멈춘다.\n",
    "2026-02-13-standup.md": "## Standup\n\nJonas fixed the queue of [[Celery]] and decided to keep [[Redis]].\n",
}


@dataclass
class Watched:
    """Remembers what it was told, and asks to stop after so many looks."""

    stop_after: int = 1_000_000
    lines: list[tuple[str, str, str]] = field(default_factory=list)
    looks: int = 0

    def advance(self, done: int, total: int, counts: dict[str, int] | None = None) -> None:
        assert done >= 0 and total >= 0

    def say(self, message: str) -> None:
        assert message

    def line(self, path: str, outcome: str, *, note: str = "") -> None:
        self.lines.append((path, outcome, note))

    def cancelled(self) -> bool:
        self.looks += 1
        return self.looks > self.stop_after


def lived_in(space: Space, notes: Path) -> Space:
    """Ingest, facts with a conflict decided and one waiting, a conversation, the tree, the graph, feedback, a purge."""
    for name, text in NOTES.items():
        (notes / name).write_text(text, "utf-8")
    source = Source("5" * 16, SourceKind.FOLDER, str(notes), "notes", space.clock())
    ingest(space, source, run=new_run("ingest", PERSON, now=space.clock()))
    facts = [
        NewMemory(f"{who} uses {tool} at work in {place}.", kind=Kind.FACT, category=Category.WORK,
                  tags=(tool.lower(),), occurred_at=NOON - timedelta(days=7 * n), ref=f"fact-{n}",
                  confidence=0.5 + 0.1 * (n % 5))
        for n, (who, tool, place) in enumerate(zip(PEOPLE, TOOLS, PLACES, strict=True))
    ]  # fmt: skip
    remember(space, facts, actor=AGENT)
    remember(space, [NewMemory(f"Note {n}: {PLACES[n % 5]} is {n} hours away.") for n in range(30)], actor=AGENT)
    remember(space, [NewMemory("Note 1: Oslo is 1 hours away.")], actor=AGENT)  # reinforces
    for text in ("Mara lives in Lisbon.", "Mara lives in Oslo.", "The limit is 40 users.", "The limit is 60 users."):
        remember(space, [NewMemory(text, kind=Kind.FACT)], actor=AGENT)
    first, *_ = conflicts.page(space.db)
    review.decide(space, first.id, Outcome.REPLACE, actor=PERSON, reason="she moved")
    sessions.open_session(space.db, sessions.Session("morning", NOON, "heron", {"a": {"$at": [1]}}))
    turns = [NewTurn("I prefer green tea and I work at Nordwind.", speaker="Ines", at=NOON, ref="1"),
             NewTurn("Noted!", role=Role.ASSISTANT, at=NOON, ref="2")]  # fmt: skip
    append_turns(space, "morning", turns, actor=AGENT)
    read_turns(space, reader=reader_of("rules", model=None, worth=space.tuning.fact_worth), actor=AGENT)
    remember_turns(space)
    tree.bring(space, {name: text.encode() for name, text in BANK.items()}, actor=PERSON)
    graph.relate(space, actor=PERSON)
    graph.embed_names(space, space.encoder.get(30))
    _judged(space)
    return space


def _judged(space: Space) -> None:
    notes = memories.by_refs(space.db, ["fact-0", "fact-1", "fact-2"])
    review.edit(space, notes["fact-0"].id, {"text": "Mara uses Valkey at work in Lisbon."}, actor=PERSON)
    review.archive(space, [notes["fact-1"].id], actor=PERSON, reason="old")
    review.feedback(space, used=[notes["fact-2"].id], query="what does Ines use", actor=AGENT)
    usage.record_accesses(space.db, dict.fromkeys([notes["fact-2"].id], 1), now=NOON)
    (secret,) = remember(space, [NewMemory("The word that nobody may read again is kingfisher.")], actor=AGENT)
    review.purge(space, secret.id, actor=PERSON)
    profiles.save(space.db, Profile("careful", "hybrid;vector=1.4", "", "mara", NOON, NOON))
    golden.save(space.db, [Golden(new_id(), "who lives in Oslo", (notes["fact-2"].id,), "", "mara", NOON, NOON)])


def beside(name: str = "other", *, encoder: str | None = None) -> Space:
    """An empty space of the same process."""
    opened = spaces.open_space(name, encoder=encoder, tuning=Tuning(**REVIEW))
    opened.encoder.get(30)
    return opened


def files_of(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def repacked(archive: Path, change: Callable[[dict[str, bytes]], dict[str, bytes] | None], *, to: str = "") -> Path:
    """The same archive with its files changed, beside it."""
    files = files_of(archive)
    files = change(files) or files
    target = archive.with_name(to or "changed.zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return target


def questions() -> Sequence[str]:
    """Fifty, about people, tools, places, notes and dates, some in Korean, some about nothing that is there."""
    asked = [f"What does {who} use?" for who in PEOPLE] + [f"Who works with {tool}?" for tool in TOOLS]
    asked += [f"How far away is {place}?" for place in PLACES] + [
        f"{tool} {place}" for tool in TOOLS for place in PLACES
    ]
    asked += [
        "가치관이 뭐야?",
        "배포는 언제 멈춰?",
        "What is the limit of users?",
        "Where does Mara live?",
        "nightly backup",
    ]
    asked += ["What does Ines drink?", "Who decided to keep Redis?", "standup in February", "honesty"]
    asked += ["nightly backup", "a bicycle"]
    assert len(set(asked)) == 50
    return asked
