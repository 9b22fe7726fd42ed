"""Speed: searches of a growing space beside the plain baseline on the same data in the same run, and a restart.

Only ratios travel from one machine to another; the milliseconds are of this one, with whatever else it was doing.

Entities, references and relations for the speed part: some that much refers to, many that little does.
"""

from __future__ import annotations

import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.baseline import Plain
from benchmarks.quality import ACTOR, Say
from benchmarks.sets import SETS, pools_of
from benchmarks.table import MILLISECONDS
from memoryapp.domain.clock import utc_now
from memoryapp.domain.entity import Entity, EntityState, EntityType, Reference, normal_form
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.relation import MadeBy, Relation, RelationType, relation_id
from memoryapp.domain.results import Query
from memoryapp.index import open_index
from memoryapp.inference.embedding import Encoder, EncoderSlot
from memoryapp.search import forget, search
from memoryapp.spaces import Space
from memoryapp.store import embeddings
from memoryapp.store.database import open_database
from memoryapp.store.embeddings import Embedding, NameEmbedding
from memoryapp.store.migrate import migrate
from memoryapp.store.write import Batch, commit, new_run

REFERENCES = 4  # of a memory
_SHARE = 0.25  # entities a memory
_RELATIONS = 0.4  # relations a memory
_SKEW = 2.5  # how much more often the first entities are referred to than the last


