"""A space that is grown from the size it has: parts written the product's own way, with sessions, documents, entities,
conflicts, feedback and single changes beside the memories; and the rows of jobs."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from benchmarks import scale_data as made
from benchmarks import scale_data as said
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.golden import Golden
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.turn import ReadingStatus
from memoryapp.jobs.models import Job, Status
from memoryapp.spaces import Space, embed
from memoryapp.store import documents, embeddings, golden, memories, sessions, turns, usage
from memoryapp.store.write import Batch, commit, new_run

PART = 250  # memories of one batch; a multiple of made.SESSION, so that a session is written as a whole
BENCH = Actor(ActorKind.PERSON, "bench")
_UNREAD = 10  # turns that wait to be read, whatever the size


def grow(space: Space, start: int, *, newest: datetime) -> list[float]:
    """Writes the part that begins with memory `start`, or what is left of it where it was broken off. Returns the
    milliseconds of each change of a single memory."""
    if not start:
        _begin(space, newest)
    if memories.find(space.db, made.memory_key(start)) is None:
        written = _part(space, start, newest=newest)
    else:
        kept = memories.get_many(space.db, [made.memory_key(n) for n in range(start, start + PART)])
        written = list(kept.values())
    singles = _changes(space, written)
    space.index.refresh()
    Job.objects.bulk_create(_jobs(space.name, start, start + PART, newest))
    return singles


def _begin(space: Space, newest: datetime) -> None:
    source = Source(made.SOURCE, SourceKind.FOLDER, "/notes", "notes", newest, last_ingest_at=newest)
    documents.put_source(space.db, source)


def _part(space: Space, start: int, *, newest: datetime) -> list[Memory]:
    numbers = range(start, start + PART)
    at = newest - start * made.APART
    run = new_run("remember", BENCH, now=at)
    written = {number: made.memory(number, newest=newest) for number in numbers}
    batch = Batch(created=list(written.values()))
    there = said.entities_by(start) if start else 0
    batch.entities = [(None, one) for one in made.entities(there, said.entities_by(start + PART), at=at)]
    batch.references_added = [one for number in numbers for one in made.references(number)]
    batch.relations = [(None, one) for n, m in written.items() if (one := made.relation(m, n))]
    batch.conflicts = [found for n, m in written.items() if (found := made.conflict(m, n, run.id))]
    # All but the newest part was read for relations long ago.
    read = (Kind.NOTE, Kind.FACT, Kind.ATOM) if start else ()
    batch.graphed = [(one.id, 1) for one in written.values() if one.kind in read]
    _documents(batch, written, start)
    batch.embeddings = embed(space, batch.created)
    commit(space.db, run, batch, now=at)
    vectors = space.encoder.get(0).encode_documents([one.name for _, one in batch.entities])
    model = space.encoder.name
    embeddings.put_names(
        space.db,
        [
            embeddings.NameEmbedding(one.id, model, one.name, v)
            for (_, one), v in zip(batch.entities, vectors, strict=True)
        ],
    )
    _talks(space, written)
    _record_use(space, written, at)
    return batch.created


def _documents(batch: Batch, written: dict[int, Memory], start: int) -> None:
    """Documents of the sections that end in this part, the chain of daily logs, and what was made of what."""
    by_block: dict[int, list[Memory]] = {}
    for number, memory in written.items():
        if memory.kind is Kind.SECTION:
            by_block.setdefault(number // made.DOCUMENT, []).append(memory)
        if memory.kind in (Kind.DIGEST, Kind.EPISODE):
            batch.derived += [(memory.id, made.memory_key(number - n)) for n in (16, 17, 18)]
    for block, sections in by_block.items():
        batch.documents.append(made.document(block, sections))
        if block > 1 and block % 2 == 0:
            batch.follows.append((made.memory_key((block - 2) * made.DOCUMENT + 80), sections[0].id))


def _talks(space: Space, written: dict[int, Memory]) -> None:
    by_talk: dict[str, list[int]] = {}
    for number in sorted(written, reverse=True):  # the oldest was said first
        if made.is_said(number):
            by_talk.setdefault(made.session_of(number), []).append(number)
    for name, numbers in by_talk.items():
        began, ended = written[numbers[0]].created_at, written[numbers[-1]].created_at
        going_on = 0 in numbers
        sessions.open_session(space.db, sessions.Session(name, began, "atlas", {}, None if going_on else ended))
        turns.append(
            space.db,
            name,
            [(made.turn(written[n], n), ReadingStatus.WAITING if n < _UNREAD else ReadingStatus.DONE) for n in numbers],
        )


def _record_use(space: Space, written: dict[int, Memory], at: datetime) -> None:
    """Every fifth was recalled, and of every twentieth somebody said how it served."""
    usage.record_accesses(space.db, {one.id: 1 + n % 7 for n, one in written.items() if n % 5 == 0}, now=at)
    told = [(n, one.id) for n, one in written.items() if n % 20 == 3]
    good, bad = [key for n, key in told if n % 60 != 3], [key for n, key in told if n % 60 == 3]
    usage.record_feedback(space.db, used=good, not_useful=bad, now=at, query=said.question(told[0][0]), by="atlas")
    if told[0][0] % 1_000 == 3:
        asked = said.question(told[0][0])
        one = Golden(derived_id("bench-golden", asked), asked, (told[0][1],), "", "bench", at, at)
        golden.save(space.db, [one])


def _changes(space: Space, written: Sequence[Memory]) -> list[float]:
    """A few single changes, as people make them, each a run of its own. Returns the milliseconds of each."""
    took = []
    notes = [one for one in written if one.kind is Kind.NOTE]
    facts = [one for one in written if one.kind is Kind.FACT]
    wanted = [one.id for one in (*notes[:3], *facts[3:7])]
    found = memories.get_many(space.db, wanted)
    for n, key in enumerate(wanted):
        before = found[key]
        now = before.created_at + timedelta(hours=1)
        act, after = (
            ("edit", replace(before, text=f"{before.text} Said again.")),
            ("archive", replace(before, state=State.ARCHIVED)),
            ("pin", replace(before, pinned=True)),
            ("supersede", replace(before, state=State.SUPERSEDED)),
            ("reinforce", replace(before, reinforcements=before.reinforcements + 1, reinforced_at=now)),
        )[n % 5]
        batch = Batch(updated=[(before, after)])
        if act == "supersede":
            batch.superseded = [(facts[0].id, key)]
        began = time.perf_counter()
        commit(space.db, new_run(act, BENCH, now=now), batch, now=now)
        took.append((time.perf_counter() - began) * 1000)
    return took


def _jobs(space: str, first: int, last: int, newest: datetime) -> list[Job]:
    """A finished job for every fifty memories."""
    return [
        Job(kind=("ingest", "graph", "layout", "read")[n // 50 % 4], space=space, status=Status.DONE,
            created_by="bench", created_at=at, started_at=at, finished_at=at + timedelta(seconds=9))
        for n in range(first, last, 50)
        for at in [newest - n * made.APART]
    ]  # fmt: skip
