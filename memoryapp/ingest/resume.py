"""The beginning and the end of an ingest as the store sees them: a mark while it is under way, by which the next one
knows that this one was cut off, and its report on the source."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from memoryapp.domain.document import IngestReport, Source
from memoryapp.domain.errors import NotFound
from memoryapp.ingest.work import Work
from memoryapp.store import documents, entities, revisions

_UNDER_WAY = "under_way"


def begin(work: Work) -> None:
    """Marks the source. Where the last ingest never came to its end, its last steps, which look at what that one had
    changed, are done for everything."""
    if work.dry_run:
        return
    source = _stored(work)
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
    documents.read_again(db, _stored(work), at=now, report=as_counts(report), files=report.files - len(report.failed))
    return report


def as_counts(report: IngestReport) -> dict[str, Any]:
    """The report as plain values."""
    counts = asdict(report)
    counts["failed"] = [{"path": file.path, "note": file.note} for file in report.failed]
    return counts


def _stored(work: Work) -> Source:
    """The source as it is now: a person may have changed its schedule while it was read."""
    try:
        return documents.source(work.space.db, work.source.id)
    except NotFound:
        return work.source