class Links:
    """What the memories written so far refer to. The same numbers give the same links on every machine."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.names: list[str] = []

    def grow(self, batch: Batch, memories: Sequence[str], *, now: datetime) -> list[str]:
        """Puts into the batch that writes these memories new entities, and references and relations to all there are.
        Returns the ids of the new entities."""
        fresh = [f"Component {len(self.names) + n}" for n in range(round(len(memories) * _SHARE))]
        self.names += fresh
        batch.entities += [(None, _entity(name, now)) for name in fresh]
        for memory in memories:
            keys = dict.fromkeys(self._one() for _ in range(REFERENCES))
            batch.references_added += [Reference(memory, key) for key in keys]
        batch.relations += [(None, one) for one in self._relations(round(len(memories) * _RELATIONS), now)]
        return [_key(name) for name in fresh]

    def name(self) -> str:
        """One that a question may name."""
        return self.names[self._place()]

    def _relations(self, count: int, now: datetime) -> Iterator[Relation]:
        types = [type_.value for type_ in RelationType]
        for _ in range(count):
            one, other, type_ = self._one(), self._one(), self._chance.choice(types)
            if one != other:
                made = relation_id(one, type_, other, self._chance.randbytes(8).hex())
                yield Relation(made, one, type_, other, 0.7, MadeBy.RULES, now)

    def _one(self) -> str:
        return _key(self.names[self._place()])

    def _place(self) -> int:
        return int(len(self.names) * self._chance.random() ** _SKEW)


def embed(space: Space, entities: Sequence[str], dimension: int, *, seed: int) -> None:
    """Gives these entities names in random directions: to the time of a search it is the same."""
    vectors: NDArray[np.float32] = np.random.default_rng(seed).standard_normal(
        (len(entities), dimension), dtype=np.float32
    )
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    model = space.encoder.name
    embeddings.put_names(
        space.db, [NameEmbedding(key, model, key, vector) for key, vector in zip(entities, vectors, strict=True)]
    )


def _entity(name: str, now: datetime) -> Entity:
    return Entity(_key(name), name, normal_form(name), EntityType.CONCEPT, EntityState.KNOWN, now)


def _key(name: str) -> str:
    return derived_id("bench-entity", name)


Vectors = NDArray[np.float32]
_BATCH = 250
_QUERIES = 150
_WALKS = 40
WALKING = ("structural", "dual-arm", "recall", "bridge")
_GROUP = 20  # memories of one session
_SEED = 20_260_221


@dataclass(frozen=True, slots=True)
class Corpus:
    texts: list[str]
    queries: list[str]


def corpus(folder: Path, size: int) -> Corpus:
    """`size` texts: those of the sets, and where they end, halves of two spliced together."""
    pools = [pool for name in SETS for _, found in pools_of(name, folder, "all") for pool in found]
    texts = list(dict.fromkeys(item.text for pool in pools for item in pool.items))
    queries = [asked.text for pool in pools for asked in pool.questions if asked.text.isascii()]
    chance = random.Random(_SEED)
    chance.shuffle(texts)
    chance.shuffle(queries)
    while len(texts) < size:
        one, other = chance.choice(texts), chance.choice(texts)
        texts.append(f"{one[: len(one) // 2]} {other[len(other) // 2 :]}")
    return Corpus(texts[:size], list(dict.fromkeys(queries)))


def measure(folder: Path, *, encoder: Encoder, sizes: Sequence[int], say: Say) -> dict[str, Any]:
    """Per size the milliseconds of a search (p50, p95) here and in the baseline, their ratio; and the restart."""
    told: dict[str, Any] = {"searches": {}}
    data = corpus(folder, max(sizes))
    say(f"{len(data.texts)} texts, {len(data.queries)} queries")
    with tempfile.TemporaryDirectory(prefix="palimpsest-bench-") as place:
        url = f"surrealkv://{place}/store"
        space, plain = open_speed_space(url, Path(place) / "index", encoder), Plain(encoder.dimension)
        queries = itertools.cycle(data.queries)
        links = Links(_SEED)
        filled = 0
        for size in sorted(sizes):
            began = time.perf_counter()
            _fill(space, plain, links, data.texts[filled:size], first=filled, dimension=encoder.dimension)
            say(f"{size} memories written in {time.perf_counter() - began:.1f} s")
            filled = size
            told["searches"][str(size)] = _compared(space, plain, list(itertools.islice(queries, _QUERIES)), size=size)
            told["searches"][str(size)]["graph"] = _measure_walks(space, links, list(itertools.islice(queries, _WALKS)))
        told["query_embedding_ms"] = _embedding(encoder, list(itertools.islice(queries, 60)))
        told["memory_mb"] = _resident_megabytes()
        told["start_to_ready_s"] = _measure_restart(space, url, Path(place) / "index", encoder, next(queries))
        plain.close()
    return told


def open_speed_space(url: str, folder: Path, encoder: Encoder) -> Space:
    db = open_database(url, "bench-speed")
    migrate(db)
    slot = EncoderSlot(encoder.name, lambda _: encoder)
    slot.fill()
    return Space(name="bench-speed", db=db, index=open_index(db, model=encoder.name, folder=folder), encoder=slot)


def _fill(space: Space, plain: Plain, links: Links, texts: Sequence[str], *, first: int, dimension: int) -> None:
    """Writes memories in batches, each with a vector in a random direction: to the time of a search it is the same;
    with entities, references and relations beside them."""
    chance = np.random.default_rng(_SEED + first)
    now = utc_now()
    for start in range(0, len(texts), _BATCH):
        part = texts[start : start + _BATCH]
        vectors = chance.standard_normal((len(part), dimension), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        notes = [_note(text, first + start + n, now=now) for n, text in enumerate(part)]
        embeddings = [Embedding(m.id, space.encoder.name, v) for m, v in zip(notes, vectors, strict=True)]
        batch = Batch(created=notes, embeddings=embeddings)
        entities = links.grow(batch, [note.id for note in notes], now=now)
        commit(space.db, new_run("bench", ACTOR, now=now), batch, now=now)
        embed(space, entities, dimension, seed=_SEED + first + start)
        space.index.refresh()
        plain.add(part, vectors)


def _note(text: str, number: int, *, now: Any) -> Memory:
    learned = now - timedelta(minutes=number)
    return Memory(
        id=derived_id("bench", str(number)),
        kind=Kind.NOTE,
        text=text,
        created_at=learned,
        updated_at=learned,
        group=f"session:{number // _GROUP}",
        position=number % _GROUP,
        content_hash=content_hash(text),
    )


def _compared(space: Space, plain: Plain, queries: Sequence[str], *, size: int) -> dict[str, Any]:
    """One query after the other by the product and by the baseline, in turn, so that both meet the same machine."""
    encoder = space.encoder.get(0)
    vectors = [encoder.encode_query(query) for query in queries]
    ours: list[float] = []
    theirs: list[float] = []
    arms: dict[str, list[float]] = {}
    for query, vector in zip(queries, vectors, strict=True):
        answer = search(_space_with_vector(space, vector), Query(query))
        ours.append(answer.took_ms)
        for name, report in answer.arms.items():
            arms.setdefault(name, []).append(report.ms)
        theirs.append(_measure_ms(lambda q=query, v=vector: plain.search(q, v)))  # type: ignore[misc]
    return {
        "hybrid_ms": percentiles(ours),
        "baseline_ms": percentiles(theirs),
        "ratio": round(statistics.median(ours) / statistics.median(theirs), 3),
        "reach_ms": MILLISECONDS.get(size),
        "arms_ms": {name: round(statistics.median(times), 3) for name, times in arms.items()},
    }


def _measure_walks(space: Space, links: Links, queries: Sequence[str]) -> dict[str, Any]:
    """Milliseconds of the strategies that go over entities, each question naming one; and what they went over."""
    encoder = space.encoder.get(0)
    graph = space.index.view().graph
    told: dict[str, Any] = {
        "entities": len(graph.entities),
        "references": int(graph.incidence.matrix.nnz),
        "relations": len(graph.relations),
    }
    for query in queries[:2]:  # what is made once after a write is no part of a search
        for strategy in WALKING:
            search(space, Query(query, strategy=strategy))
    for strategy in WALKING:
        times = []
        for query in queries:
            asked = f"{query} {links.name()}"
            known = _space_with_vector(space, encoder.encode_query(query))
            times.append(search(known, Query(asked, strategy=strategy)).took_ms)
        told[f"{strategy}_ms"] = percentiles(times)
    return told


class _CachedEncoder:
    """The encoder, with the query's vector already at hand: what is timed is the search."""

    def __init__(self, inner: Encoder, vector: Vectors) -> None:
        self._inner, self._vector = inner, vector

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def encode_query(self, text: str) -> Vectors:
        return self._vector

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """The words of a query, which is its embedding too."""
        return np.tile(self._vector, (len(texts), 1))


