"""Turns that wait are read: session by session, in the order in which they were said, each chunk's facts and readings
written together, so that whoever ends the process in between loses nothing and doubles nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Cancelled, Clash, PalimpsestError, Stale, StoreError
from memoryapp.domain.fact import Cost, Extraction
from memoryapp.domain.progress import Progress
from memoryapp.domain.remembering import Became
from memoryapp.domain.turn import Reading, ReadingStatus, Turn
from memoryapp.remember.judging import RULES, Judges
from memoryapp.remember.learn import exclude, lesson_of, readings_of, said_of
from memoryapp.remember.match import MatchResult
from memoryapp.remember.pipeline import AlreadyRead, lock_names, write
from memoryapp.remember.turns import READABLE
from memoryapp.spaces import Space
from memoryapp.store import revisions, turns
from memoryapp.store.write import new_run

if TYPE_CHECKING:
    from memoryapp.extraction.facts.choose import Reader

CHUNK = 32  # turns of one session that are read and written together
BEFORE = 6  # turns before them that the reader is shown
TRIES = 3
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ReadReport:
    """What one draining did. `facts`: newly written, those in conflict among them; `given_up`: turns that nobody could
    read; `asked`: facts that a model was asked to put into plainer words, `reworded` those whose words were taken;
    `problem`: the last reason why another extractor than the configured one read, or none could. `run` is None
    where nothing was learned."""

    turns: int = 0
    facts: int = 0
    reinforced: int = 0
    conflicts: int = 0
    passed_over: int = 0
    given_up: int = 0
    skipped: int = 0
    asked: int = 0
    reworded: int = 0
    extractor: str = ""
    problem: str = ""
    cost: Cost = field(default_factory=Cost)
    run: str | None = None


def read_turns(
    space: Space,
    *,
    reader: Reader,
    actor: Actor,
    session: str | None = None,
    progress: Progress | None = None,
    judges: Judges = RULES,
) -> ReadReport:
    """Reads every turn that waits (of one session) until none does. A turn that fails TRIES times is given up with its
    problem, and the others go on. Raises Cancelled and StoreError; what is read stays read."""
    drain = _Drain(
        space, reader, judges, new_run("extract", actor, now=space.clock(), detail={"extractor": reader.name})
    )
    try:
        while waiting := _queues(space, session):
            while waiting:
                name, keys = waiting.popleft()
                if progress is not None and progress.cancelled():
                    raise Cancelled("Stopped. What is read stays; the other turns wait.")
                drain.take(name, [keys.popleft() for _ in range(min(CHUNK, len(keys)))])
                if keys:
                    waiting.append((name, keys))  # the other sessions first: a short one does not wait for a long one
                if progress is not None:
                    left = sum(len(rest) for _, rest in waiting)
                    progress.advance(drain.done, drain.done + left, drain.counts())
    finally:
        drain.close()
    return drain.report


def _queues(space: Space, session: str | None) -> deque[tuple[str, deque[str]]]:
    """The turns that wait by session, the session first whose turns were said first."""
    names = turns.sessions_waiting(space.db) if session is None else (session,)
    found = [(name, deque(turns.waiting_in(space.db, name))) for name in names]
    waiting = [(name, keys) for name, keys in found if keys]
    first = turns.get_many(space.db, [keys[0] for _, keys in waiting])
    said = {name: first[keys[0]].at for name, keys in waiting if keys[0] in first}
    return deque(sorted(waiting, key=lambda one: (said.get(one[0], _LAST), one[0])))


@dataclass(slots=True)
class _Drain:
    space: Space
    reader: Reader
    judges: Judges
    run: Run
    report: ReadReport = field(default_factory=ReadReport)
    done: int = 0

    def take(self, session: str, keys: Sequence[str]) -> None:
        """Reads these turns of one session, unless somebody else has by now."""
        with lock_names(f"{self.space.db.url} {self.space.name}", [f"\x1freading {session}"]):
            for _ in keys:  # each time at least one of them is found to be read already
                readings = turns.readings(self.space.db, keys)
                mine = [key for key in keys if key in readings and readings[key].status is ReadingStatus.WAITING]
                found = turns.get_many(self.space.db, mine)
                chunk = [found[key] for key in mine if key in found]
                try:
                    if chunk:
                        self._take(chunk, readings)
                    break
                except AlreadyRead:  # by another process, some of them or all
                    continue
        self.done += len(keys)

    def _take(self, chunk: Sequence[Turn], readings: dict[str, Reading]) -> None:
        if self.space.tuning.extractor == "off":  # switched off since they came
            self._save([replace(readings[t.id], status=ReadingStatus.SKIPPED, at=self.space.clock()) for t in chunk])
            self._count(skipped=len(chunk))
            return
        try:
            self._learn(chunk, readings)
        except (Cancelled, StoreError, Stale, Clash):
            raise  # of no turn's making
        except Exception as error:  # noqa: BLE001 - of a rule or a model, and kept in the turn's reading
            if len(chunk) == 1:
                self._failed(readings[chunk[0].id], error)
                return
            for turn in chunk:  # one of them is at fault: the others must not suffer for it
                self._take([turn], readings)

    def _learn(self, chunk: Sequence[Turn], readings: dict[str, Reading]) -> None:
        space, names = self.space, turns.speakers(self.space.db, chunk[0].session)
        before = [t for t in turns.before(space.db, chunk[0], count=BEFORE) if t.role in READABLE]
        read = self.reader.read(
            [said_of(turn, speakers=names) for turn in chunk],
            before=[said_of(turn, speakers=names) for turn in before],
        )
        read = exclude(space, read, speakers=[turn.speaker for turn in chunk], session=chunk[0].session)
        lesson = lesson_of(space, chunk, read)
        spent = sum((one.cost for one in read), Cost())
        run = self.run.id if lesson.items or spent.calls else None

        def told(matched: Sequence[MatchResult]) -> list[Reading]:
            return readings_of(chunk, read, matched, lesson=lesson, earlier=readings, run=run, now=space.clock())

        if not lesson.items:
            self._save(told([]))
            matched: list[MatchResult] = []
        else:
            given = {key: frozenset(one.memory for one in reading.learned) for key, reading in readings.items()}
            waited = {turn.id: readings[turn.id] for turn in chunk}
            matched = write(
                space, lesson.items, run=self.run, judges=self.judges, given=given, readings=told, waited=waited
            )
        self._count_learned(read, matched, lesson.left, run)

    def _failed(self, reading: Reading, error: Exception) -> None:
        problem = error.detail if isinstance(error, PalimpsestError) else f"Unexpected {type(error).__name__}: {error}"
        tries = reading.tries + 1
        status = ReadingStatus.FAILED if tries >= TRIES else ReadingStatus.WAITING
        self._save([replace(reading, status=status, tries=tries, problem=problem[:1000], at=self.space.clock())])
        self.report = replace(self.report, problem=problem)
        self._count(given_up=int(status is ReadingStatus.FAILED))

    def _save(self, readings: Sequence[Reading]) -> None:
        turns.save_where_waiting(self.space.db, readings)

    def _count_learned(
        self, read: Sequence[Extraction], matched: Sequence[MatchResult], left: dict[str, int], run: str | None
    ) -> None:
        outcomes = [one.outcome for one in matched]
        self._count(
            turns=len(read),
            facts=sum(one in (Became.WRITTEN, Became.CONFLICT) for one in outcomes),
            reinforced=outcomes.count(Became.REINFORCED),
            conflicts=sum(len(one.conflicts) for one in matched),
            passed_over=sum(len(one.passed_over) for one in read) + sum(left.values()),
            asked=sum(one.asked for one in read),
            reworded=sum(one.reworded for one in read),
        )
        self.report = replace(
            self.report,
            extractor=read[-1].extractor,
            problem=next((one.problem for one in reversed(read) if one.problem), self.report.problem),
            cost=sum((one.cost for one in read), self.report.cost),
            run=run or self.report.run,
        )

    def _count(self, **more: int) -> None:
        self.report = replace(self.report, **{name: getattr(self.report, name) + n for name, n in more.items()})

    def counts(self) -> dict[str, Any]:
        """Of the report, what a job's page shows while it runs."""
        return {name: value for name, value in asdict(self.report).items() if name not in ("cost", "run")}

    def close(self) -> None:
        """Writes down in the run what it did and what that cost, where there is a run."""
        self.report = replace(self.report, cost=sum(self.judges.spent, self.report.cost))
        if self.report.run is not None:
            detail = self.counts() | {"cost": asdict(self.report.cost)}
            revisions.finish_run(self.space.db, self.run, at=self.space.clock(), detail=detail)
