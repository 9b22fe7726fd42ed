"""A space of its own for each test, a person for every role, and memories written through the real rooms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memoryapp import spaces
from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.people import create_person
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.document import Document, Source, SourceKind
from memoryapp.domain.identity import content_hash, new_id
from memoryapp.domain.memory import Kind, Memory, Origin
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember import remember
from memoryapp.spaces import embed
from memoryapp.store import documents, memories
from memoryapp.store.write import Batch, commit, new_run
from tests.markup import PageClient
from tests.samples import REVIEW

PASSWORD = "a long enough one"
ATLAS = Actor(ActorKind.AGENT, "atlas")

FILE = """# Infrastructure

## Backup

The nightly backup starts at 03:00.
It ends before re-embedding.

## Deploy freeze

배포는 금요일 16시부터 멈춘다.
"""


@pytest.fixture
def row(db: None) -> Iterator[Space]:
    name = f"w-{new_id()}"
    yield create_space(name, overrides=dict(REVIEW))
    spaces.close_space(name)


@pytest.fixture
def space(row: Space) -> spaces.Space:
    opened = open_row(row)
    opened.encoder.get(30)
    return opened


@pytest.fixture
def people(row: Space) -> dict[Role, User]:
    return {role: create_person(f"{role}-{new_id()[:6]}", password=PASSWORD, space=row, role=role) for role in Role}


@pytest.fixture
def enter(people: dict[Role, User]) -> Callable[[Role], Client]:
    """A browser that is signed in with a role."""

    def signed_in(role: Role) -> Client:
        client = PageClient()
        client.force_login(people[role])
        return client

    return signed_in


@pytest.fixture
def admin(enter: Callable[[Role], Client]) -> Client:
    return enter(Role.ADMIN)


@pytest.fixture
def curator(enter: Callable[[Role], Client]) -> Client:
    return enter(Role.CURATOR)


@pytest.fixture
def writer(enter: Callable[[Role], Client]) -> Client:
    return enter(Role.WRITER)


@pytest.fixture
def reader(enter: Callable[[Role], Client]) -> Client:
    return enter(Role.READER)


@pytest.fixture
def write(space: spaces.Space) -> Callable[..., Memory]:
    """Writes one memory as an agent would, and gives it back as it is held."""

    def written(text: str, **more: Any) -> Memory:
        became = remember(space, [NewMemory(text=text, **more)], actor=ATLAS)[0]
        return memories.get(space.db, became.id)

    return written


@pytest.fixture
def section(space: spaces.Space) -> Memory:
    """A section that was read from a file, with the document it was cut from and its neighbour."""
    now = space.clock()
    source = Source(new_id(), SourceKind.FOLDER, "/notes", "notes", now, last_ingest_at=now, files=1)
    document = Document(new_id(), source.id, "infra/backup.md", "Infrastructure", content_hash(FILE), 200, 0, now, FILE)
    documents.put_source(space.db, source)
    lines = FILE.splitlines()
    cut = []
    for n, (title, first, last) in enumerate((("Backup", 3, 6), ("Deploy freeze", 8, 10))):
        text = "\n".join(lines[first - 1 : last])
        origin = Origin(document.id, document.path, first, last)
        cut.append(
            Memory(
                new_id(), Kind.SECTION, text, now - timedelta(days=1), now, title=title, origin=origin,
                group=document.id, position=n, content_hash=content_hash(text),
            )
        )  # fmt: skip
    run = new_run("ingest", Actor(ActorKind.MACHINE, "ingest"), now=now)
    commit(space.db, run, Batch(created=cut, documents=[document], embeddings=embed(space, cut)), now=now)
    return replace(cut[0])