def _space_with_vector(space: Space, vector: Vectors) -> Space:
    known: Any = _CachedEncoder(space.encoder.get(0), vector)
    slot = EncoderSlot(space.encoder.name, lambda _: known)
    slot.fill()
    return replace(space, encoder=slot)


def _embedding(encoder: Encoder, queries: Sequence[str]) -> dict[str, float]:
    """Milliseconds of one query's embedding by the model itself, whatever was remembered."""
    model: Encoder = getattr(encoder, "inner", encoder)
    model.encode_query("warm")
    return percentiles([_measure_ms(lambda q=query: model.encode_query(f"{q} now")) for query in queries])  # type: ignore[misc]


def _measure_restart(space: Space, url: str, folder: Path, encoder: Encoder, query: str) -> float:
    """Seconds from opening the store to the first answer, the index read from disk; the model is not loaded anew."""
    space.index.close()
    space.db.close()
    forget(space.name)
    began = time.perf_counter()
    again = open_speed_space(url, folder, encoder)
    search(again, Query(query))
    took = time.perf_counter() - began
    again.index.close()
    again.db.close()
    return round(took, 3)


def _resident_megabytes() -> float | None:
    """Megabytes of this process that are in memory; None where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((round(int(line.split()[1]) / 1024, 1) for line in lines if line.startswith("VmRSS")), None)


def _measure_ms(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def percentiles(times: Iterable[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"p50": round(statistics.median(ordered), 3), "p95": round(ordered[int(0.95 * (len(ordered) - 1))], 3)}
