"""An export back into an empty space: the same ids, history, conflicts and trust, so that it answers as the first one
did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from memoryapp import graph
from memoryapp.domain.errors import Cancelled, Clash, EncoderError
from memoryapp.spaces import Space
from memoryapp.spaces.reembed import embed_missing
from memoryapp.store import backup
from memoryapp.transfer.archive import Export
from memoryapp.transfer.report import PALIMPSEST, Report
from memoryapp.transfer.shapes import SHAPES, Line, row_of

_TELL_EVERY = 200  # records
_PATIENCE = 90.0  # seconds that a model which is still loading is waited for
_MEBI = 1 << 20


class Progress(Protocol):
    def advance(self, done: int, total: int, counts: dict[str, int] | None = None) -> None: ...
    def say(self, message: str) -> None: ...
    def cancelled(self) -> bool: ...


def fill(
    space: Space,
    export: Export,
    *,
    progress: Progress,
    dry_run: bool = False,
    again: bool = False,
    begin: Callable[[], None] = lambda: None,
) -> Report:
    """Writes everything the export holds. `begin` is called right before the first write; `again`: that was done once
    before, and the process ended in between.

    Raises Clash where the space holds something, which a dry run only notes; BadInput where the export is damaged or
    newer, and Cancelled: nothing is written then.
    """
    full = "" if again else not_empty(space)
    if full and not dry_run:
        raise Clash(full, field="/merge")
    progress.say("checking the file")
    schema = backup.migrations(space.db)
    export.check(schema=schema, going_on=lambda done, total: _step(progress, done // _MEBI, total // _MEBI))
    report = Report(form=PALIMPSEST, dry_run=dry_run, records=export.manifest.counts, settings=export.manifest.settings)
    other_model = _other_model(space, export)
    if other_model:
        report.notes.append(other_model)
    if dry_run:
        report.notes += [full] if full else []
        report.possible = not full
        return report
    progress.say("writing")
    begin()
    backup.fill(space.db, _rows(export, progress), digest_key=export.manifest.purge_key, again=again)
    space.index.refresh()  # here, and not in the first search after it
    _embed(space, report, progress)
    return report


def not_empty(space: Space) -> str:
    """What to do where an export meets a space with something in it; “” where it is empty."""
    if backup.is_empty(space.db):
        return ""
    return (
        f"“{space.name}” is not empty, and the whole of an export comes into an empty space. Make a new space for it; "
        "or merge: then its memories alone are added to those that are here."
    )


def _rows(export: Export, progress: Progress) -> Iterator[tuple[str, Line, int]]:
    done, total = 0, sum(export.manifest.counts.values())
    for shape in SHAPES:
        for row in export.rows(shape.file, row_of):
            yield row
            done += 1
            if done % _TELL_EVERY == 0 and not _step(progress, done, total):
                raise Cancelled("Stopped. Nothing was kept: the space is empty again.")
    progress.advance(done, total)


def _step(progress: Progress, done: int, total: int) -> bool:
    progress.advance(done, total)
    return not progress.cancelled()


def _other_model(space: Space, export: Export) -> str:
    """Why the memories have to be embedded here, in words; “” where their vectors came along."""
    held, own = export.manifest, space.encoder.name
    if not held.vectors:
        return f"The export has no vectors: its memories are embedded anew, by {own}."
    if held.model != own:
        return f"The export's vectors are of {held.model}, this space uses {own}: its memories are embedded anew."
    return ""


def _embed(space: Space, report: Report, progress: Progress) -> None:
    """Names of entities, whose vectors are no part of an export; memories too, where theirs did not come along."""
    progress.say("embedding")
    try:
        encoder = space.encoder.get(_PATIENCE)
    except EncoderError as error:
        report.notes.append(f"Embedding waits for the model ({error.detail}); Settings, Health has a button for it.")
        return
    if report.notes:
        counts = embed_missing(space, encoder, model=space.encoder.name, progress=progress)
        report.embedded = counts["embedded"]
    graph.embed_names(space, encoder, progress=progress)
    space.index.refresh()
