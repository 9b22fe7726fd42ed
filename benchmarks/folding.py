"""Speed of consolidation: so many sections of daily logs, made up, into digests. Embedding is not counted: it is done
by the hashing encoder, which takes next to no time, and by the ranker “central” here not at all."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from benchmarks.quality import ACTOR, Say
from benchmarks.table import align_columns
from memoryapp.consolidate import Ranker, consolidate, preview
from memoryapp.domain.clock import utc_now
from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.memory import Kind, Memory, Origin
from memoryapp.index import open_index
from memoryapp.inference.embedding import EncoderSlot, load_encoder
from memoryapp.spaces import Space, embed
from memoryapp.store.database import open_database
from memoryapp.store.migrate import migrate
from memoryapp.store.write import Batch, commit, new_run

SIZES = (50, 5_000)
_SEED = 20_261_122
_A_DAY = 5  # sections of one log
_WORDS = ("morning", "queue", "plan", "index", "ledger", "window", "branch", "river", "report", "budget", "harbour")
_VERBS = ("Decided on", "Fixed", "Looked at", "Shipped", "Talked about", "Measured")
_BATCH = 250
_NAMES = 40  # that a team writes of, over and over


def measure(*, sizes: Sequence[int] = SIZES, say: Say) -> dict[str, Any]:
    """By number of sections: seconds of a preview by each ranker, of writing the digests, and of a second run, with how
    many digests there were and how many bytes became of how many."""
    told: dict[str, Any] = {}
    for size in sizes:
        space = filled_space(size)
        try:
            told[str(size)] = _measure_folding(space)
        finally:
            space.index.close()
            space.db.close()
        say(f"{size} sections: {told[str(size)]}")
    return told


def table_of(figures: dict[str, Any]) -> Iterator[str]:
    names = list(next(iter(figures.values()), {}))
    rows = [["sections", *names]]
    rows += [[size, *(_value_text(told[name]) for name in names)] for size, told in figures.items()]
    yield from align_columns(rows)


def filled_space(size: int) -> Space:
    """A space in memory with so many sections, the youngest a week old."""
    encoder = load_encoder("hashing")
    db = open_database("mem://", f"folding-{size}")
    migrate(db)
    slot = EncoderSlot(encoder.name, lambda _: encoder)
    slot.fill()
    space = Space(f"folding-{size}", db, open_index(db, model=encoder.name), slot)
    chance = random.Random(_SEED)
    names = [_entity(n) for n in range(min(max(size // 8, 6), _NAMES))]
    run = new_run("ingest", ACTOR, now=space.clock())
    commit(db, run, Batch(entities=[(None, one) for one in names]), now=space.clock())
    for start in range(0, size, _BATCH):
        made = [_section(n, chance) for n in range(start, min(start + _BATCH, size))]
        edges = [Reference(one.id, chance.choice(names).id) for one in made for _ in range(2)]
        batch = Batch(created=made, references_added=edges, embeddings=embed(space, made))
        commit(db, run, batch, now=space.clock())
    space.index.refresh()
    return space


def _measure_folding(space: Space) -> dict[str, Any]:
    times = {f"preview, {ranker.value}": _measure_seconds(partial(preview, space, ranker=ranker)) for ranker in Ranker}
    began, busy = time.perf_counter(), time.process_time()
    done = consolidate(space, actor=ACTOR, ranker=Ranker.MARKS)
    times["write"], times["of it cpu"] = time.perf_counter() - began, time.process_time() - busy
    times["again"] = _measure_seconds(lambda: consolidate(space, actor=ACTOR, ranker=Ranker.MARKS))
    counts = {"digests": len(done.written), "bytes": done.bytes_before, "bytes after": done.bytes_after}
    return {name: round(value, 3) for name, value in times.items()} | counts


def _measure_seconds(act: Callable[[], Any]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def _entity(n: int) -> Entity:
    name = f"{_WORDS[n % len(_WORDS)].title()}{n}"
    return Entity(
        derived_id("entity", name.lower()), name, name.lower(), EntityType.CONCEPT, EntityState.KNOWN, utc_now()
    )


def _section(n: int, chance: random.Random) -> Memory:
    day = utc_now().replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=7 + n // _A_DAY)
    path = f"daily/{day:%Y-%m-%d}.md"
    said = [
        f"{'- ' if chance.random() < 0.4 else ''}{chance.choice(_VERBS)} {' '.join(chance.choices(_WORDS, k=8))} {n}."
        for _ in range(6)
    ]
    text = f"## Log {n}\n\n" + "\n".join(said)
    return Memory(
        id=derived_id("section", path, str(n)),
        kind=Kind.SECTION,
        text=text,
        created_at=day,
        updated_at=day,
        title=f"Log {n}",
        occurred_at=day,
        daily=True,
        group=f"document:{path}",
        position=n % _A_DAY,
        origin=Origin(derived_id("document", path), path, 1, 8),
        content_hash=content_hash(text),
    )


def _value_text(value: float) -> str:
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}"
