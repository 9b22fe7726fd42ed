"""walk → compare → read → cut → settle → embed → link → write → archive → chain → link back: files into a space.

While an ingest is under way its source carries a mark, by which the next one knows that this one was cut off. What came
from files that are gone is archived, to come back if the file does. Names that became known are linked from the
memories that named them before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from memoryapp.domain.change import Run
from memoryapp.domain.document import Document, FileOutcome, FileReport, IngestReport, Source
from memoryapp.domain.entity import Entity, Reference
from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Memory, State
from memoryapp.extraction.entities.link import MENTION, Linker
from memoryapp.ingest.chain import chain
from memoryapp.ingest.compare import Files, in_file
from memoryapp.ingest.look import pass_over, windows
from memoryapp.ingest.settle import put_away
from memoryapp.ingest.walk import walk
from memoryapp.ingest.work import Progress, Silence, Tally, Work
from memoryapp.ingest.write import Writer
from memoryapp.spaces import Space
from memoryapp.spaces.mentions import holders_of, named_in
from memoryapp.store import documents, entities, memories, revisions
from memoryapp.store.retry import retry_write
from memoryapp.store.write import Batch, commit

_MEMORIES_A_WRITE = 200


def link_back(work: Work) -> None:
    """Adds what is missing; finding nothing to add, writes nothing. Raises Cancelled between two groups."""
    learned = list({entity.id: entity for entity in work.learned}.values())
    if not learned:
        return
    _link(work, learned, list(work.written.values()))
    older = [key for key in holders_of(work.space, learned) if key not in work.written]
    for start in range(0, len(older), _MEMORIES_A_WRITE):
        found = memories.get_many(work.space.db, older[start : start + _MEMORIES_A_WRITE])
        _link(work, learned, [memory for memory in found.values() if memory.state is not State.DELETED])


def _link(work: Work, learned: Sequence[Entity], group: Sequence[Memory]) -> None:
    named = list(named_in(learned, group))
    for start in range(0, len(named), _MEMORIES_A_WRITE):
        work.tally.stop_if_asked()
        piece = named[start : start + _MEMORIES_A_WRITE]
        standing = work.linker.standing([memory.id for memory, _ in piece])
        batch = Batch()
        for memory, keys in piece:
            batch.references_added.extend(
                Reference(memory.id, key, MENTION) for key in keys if key not in standing[memory.id]
            )
        work.tally.linked += len(batch.references_added)
        if not work.dry_run:
            commit(work.space.db, work.run, batch, now=work.space.clock())


_UNDER_WAY = "under_way"


def begin(work: Work) -> None:
    """Marks the source. Where the last ingest never came to its end, its last steps, which look at what that one had
    changed, are done for everything."""
    if work.dry_run:
        return
    source = _stored_source(work)
    last = source.last_report or {}
    if _UNDER_WAY in last:
        work.learned.extend(entities.known_entities(work.space.db)[1])
        heads = documents.heads(work.space.db, source.id).values()
        work.dated.extend(document for document in heads if document.present and document.date)
    documents.put_source(work.space.db, replace(source, last_report={**last, _UNDER_WAY: work.run.id}))


def finish(work: Work) -> IngestReport:
    """The report, on the source too."""
    report = work.tally.report()
    if work.dry_run:
        return report
    db, now = work.space.db, work.space.clock()
    if work.tally.touched:
        counts = {name: value for name, value in as_counts(report).items() if name != "failed"}
        revisions.finish_run(db, work.run, at=now, detail=counts)
    documents.read_again(
        db, _stored_source(work), at=now, report=as_counts(report), files=report.files - len(report.failed)
    )
    return report


def as_counts(report: IngestReport) -> dict[str, Any]:
    """The report as plain values."""
    counts = asdict(report)
    counts["failed"] = [{"path": file.path, "note": file.note} for file in report.failed]
    return counts


def _stored_source(work: Work) -> Source:
    """The source as it is now: a person may have changed its schedule while it was read."""
    try:
        return documents.source(work.space.db, work.source.id)
    except NotFound:
        return work.source


_FILES_A_WRITE = 32


def archive_missing(work: Work, gone: Sequence[Document]) -> None:
    """Raises Cancelled between two groups of files."""
    for start in range(0, len(gone), _FILES_A_WRITE):
        work.tally.stop_if_asked()
        group = gone[start : start + _FILES_A_WRITE]
        reports = retry_write(partial(_archive_group, work, group))
        work.dated.extend(document for document in group if document.date)
        for report in reports:
            work.tally.tell(report)


def _archive_group(work: Work, group: Sequence[Document]) -> list[FileReport]:
    batch, reports = _batch_of_missing(work, group)
    if not work.dry_run:
        commit(work.space.db, work.run, batch, now=work.space.clock())
    return reports


def _batch_of_missing(work: Work, group: Sequence[Document]) -> tuple[Batch, list[FileReport]]:
    held = memories.of_documents(work.space.db, [document.id for document in group])
    batch, reports = Batch(), []
    for document in group:
        standing = [m for m in held.get(document.id, ()) if m.state is State.HELD and in_file(m)]
        batch.updated.extend((memory, put_away(memory)) for memory in standing)
        # The heads that files are compared with leave the text out; it must not be lost here.
        batch.documents.append(replace(documents.get(work.space.db, document.id), present=False))
        note = "the file is gone; what came from it is kept, restorable"
        reports.append(FileReport(document.path, FileOutcome.GONE, archived=len(standing), note=note))
    return batch, reports


def ingest(
    space: Space,
    source: Source,
    *,
    run: Run,
    progress: Progress | None = None,
    dry_run: bool = False,
    upload: bytes | None = None,
) -> IngestReport:
    """Reads a source into its space as far as it has changed; a second call changes nothing.

    `upload`: the bytes of an uploaded file or zip. `dry_run`: the same counts, and nothing is written. May be stopped
    or killed at any moment and called again. Raises NotFound where the root is gone, BadInput or TooLarge for a source
    that cannot be read, Cancelled when `progress` says so, EncoderError where there is no usable model.
    """
    tally = Tally(progress or Silence(), dry_run=dry_run)
    work = Work(
        space=space,
        source=source,
        run=replace(run, detail={**(run.detail or {}), "source": source.id}),
        tally=tally,
        linker=Linker(space.db, sightings_to_know=space.tuning.sightings_to_know),
        dry_run=dry_run,
    )
    walked = walk(source, upload=upload)
    files = Files(source.id, walked, documents.heads(space.db, source.id))
    tally.total = len(walked.files) + len(walked.refused)
    tally.skip(walked.skipped)
    begin(work)
    pass_over(work, files, walked.refused)
    with Writer(work) as writer:
        for window in windows(work, files):
            writer.put(window)
    tally.at("linking")
    gone = files.missing()
    tally.total += len(gone)
    archive_missing(work, gone)
    chain(work)
    link_back(work)
    return finish(work)
