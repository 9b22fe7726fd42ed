"""Things from a file into a space that may hold others: memories through remember, conversations as sessions, names and
relations into the graph. Each thing goes by its ref, so that the same file again changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from typing import Protocol

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.cleaning import clean, clean_name
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, Cancelled, NotFound
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import BELIEFS, State
from memoryapp.domain.progress import Progress
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.turn import NewTurn
from memoryapp.remember import RULES, Judges, append_turns
from memoryapp.remember.check import check
from memoryapp.remember.judging import settle
from memoryapp.remember.match import MatchResult, match
from memoryapp.remember.pipeline import write
from memoryapp.spaces import Space, embed
from memoryapp.store import revisions, sessions, turns
from memoryapp.store.sessions import Session
from memoryapp.transfer.entries import Brought, Conversation, ImportedEntity, Item, Link, SkippedEntry
from memoryapp.transfer.graph_import import Joining
from memoryapp.transfer.report import Report


@dataclass(slots=True)
class Writing:
    """Memories on their way into remember, so many at a time; what one of them lacks keeps no other out."""

    space: Space
    run: Run
    judges: Judges
    report: Report
    dry_run: bool
    wrote: bool = False
    stayed_out: int = 0  # known by their ref, and not held any more
    _waiting: dict[str, NewMemory] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._waiting)

    def take(self, thing: Item | NewMemory) -> None:
        """Checks it now, so that a bad one is named by where it stood. Of two with one ref the later counts."""
        item = thing if isinstance(thing, NewMemory) else _as_new(thing)
        where = (thing.source if isinstance(thing, Item) else "") or item.ref or "a memory"
        try:
            (checked,) = check([item])
        except BadInput as error:
            self.report.skip(SkippedEntry(where, error.detail))
            return
        if checked.ref is None:
            self.report.skip(SkippedEntry(where, "It has no id of its own, by which it could be known again."))
            return
        self._waiting[checked.ref] = checked

    def flush(self) -> None:
        items = list(self._waiting.values())
        self._waiting.clear()
        if not items:
            return
        matched = self._rehearsed(items) if self.dry_run else write(self.space, items, run=self.run, judges=self.judges)
        for one in matched:
            self.report.became(one.outcome)
            self.wrote = self.wrote or (not self.dry_run and one.outcome is not Became.UNCHANGED)
            self.stayed_out += one.outcome is Became.UNCHANGED and one.after.state is not State.HELD

    def _rehearsed(self, items: Sequence[NewMemory]) -> list[MatchResult]:
        """What would become of them. Each is compared with what is held, not with what comes in before it."""
        now = self.space.clock()
        matched = match(self.space.db, items, now=now)
        compared = [one.after for one in matched if one.rewritten and one.item.kind in BELIEFS]
        vectors = {one.memory: one.vector for one in embed(self.space, compared)}
        return settle(self.space, matched, vectors=vectors, now=now, judges=self.judges)


def _as_new(item: Item) -> NewMemory:
    return NewMemory(
        text=item.text,
        title=item.title,
        kind=item.kind,
        ref=item.ref or None,
        occurred_at=item.occurred_at,
        tags=item.tags,
        category=item.category,
        confidence=item.confidence,
        entities=(item.subject,) if item.subject else (),
    )


_NAME_CHARS = 300  # of a ref or a speaker
_OVER_AFTER = timedelta(days=1)  # without a word a conversation is over


def say(space: Space, told: Conversation, *, actor: Actor, report: Report, dry_run: bool) -> None:
    """Makes a session of a conversation from elsewhere.

    Keeps the turns that are not known yet, and ends a session that has been silent for a day, so that it is told as an
    episode. A conversation that went on after that goes on in a second session."""
    try:
        name = clean_name(told.session_ref, field="/session")
    except BadInput as error:
        report.skip(SkippedEntry(told.session_ref[:60], error.detail))
        return
    rest = _usable_turns(told, report)
    if not name or not rest:
        report.skip(SkippedEntry(told.title or told.session_ref, "Nothing was said in it that can be kept."))
        return
    for part in count(1):
        session = name if part == 1 else f"{name} ({part})"
        known = _existing_refs(space, session, rest)
        report.unchanged += len(known)
        rest = [turn for turn in rest if turn.ref not in known]
        if not rest:
            return
        opened = _find(space, session)
        if opened is None or opened.ended_at is None:
            report.turns += len(rest)
            report.sessions += opened is None
            if not dry_run:
                _append(space, told, session, rest, actor=actor)
            return


def _append(space: Space, told: Conversation, session: str, rest: Sequence[NewTurn], *, actor: Actor) -> None:
    began = told.at or rest[0].at
    opened = Session(
        name=session,
        started_at=as_utc(began) if began else space.clock(),
        agent=actor.name,
        metadata={"title": told.title} if told.title else {},
    )
    sessions.open_session(space.db, opened)
    for start in range(0, len(rest), LIMITS.turns):
        append_turns(space, session, rest[start : start + LIMITS.turns], actor=actor)
    last = max((as_utc(turn.at) for turn in rest if turn.at), default=None)
    if last is not None and last + _OVER_AFTER < space.clock():
        sessions.end(space.db, session, at=last)


def _usable_turns(told: Conversation, report: Report) -> list[NewTurn]:
    """Each ref once; without what no session can keep, which is told."""
    found: dict[str, NewTurn] = {}
    for number, turn in enumerate(told.turns, start=1):
        where = f"{told.title or told.session_ref}, turn {number}"
        text = clean(turn.text).strip()
        if not text:
            report.skip(SkippedEntry(where, "It has no words."))
        elif len(text) > LIMITS.turn_chars:
            limit = f"{LIMITS.turn_chars:,}"
            report.skip(SkippedEntry(where, f"It has {len(text):,} characters; one turn may have {limit}."))
        else:
            ref = _line(turn.ref) or f"turn {number}"
            found.setdefault(ref, replace(turn, text=text, ref=ref, speaker=_line(turn.speaker) or None))
    return list(found.values())


def _line(name: str | None) -> str:
    return " ".join(clean(name or "").split())[:_NAME_CHARS]


def _existing_refs(space: Space, session: str, said: Sequence[NewTurn]) -> set[str]:
    """Refs of those that this session has already."""
    by_id = {derived_id("turn", session, turn.ref): turn.ref for turn in said if turn.ref}
    return {by_id[key] for key in turns.get_many(space.db, list(by_id))}


def _find(space: Space, session: str) -> Session | None:
    try:
        return sessions.get(space.db, session)
    except NotFound:
        return None


_AT_ONCE = 100  # memories, or entities and relations, that are written together; a kill loses at most so many

Thing = Brought | NewMemory


class ImportProgress(Progress, Protocol):
    def line(self, path: str, outcome: str, *, note: str = "") -> None: ...


def bring_in(
    space: Space,
    things: Iterable[Thing],
    *,
    form: str,
    run: Run,
    actor: Actor,
    progress: ImportProgress,
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
        for thing in _flatten_things(things):
            if isinstance(thing, SkippedEntry):
                report.skip(thing)
            elif isinstance(thing, Conversation):
                say(space, thing, actor=actor, report=report, dry_run=dry_run)
            elif isinstance(thing, ImportedEntity | Link):
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


def _tell(report: Report, progress: ImportProgress) -> None:
    """A line of the job's log for each thing that was skipped."""
    for one in report.fresh:
        progress.line(one.where, "skipped", note=one.why)
    report.fresh.clear()


def _flatten_things(
    things: Iterable[Thing],
) -> Iterator[Conversation | Item | NewMemory | Link | ImportedEntity | SkippedEntry]:
    """An entity's observations become notes of their own, right behind it."""
    for thing in things:
        yield thing
        if isinstance(thing, ImportedEntity):
            for text in thing.observations:
                ref = f"about:{content_hash(thing.name)[:16]}:{content_hash(text)[:16]}"
                yield Item(text=text, ref=ref, subject=thing.name)
