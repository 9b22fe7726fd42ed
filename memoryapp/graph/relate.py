"""The job that reads new words for relations: hear → resolve → weave → one commit a batch, until nothing is due."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Cancelled, Clash, Stale
from memoryapp.domain.fact import Cost
from memoryapp.domain.memory import State
from memoryapp.extract.relations.choose import RelationReader, relation_reader_of
from memoryapp.graph.reading import Heard, hear
from memoryapp.graph.resolve import Resolver
from memoryapp.graph.standing import alone
from memoryapp.graph.weave import weave
from memoryapp.spaces import Space
from memoryapp.store import due, memories, revisions
from memoryapp.store.write import Batch, commit, new_run

_AT_ONCE = 64  # memories of one write; a kill loses the reading of at most so many
_TRIES = 4
# What is put aside or deleted says nothing at present, and what it said before hangs on its state.
_READ = frozenset({State.HELD, State.SUPERSEDED})


class Progress(Protocol):
    """What a job is told, and asks, on the way."""

    def advance(self, done: int, total: int, counts: dict[str, Any] | None = None) -> None: ...
    def cancelled(self) -> bool: ...


@dataclass(slots=True)
class Related:
    """What came of it. `read`: memories; `relations`, `changed`, `removed`: of edges between entities; `entities`: new
    ones; `run` None where nothing was due. `problems`: why the configured model did not read, each once."""

    read: int = 0
    relations: int = 0
    changed: int = 0
    removed: int = 0
    entities: int = 0
    references: int = 0
    reader: str = ""
    problems: list[str] = field(default_factory=list)
    cost: Cost = field(default_factory=Cost)
    run: Run | None = None

    def counts(self) -> dict[str, Any]:
        """As a run's detail and a job's report keep it."""
        names = ("read", "relations", "changed", "removed", "entities", "references")
        return {name: getattr(self, name) for name in names}


def relate(
    space: Space,
    *,
    actor: Actor,
    reader: RelationReader | None = None,
    progress: Progress | None = None,
    limit: int | None = None,
) -> Related:
    """Reads the memories whose words are due, at most `limit`, all in one run. `reader`: by default the rules. Where
    extraction is off nothing is read, and the words stay due.

    What is read is marked so in the write that holds what was found: killed anywhere, the next call goes on. Reading
    the same words again changes nothing. Raises Cancelled between two batches; what was found so far stays.
    """
    reader = reader or _by_rules(space)
    told = Related(reader=reader.name)
    if reader.name == "off":
        return told
    run = new_run("relate", actor, now=space.clock())
    total = due.count(space.db) if limit is None else min(due.count(space.db), limit)
    stopped = False
    done = 0
    while limit is None or done < limit:
        if progress is not None and progress.cancelled():
            stopped = True
            break
        waiting = due.read(space.db, limit=_AT_ONCE if limit is None else min(_AT_ONCE, limit - done))
        if not waiting:
            break
        found = memories.get_many(space.db, list(waiting))
        heard = hear(space, [one for one in found.values() if one.state in _READ], reader)
        _write(space, run, heard, list(waiting.items()), told)
        done += len(waiting)
        if progress is not None:
            progress.advance(done, max(total, done), told.counts())
    if done:
        detail = {**told.counts(), "reader": told.reader, **({"problems": told.problems} if told.problems else {})}
        told.run = revisions.finish_run(space.db, run, at=space.clock(), detail=detail)
    if stopped:
        raise Cancelled("Stopped. What was found so far stays; begin it again to go on.")
    return told


def _by_rules(space: Space) -> RelationReader:
    encode = space.encoder.get().encode_documents if space.encoder.ready else None
    return relation_reader_of(space.tuning.extractor, model=None, encode=encode)


def _write(space: Space, run: Run, heard: Sequence[Heard], graphed: Sequence[tuple[str, int]], told: Related) -> None:
    """One block: what was heard and that it was. Again, without asking the reader again, where a person changed one of
    the relations in between, or purged one of the memories: of these nothing is written."""
    for attempt in range(_TRIES):
        with alone(space.db):
            now = space.clock()
            resolver = Resolver(space.db, sightings_to_know=space.tuning.sightings_to_know)
            batch = weave(space, heard, resolver, now=now)
            batch.graphed = list(graphed)
            try:
                commit(space.db, run, batch, now=now)
                break
            except (Stale, Clash):
                if attempt == _TRIES - 1:
                    raise
                there = memories.get_many(space.db, [key for key, _ in graphed])
                due.forget(space.db, [key for key, _ in graphed if key not in there])
                heard = [one for one in heard if one.memory.id in there]
                graphed = [(key, version) for key, version in graphed if key in there]
    _count(told, batch, heard)


def _count(told: Related, batch: Batch, heard: Sequence[Heard]) -> None:
    told.read += len(heard)
    told.relations += sum(before is None for before, _ in batch.relations)
    told.changed += sum(before is not None for before, _ in batch.relations)
    told.removed += len(batch.unrelated)
    told.entities += sum(before is None for before, _ in batch.entities)
    told.references += len(batch.references_added)
    for one in heard:
        told.cost += one.cost
        if one.problem and one.problem not in told.problems:
            told.problems.append(one.problem)
