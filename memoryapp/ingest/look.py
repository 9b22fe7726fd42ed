"""The files of a walk in; those that have not changed told and passed over, the others read, cut and handed on in
windows of a few hundred sections (`windows`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memoryapp.domain.document import Document, FileOutcome, FileReport
from memoryapp.ingest.compare import Files, Renames
from memoryapp.ingest.cut import VERSION, cut
from memoryapp.ingest.read import bytes_hash, load, read
from memoryapp.ingest.settle import Cut
from memoryapp.ingest.split import Window
from memoryapp.ingest.walk import FoundFile
from memoryapp.ingest.work import Work
from memoryapp.store import documents

SECTIONS_A_WINDOW = 256  # enough for batches of like length; few enough that a kill costs seconds
FILES_A_WINDOW = 256


def pass_over(work: Work, files: Files, refused: Sequence[FileReport]) -> None:
    """Tells of the files that were refused, and of those whose size and time stamp say that they are unchanged."""
    for report in refused:
        work.tally.tell(report)
    if files.unchanged:
        counts = documents.section_counts(work.space.db)
        for found, document in files.unchanged:
            work.tally.tell(_unchanged_report(found, counts.get(document.id, 0)))
    work.tally.stop_if_asked()


def windows(work: Work, files: Files) -> Iterator[list[Cut]]:
    """Files that are new, changed or moved. Raises Cancelled between two files."""
    taken: list[Cut] = []
    sections = 0
    window: Window | None = None
    renames = Renames(files, work.words)
    restamped: dict[str, int] = {}
    counts = documents.section_counts(work.space.db) if files.to_look_at else {}
    work.tally.bytes_ahead = sum(found.size for found in files.to_look_at)
    work.tally.at("reading")
    for found in files.to_look_at:
        work.tally.stop_if_asked()
        data = load(found)
        work.tally.read(found.size)
        if isinstance(data, FileReport):
            work.tally.tell(data)
            continue
        before = files.at(found.path)
        if before and before.present and before.content_hash == bytes_hash(data) and before.cutter == VERSION:
            if before.modified_ns != found.modified_ns:
                restamped[before.id] = found.modified_ns
            work.tally.tell(_unchanged_report(found, counts.get(before.id, 0)))
            continue
        window = window or work.window()
        one = _cut(work, files, renames, found, data, window, before)
        if isinstance(one, FileReport):
            work.tally.tell(one)
            continue
        taken.append(one)
        sections += len(one.cutting.sections)
        if sections >= SECTIONS_A_WINDOW or len(taken) >= FILES_A_WINDOW:
            yield taken
            taken, sections = [], 0
    if taken:
        yield taken
    if restamped and not work.dry_run:
        documents.touch(work.space.db, restamped)


def _cut(
    work: Work, files: Files, renames: Renames, found: FoundFile, data: bytes, window: Window, before: Document | None
) -> Cut | FileReport:
    reading = read(found, data)
    if isinstance(reading, FileReport):
        return reading
    before = before or renames.before(reading)
    key = before.id if before else files.new_id(found.path)
    cutting = cut(
        reading.text,
        key=key,
        name=reading.stem,
        title=reading.title,
        body_line=reading.body_line,
        plain=reading.plain,
        window=window,
    )
    return Cut(work.source.id, reading, cutting, before, key)


def _unchanged_report(found: FoundFile, sections: int) -> FileReport:
    return FileReport(found.path, FileOutcome.UNCHANGED, sections=sections, unchanged=sections)
