"""The last step: files that were cut are compared with what is stored, embedded a window at a time, linked and written
in small groups, each in one atomic block. A file's document, with the hash by which it counts as read, stands in the
same block as its memories, so a kill at any moment loses nothing and doubles nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.document import FileReport
from memoryapp.domain.entity import Entity
from memoryapp.domain.memory import Memory, index_text
from memoryapp.extraction.entities.link import Linker, LinkResult
from memoryapp.inference.embedding.batch import encode_in_batches
from memoryapp.ingest.settle import Cut, FileChanges, settle, subject_of
from memoryapp.ingest.work import Work
from memoryapp.store import conflicts, documents, memories, purge
from memoryapp.store.embeddings import Embedding
from memoryapp.store.retry import retry_write
from memoryapp.store.write import Batch, commit

TEXTS_A_WRITE = 64  # a transaction of many hundred rows holds up other writers
_LOOK_EVERY = 0.5  # seconds between two looks whether to stop, while a write is under way


@dataclass(frozen=True, slots=True)
class _EmbeddingResult:
    """`vectors` by memory id; `failed`: the reason, by memory id."""

    vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _WriteResult:
    files: list[FileChanges] = field(default_factory=list)
    embedded: _EmbeddingResult = field(default_factory=_EmbeddingResult)
    linked: int = 0
    learned: list[Entity] = field(default_factory=list)


class Writer:
    """Writes one window in a thread of its own while the next one is embedded here: the engine works outside Python,
    and so does the model. Reports are told from the caller's thread alone."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ingest-write")
        self._stop = threading.Event()
        self._under_way: Future[_WriteResult] | None = None

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._work.tally.at("writing")
                self._await()
        finally:
            self._stop.set()
            self._thread.shutdown(wait=True)

    def put(self, cuts: Sequence[Cut]) -> None:
        """One window. Raises Cancelled; what an earlier window met is raised here too."""
        files = _settle_files(self._work, cuts)
        embedded = _embed(self._work, [memory for one in files for memory in one.rewritten])
        self._await()
        self._under_way = self._thread.submit(self._write, files, embedded)

    def _await(self) -> None:
        """Waits for the window under way, and tells what came of it."""
        if self._under_way is None:
            return
        while True:
            try:
                written = self._under_way.result(_LOOK_EVERY)
                break
            except NotYet:
                if self._work.tally.progress.cancelled():
                    self._stop.set()
        self._under_way = None
        _tell(self._work, written)
        self._work.tally.stop_if_asked()

    def _write(self, files: list[FileChanges], embedded: _EmbeddingResult) -> _WriteResult:
        done = _WriteResult(embedded=embedded)
        for group in _groups(files):
            if self._stop.is_set():
                break
            self._write_group(group, done)
        return done

    def _write_group(self, group: list[FileChanges], done: _WriteResult) -> None:
        space = self._work.space

        def write() -> LinkResult:
            batch = _batch(group, done.embedded, model=space.encoder.name)
            linked = self._work.linker.link(
                [memory for one in group for memory in (*one.rewritten, *one.relinked)],
                batch,
                now=space.clock(),
                contexts={m.id: one.document.text for one in group for m in (*one.rewritten, *one.relinked)},
                subjects={
                    m.id: subject
                    for one in group
                    if (subject := subject_of(one.document))
                    for m in (*one.rewritten, *one.relinked)
                },
            )
            if not self._work.dry_run:
                # Places first: were it killed between the two, the file would still count as unread.
                documents.put_places(space.db, [memory for one in group for memory in one.placed])
                commit(space.db, self._work.run, batch, now=space.clock())
            return linked

        def compare_again() -> None:
            nonlocal group
            self._work.linker = Linker(space.db, sightings_to_know=space.tuning.sightings_to_know)
            group = _settle_files(self._work, [one.cut for one in group])
            done.embedded = _embed(self._work, [m for one in group for m in one.rewritten], silent=True)

        linked = retry_write(write, between=compare_again)
        done.files.extend(group)
        done.linked += linked.added
        done.learned.extend(linked.learned)


def _settle_files(work: Work, cuts: Sequence[Cut]) -> list[FileChanges]:
    """The files beside what the store holds of them at this moment."""
    db = work.space.db
    held = memories.of_documents(db, [cut.key for cut in cuts if cut.before])
    purged = purge.purged_among(db, [(s.id, s.text) for cut in cuts for s in cut.cutting.sections])
    about = conflicts.about(db, [memory.id for group in held.values() for memory in group if memory.edited])
    now = work.space.clock()
    return [settle(cut, held.get(cut.key, ()), purged=purged, conflicts=about, now=now) for cut in cuts]


def _report_embedding(work: Work, count: int, done: int) -> None:
    """`done` of the `count` sections of a window are embedded. Raises Cancelled."""
    work.tally.embedding(done, count)
    work.tally.stop_if_asked()


def _embed(work: Work, rewritten: Sequence[Memory], *, silent: bool = False) -> _EmbeddingResult:
    if work.dry_run or not rewritten:
        return _EmbeddingResult()
    if not silent:
        work.tally.to_embed += len(rewritten)
        work.tally.embedding(0, len(rewritten))
    encoded = encode_in_batches(
        work.encoder(),
        [index_text(memory) for memory in rewritten],
        on_progress=None if silent else partial(_report_embedding, work, len(rewritten)),
    )
    failed = {rewritten[n].id: reason for n, reason in encoded.failed}
    vectors = {memory.id: encoded.vectors[n] for n, memory in enumerate(rewritten) if memory.id not in failed}
    return _EmbeddingResult(vectors, failed)


def _groups(files: Sequence[FileChanges]) -> Iterator[list[FileChanges]]:
    group: list[FileChanges] = []
    texts = 0
    for one in files:
        if group and texts + len(one.rewritten) + len(one.relinked) > TEXTS_A_WRITE:
            yield group
            group, texts = [], 0
        group.append(one)
        texts += max(len(one.rewritten) + len(one.relinked), 1)
    if group:
        yield group


def _batch(group: Sequence[FileChanges], embedded: _EmbeddingResult, *, model: str) -> Batch:
    batch = Batch()
    for one in group:
        batch.created.extend(one.created)
        batch.updated.extend(one.updated)
        batch.documents.append(one.document)
        batch.conflicts.extend(one.conflicts)
        batch.embeddings.extend(
            Embedding(memory.id, model, embedded.vectors[memory.id])
            for memory in one.rewritten
            if memory.id in embedded.vectors
        )
    return batch


def _tell(work: Work, written: _WriteResult) -> None:
    tally = work.tally
    tally.linked += written.linked
    work.learned.extend(written.learned)
    for one in written.files:
        tally.embedded += sum(memory.id not in written.embedded.failed for memory in one.rewritten)
        work.written.update((memory.id, memory) for memory in (*one.rewritten, *one.relinked))
        if one.dates_changed:
            work.dated.extend(document for document in (one.cut.before, one.document) if document and document.date)
        tally.tell(_with_failures(one, written.embedded.failed))


def _with_failures(one: FileChanges, failed: dict[str, str]) -> FileReport:
    lost = [(memory.title, failed[memory.id]) for memory in one.rewritten if memory.id in failed]
    if not lost:
        return one.report
    told = f"{len(lost)} not embedded, found by words only: “{lost[0][0]}” ({lost[0][1]})"
    return replace(one.report, note="; ".join(filter(None, (one.report.note, told))))
