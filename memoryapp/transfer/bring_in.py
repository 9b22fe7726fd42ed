"""Things from a file into a space that may hold others: memories through remember, conversations as sessions, names and
relations into the graph. Each thing goes by its ref, so that the same file again changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Cancelled
from memoryapp.domain.identity import content_hash
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember import RULES, Judges
from memoryapp.spaces import Space
from memoryapp.store import revisions
from memoryapp.transfer.brought import Brought, Item, Link, Named, Skipped, Told
from memoryapp.transfer.joining import Joining
from memoryapp.transfer.report import Report
from memoryapp.transfer.said import say
from memoryapp.transfer.writing import Writing

_AT_ONCE = 100  # memories, or entities and relations, that are written together; a kill loses at most so many

Thing = Brought | NewMemory


class Progress(Protocol):
    def advance(self, done: int, total: int, counts: dict[str, int] | None = None) -> None: ...
    def line(self, path: str, outcome: str, *, note: str = "") -> None: ...
    def cancelled(self) -> bool: ...


def bring_in(
    space: Space,
    things: Iterable[Thing],
    *,
    form: str,
    run: Run,
    actor: Actor,
    progress: Progress,
    total: int = 0,
    judges: Judges = RULES,
    dry_run: bool = False,
) -> Report:
    """Takes the things one after the other and tells what became of them; with `dry_run` what would.
    `total`: how many there are about.

    `run` is written with the first change, and undoes all but the turns. A thing that cannot be kept is skipped, with
    the reason. Raises Cancelled; what is in by then stays, and the same file again goes on from there.
    """
    report = Report(form=form, dry_run=dry_run)
    writing = Writing(space, run=run, judges=judges, report=report, dry_run=dry_run)
    joining = Joining(space, run=run, report=report, dry_run=dry_run)
    done = 0
    try:
        for thing in _flat(things):
            if isinstance(thing, Skipped):
                report.skip(thing)
            elif isinstance(thing, Told):
                say(space, thing, actor=actor, report=report, dry_run=dry_run)
            elif isinstance(thing, Named | Link):
                joining.take(thing)
            else:
                writing.take(thing)
            done += 1
            if len(writing) >= _AT_ONCE:
                writing.flush()
            if len(joining) >= _AT_ONCE:
                joining.flush()
            _tell(report, progress)
            progress.advance(done, max(done, total), report.counts)
            if progress.cancelled():
                raise Cancelled("Stopped. What is in stays; import the same file again to go on.")
        joining.flush()
        writing.flush()
        _tell(report, progress)
    finally:
        if joining.wrote or writing.wrote:
            report.run = run.id
            revisions.finish_run(space.db, run, at=space.clock(), detail={"counts": report.counts})
    if writing.stayed_out:
        report.notes.append(f"{writing.stayed_out:,} of the unchanged were archived or deleted here, and stay so.")
    progress.advance(done, done, report.counts)
    return report


def _tell(report: Report, progress: Progress) -> None:
    """A line of the job's log for each thing that was skipped."""
    for one in report.fresh:
        progress.line(one.where, "skipped", note=one.why)
    report.fresh.clear()


def _flat(things: Iterable[Thing]) -> Iterator[Told | Item | NewMemory | Link | Named | Skipped]:
    """An entity's observations become notes of their own, right behind it."""
    for thing in things:
        yield thing
        if isinstance(thing, Named):
            for text in thing.observations:
                ref = f"about:{content_hash(thing.name)[:16]}:{content_hash(text)[:16]}"
                yield Item(text=text, ref=ref, subject=thing.name)
