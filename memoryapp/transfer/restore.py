"""An export back into a space.

`fill` writes all of it into an empty space: the same ids, history, conflicts and trust, so that it answers as the first
one did. `items_of` gives its memories as things to remember, for a space that holds others already: each goes by its
own ref, or by its id where it has none, so that merging the same export twice adds nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice

from memoryapp import graph
from memoryapp.domain.errors import BadInput, Cancelled, Clash, EncoderError
from memoryapp.domain.fields import moment_fields, shared_fields
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.progress import Progress
from memoryapp.domain.remembering import NewMemory
from memoryapp.extraction.atoms import parse
from memoryapp.spaces import Space
from memoryapp.spaces.reembed import embed_missing
from memoryapp.store import backup, memories
from memoryapp.store.database import Database
from memoryapp.store.rows import memory_from
from memoryapp.transfer.archive import Export
from memoryapp.transfer.entries import SkippedEntry
from memoryapp.transfer.report import PALIMPSEST, Report
from memoryapp.transfer.shapes import MEMORIES, SHAPES, Line, row_of

_TELL_EVERY = 200  # records
_PATIENCE = 90.0  # seconds that a model which is still loading is waited for
_MEBI = 1 << 20


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


_AT_ONCE = 200  # memories looked for by id
_AS_NOTE = frozenset({Kind.NOTE, Kind.SECTION, Kind.EPISODE, Kind.DIGEST, Kind.TURN})
_LEFT = {
    Kind.SUMMARY: "Summaries are written anew from the facts of the space they are in.",
    Kind.NODE: "Pages of the Context Tree are brought in on the Context Tree's own page, from the folder tree/.",
}


def items_of(export: Export, db: Database) -> Iterator[NewMemory | SkippedEntry]:
    """What is held; of what is not, of what a space makes by itself and of what `db` has by the same id, one Skipped a
    reason. Sections, episodes, digests and turns come as notes. Conflicts, history and relations are not merged: they
    are about memories of the other space."""
    left: Counter[str] = Counter()
    for lines in _pages(line for line, _ in export.lines(MEMORIES)):
        here = memories.get_many(db, [str(line.get("id")) for _, line in lines])
        for number, line in lines:
            try:
                if line["id"] in here:
                    left["They are here already, by the same id."] += 1
                elif line["state"] != State.HELD:
                    left[f"They were {line['state']} in the other space."] += 1
                elif Kind(line["kind"]) in _LEFT:
                    left[_LEFT[Kind(line["kind"])]] += 1
                else:
                    yield _item(line)
            except (KeyError, TypeError, ValueError, BadInput) as error:
                why = error.detail if isinstance(error, BadInput) else f"It is no memory of this program ({error})."
                yield SkippedEntry(f"{MEMORIES}, line {number}", why)
    for why, count in left.items():
        yield SkippedEntry(MEMORIES, why, count)


def _pages(lines: Iterator[Line]) -> Iterator[list[tuple[int, Line]]]:
    """The lines with their numbers, from 1, so many at a time."""
    numbered = enumerate(lines, start=1)
    while page := list(islice(numbered, _AT_ONCE)):
        yield page


def _item(line: Line) -> NewMemory:
    kind = Kind(line["kind"])
    atom = (line.get("detail") or {}).get("atom") if kind is Kind.ATOM else None
    source = line.get("source") or {}
    moments = {name: _moment(line.get(name)) for name in moment_fields(Memory)}
    written = memory_from({**line, **moments, "updated_at": moments["updated_at"] or moments["created_at"]})
    own = {
        "kind": Kind.NOTE if kind in _AS_NOTE else kind,
        "ref": line.get("ref") or f"palimpsest:{line['id']}",
        # What has no date of its own was said when it was written down, and not today.
        "said_at": None if line.get("occurred_at") else moments["created_at"],
        "session": source.get("session") if kind in (Kind.NOTE, Kind.TURN) else None,
        "atom": parse(atom)[0] if atom else None,
    }
    return NewMemory(**shared_fields(written, NewMemory) | own)


def _moment(value: str | None) -> datetime | None:
    return datetime.fromisoformat(value) if value else None
