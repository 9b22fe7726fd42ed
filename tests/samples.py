"""What tests of many rooms make: memories, actors, a clock that stands still until it is moved, an open space."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from memoryapp import spaces
from memoryapp.domain.change import Actor, ActorKind, Run
from memoryapp.domain.identity import content_hash, new_id
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind, Memory, words_of
from memoryapp.spaces import Setup, Space
from memoryapp.store import audit
from memoryapp.store.database import Database
from memoryapp.store.write import Batch, commit, new_run
from tests.migrated import MIGRATED

AGENT = Actor(ActorKind.AGENT, "heron")
PERSON = Actor(ActorKind.PERSON, "mara")
# Settings of a space in which a test decides: every conflict waits, the certain ones too.
REVIEW = {"conflict_policy": "review"}
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@dataclass(slots=True)
class HandClock:
    """Stands still; every reading is a millisecond later than the one before, so that changes have an order."""

    now: datetime = field(default=NOON)

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def move(self, **span: float) -> None:
        self.now += timedelta(**span)


def a_memory(text: str = "The heron stands in the reeds.", **more: Any) -> Memory:
    made = {"id": new_id(), "kind": Kind.NOTE, "created_at": NOON, "updated_at": NOON} | more
    words = words_of(text, title=made.get("title", ""), speaker=made.get("speaker"))
    return Memory(text=text, **({"content_hash": content_hash(words)} | made))


def runs_of(db: Database) -> tuple[Run, ...]:
    """Every run, the last begun first."""
    return tuple(act.run for act in audit.acts(db, limit=1_000))


def written(db: Database, *memories: Memory, **more: Any) -> tuple[Memory, ...]:
    """These memories, stored in one batch."""
    commit(db, new_run("remember", AGENT, now=NOON), Batch(created=list(memories), **more), now=NOON)
    return memories


@contextmanager
def open_spaces(
    url: str = MIGRATED, *, clock: HandClock | None = None, index_dir: Path | None = None, encoder: str = "hashing"
) -> Iterator[None]:
    """spaces.open_space works inside, with the hashing encoder; all are closed at the end."""
    spaces.configure(
        Setup(store_url=url, index_dir=index_dir, encoder=encoder, **({"clock": clock} if clock is not None else {}))
    )
    try:
        yield
    finally:
        spaces.close_all()


@contextmanager
def a_space(*, clock: HandClock | None = None) -> Iterator[Space]:
    with open_spaces(clock=clock):
        space = spaces.open_space("reeds", tuning=Tuning(**REVIEW))
        space.encoder.get(30)
        yield space
