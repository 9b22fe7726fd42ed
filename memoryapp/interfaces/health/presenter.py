"""Is everything well? Store, index, encoder, queue and disk in plain words, with the way out beside each trouble.

One line of the health page.

Lines of the health page about what grows or ages unseen: the clock, the folder, the queue.

The line of the health page about backups: when the last good one was taken, its size and where it is, or what keeps
the next from being taken.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from memoryapp.accounts.models import Space as Row
from memoryapp.contradictions import pair_judge
from memoryapp.domain.errors import PalimpsestError
from memoryapp.extraction.entities import entity_judge
from memoryapp.interfaces.jobs.presenter import summary
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import Desk
from memoryapp.jobs.backups import folder_of
from memoryapp.jobs.heartbeat import Pulse, due_at, pulse
from memoryapp.jobs.models import OPEN, Job, Status
from memoryapp.jobs.reading import configured_chat_model, inference_problem, reader_of_pairs
from memoryapp.program import program_name
from memoryapp.spaces import Space
from memoryapp.spaces.languages import languages_of
from memoryapp.store import backup_folder, turns
from memoryapp.store.backup import LastBackup, last_backup
from memoryapp.store.database import ATTEMPTS, Database


@dataclass(frozen=True, slots=True)
class HealthLine:
    """`level`: ok, warn or bad (also the class that colours its sign). `fix` is what to do, `href` where."""

    name: str
    level: str
    told: str
    fix: str = ""
    href: str = ""


SLOW = 0.25  # seconds for the smallest question there is
_CLOCK_OFF = timedelta(minutes=5)
_EARLIEST = datetime(2025, 1, 1, tzinfo=UTC)  # before it this program was not
_LONG_QUEUE = timedelta(minutes=30)
_LARGE, _LARGE_EACH = 512 * 1024**2, 200 * 1024  # bytes of a folder, and for each memory in it


def answered_in(db: Database) -> float:
    """Seconds of the quickest of three answers: a moment's load is no slow store. Raises as `query` does."""
    quickest = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        db.query("RETURN 1")
        quickest = min(quickest, time.perf_counter() - began)
        if quickest < SLOW:
            break
    return quickest


def clock(space: Space) -> HealthLine:
    """What was written last must not lie ahead: trust, decay and what is due go by the clock."""
    now, roster = space.clock(), space.index.roster
    written = roster.created[roster.alive]
    newest = datetime.fromtimestamp(float(np.nanmax(written)), UTC) if written.size else now
    fix = "Set the clock of this machine (timedatectl set-ntp true): trust, decay and schedules depend on it."
    if now < _EARLIEST:
        return HealthLine("Clock", "bad", f"it says {human.day(now)}.", fix)
    if newest > now + _CLOCK_OFF:
        told = f"it says {human.moment(now)}, and the newest memory was written on {human.moment(newest)}."
        return HealthLine("Clock", "warn", told, fix)
    return HealthLine("Clock", "ok", human.moment(now))


def folder(space: Space, size: int) -> HealthLine:
    """`size`: bytes of the space's folder. The engine keeps what was overwritten until the folder is rewritten."""
    known = max(1, int(space.index.roster.alive.sum()))
    if size > _LARGE and size > _LARGE_EACH * known:
        told = f"{human.size(size)} for {human.count_text(known, 'memory', 'memories')}; most of it is old versions."
        fix = f"Stop the app and compact it: {program_name()} compact --space {space.name}"
        return HealthLine("Data folder", "warn", told, fix)
    return HealthLine("Data folder", "ok", human.size(size))


def long_queue(space: str) -> HealthLine | None:
    """None where no job waits too long."""
    since = timezone.now() - _LONG_QUEUE
    late = Job.objects.filter(space=space, status=Status.QUEUED, created_at__lt=since).order_by("created_at")
    oldest = late.first()
    if oldest is None:
        return None
    late_told = human.count_text(late.count(), "job")
    told = f"{late_told} waiting for a long time; the oldest was queued {human.ago(oldest.created_at)}."
    return HealthLine("Queue", "warn", told, "Start another worker, or see what is running", reverse("jobs"))


NAME = "Backup"
_WORTH_A_BACKUP = 100  # memories
_OLD_BACKUP = timedelta(days=30)
_LATE = timedelta(hours=1)  # after its time; the tick comes every minute


def backups(space: Space, row: Row) -> HealthLine:
    """Backups that were taken by schedule, page, API or command; copies made elsewhere are not seen."""
    try:
        last = last_taken(space, row.name)
    except PalimpsestError as error:
        return HealthLine(NAME, "bad", error.detail)
    beat = pulse(row, "backup")
    if beat.schedule.on:
        return _scheduled_backup_problem(row, beat, last) or HealthLine(
            NAME, "ok", _backup_text(last) if last else "none yet; the first is scheduled"
        )
    many = int(space.index.roster.held.sum()) >= _WORTH_A_BACKUP
    fix, where = "Schedule backups, or make one now.", reverse("settings-backups")
    if last is None:
        return HealthLine(NAME, "warn", "none yet.", fix, where) if many else HealthLine(NAME, "ok", "none yet")
    if many and timezone.now() - last.at > _OLD_BACKUP:
        return HealthLine(NAME, "warn", f"the latest was {_backup_text(last)}.", fix, where)
    return HealthLine(NAME, "ok", _backup_text(last))


def _scheduled_backup_problem(row: Row, beat: Pulse, last: LastBackup | None) -> HealthLine | None:
    """What is wrong with those by schedule; None where nothing is."""
    before = f"the last successful one was {_backup_text(last)}." if last else "there is no earlier one."
    if beat.failed and not beat.running:
        told = f"the one of {human.ago(beat.last_at)} failed. {beat.told} Currently, {before}"
        return HealthLine(NAME, "bad", told, "Fix that, then make one now", reverse("settings-backups"))
    if last is not None and last.place and not Path(last.place).is_file():
        told = f"the one {_backup_text(last)} no longer exists, and there is no other."
        return HealthLine(NAME, "bad", told, "Back up now", reverse("settings-backups"))
    due = due_at(row, "backup")
    if due is not None and due + _LATE < timezone.now() and not beat.running:
        told = f"one was due {human.ago(due)} and did not run; {before}"
        return HealthLine(
            NAME, "warn", told, "Check that the worker and its scheduler run, or make one now", reverse("jobs")
        )
    return None


def last_taken(space: Space, name: str) -> LastBackup | None:
    """The last there is: one that was removed from the folder since gives way to the newest that is left."""
    last = last_backup(space.db)
    if last is None or not last.place or Path(last.place).is_file():
        return last
    left = backup_folder.read_backups(folder_of(name), name)
    return LastBackup(left[0].made_at, left[0].size, str(left[0].path)) if left else last


def _backup_text(last: LastBackup) -> str:
    size = f", {human.size(last.size)}" if last.size else ""
    return f"made {human.ago(last.at)}{size}{f', {last.place}' if last.place else ''}"


_ROOM_WANTED = 1024**3  # bytes free below which a full disk is near
_SILENT_AFTER = timedelta(minutes=2)
_FAR_BEHIND = 500  # changes that searches do not know of yet; no more than 1,000 sets of them are counted
_OFTEN_LOST = 5  # times since the start that the store had to be opened again
_MANY_MET, _SHARE_MET = 100, 0.1  # writes that met others: fewer than that, or than this share, are nothing to look at


@dataclass(frozen=True, slots=True)
class Health:
    lines: list[HealthLine]

    @property
    def troubles(self) -> list[HealthLine]:
        return [line for line in self.lines if line.level != "ok"]

    @property
    def told(self) -> str:
        wrong = len(self.troubles)
        return (
            "all well"
            if not wrong
            else f"{human.in_words(wrong)} {'thing needs' if wrong == 1 else 'things need'} attention"
        )


def health_of(desk: Desk) -> Health:
    """Every line is asked on its own, so that one trouble does not hide another."""
    try:
        space = desk.memory
    except PalimpsestError as error:
        lines = [HealthLine("Store", "bad", f"{error.title}. {error.detail}")]
    else:
        lines = [
            _store(space),
            _writes(space),
            _index(space),
            _encoder(space),
            _languages(space),
            _model(space),
            _pair_model(space),
            _name_judge(),
            _turns(space),
            backups(space, desk.space),
            clock(space),
        ]
        if not settings.SERVER_MODE:
            lines.append(folder(space, folder_size(Path(settings.DATA_DIR) / "spaces" / space.name)))
    return Health([*lines, _queue(desk.space.name), _disk()])


def _store(space: Space) -> HealthLine:
    try:
        spent = answered_in(space.db)
    except PalimpsestError as error:
        return HealthLine("Store", "bad", f"{error.title}. {error.detail}")
    where = (
        "a server"
        if settings.SERVER_MODE
        else f"embedded, {human.size(folder_size(Path(settings.DATA_DIR) / 'spaces' / space.name))}"
    )
    if spent >= SLOW:
        fix = "Check the server and the network to it." if settings.SERVER_MODE else "Check the disk and its load."
        return HealthLine("Store", "warn", f"SurrealDB 3, {where}, took {spent:.1f} s to answer.", fix)
    again = space.db.reconnected
    if again < _OFTEN_LOST:
        since = f"; reopened {human.count_text(again, 'time')} since startup" if again else ""
        return HealthLine("Store", "ok", f"SurrealDB 3, {where}, answers{since}")
    told = f"SurrealDB 3, {where}, answers, but was reopened {human.count_text(again, 'time')} since startup."
    fix = "Check the server's log and the network to it." if settings.SERVER_MODE else "Check the disk."
    return HealthLine("Store", "warn", told, fix)


def _writes(space: Space) -> HealthLine:
    """What this process wrote of the space since it started. Writes that met are done again, and none is lost; where
    many meet, everybody waits longer."""
    db, name = space.db, "Write conflicts"
    if not db.conflicts_retried:
        return HealthLine(name, "ok", "none since startup")
    met = f"{human.count_text(db.conflicts_retried, 'conflicting write')} retried since startup"
    fewer = "Send facts in batches, or run fewer jobs at once."
    if db.conflicts_given_up:
        lost = human.count_text(db.conflicts_given_up, "write")
        one = db.conflicts_given_up == 1
        told = f"{met}. {lost} conflicted {ATTEMPTS} times in a row and {'was' if one else 'were'} rejected."
        return HealthLine(name, "warn", told, fewer)
    if db.conflicts_retried >= _MANY_MET and db.conflicts_retried > _SHARE_MET * db.written:
        return HealthLine(name, "warn", f"{met}, of {human.count_text(db.written, 'write')}. None was lost.", fewer)
    return HealthLine(name, "ok", f"{met}; none was lost")


def _index(space: Space) -> HealthLine:
    try:
        space.index.refresh()
        status = space.index.status()
    except PalimpsestError as error:
        return HealthLine("Search index", "bad", error.detail, "It is rebuilt at the next start.")
    missing = missing_vectors(space)
    if missing and space.encoder.ready:
        told = f"{human.count_text(missing, 'memory', 'memories')} without an embedding, found by keywords only"
        return HealthLine("Search index", "warn", told, "Embed", reverse("settings-health"))
    if status.behind > _FAR_BEHIND:
        told = f"{human.count_text(status.behind, 'change')} behind; the latest writes are not searchable yet."
        return HealthLine("Search index", "warn", told, "It catches up automatically; if it does not, restart the app.")
    behind = "current" if not status.behind else f"{human.count_text(status.behind, 'change')} behind"
    return HealthLine(
        "Search index",
        "ok",
        f"{behind}, {human.count_text(status.rows, 'memory', 'memories')}, {human.size(status.bytes)}",
    )


def missing_vectors(space: Space) -> int:
    """Memories that are held and have no embedding: only words find them."""
    roster = space.index.roster
    return int((roster.held & ~roster.has).sum())


def _encoder(space: Space) -> HealthLine:
    if space.encoder.error:
        return HealthLine("Encoder", "bad", f"{space.encoder.error} Search uses keywords only.")
    if not space.encoder.ready:
        return HealthLine("Encoder", "warn", f"{space.encoder.name} is loading; search uses keywords until then")
    return HealthLine("Encoder", "ok", f"{space.encoder.name}, {space.encoder.get(0).dimension} dimensions, ready")


def _languages(space: Space) -> HealthLine:
    try:
        found = languages_of(space)
    except PalimpsestError as error:
        return HealthLine("Languages", "bad", error.detail)
    if found.advice:
        return HealthLine("Languages", "warn", found.advice, "Switch", reverse("settings") + "#languages")
    told = ", ".join(f"{one.share:.0%} {one.name}" for one in found.shares)
    return HealthLine("Languages", "ok", told or "too little text to tell")


def _model(space: Space) -> HealthLine:
    """The chat model as it fared when it was last asked; nobody asks it for this."""
    model, wanted = configured_chat_model(), space.tuning.extractor
    if model is None:
        if wanted == "llm":
            told = "none configured, but this space requires one; rules are used instead"
            return HealthLine("Language model", "warn", told, "See the settings", reverse("settings"))
        return HealthLine("Language model", "ok", "none configured; rules extract and write")
    state = model.state()
    if state.status in ("failing", "down"):
        since = f", first {human.ago(state.since)}" if state.since else ""
        again = f", retried {human.ago(state.again_at)}" if state.again_at else ""
        told = f"{state.name} is {state.status}{since}{again}. {state.problem} Rules are used instead."
        return HealthLine("Language model", "bad" if state.status == "down" else "warn", told)
    fared = "answers" if state.status == "ok" else "not used since startup"
    spent = state.spent
    cost = f", {human.count_text(spent.calls, 'call')}, {human.number(spent.tokens_in + spent.tokens_out)} tokens"
    used = "" if wanted in ("auto", "llm") else "; this space does not use it"
    return HealthLine("Language model", "ok", f"{state.name} {fared}{cost if spent.calls else ''}{used}")


def _pair_model(space: Space) -> HealthLine:
    """What judges pairs of facts after the rules. Not loaded for this: it takes seconds, and a job loads it."""
    folder = settings.NLI_MODEL
    if not folder:
        if reader_of_pairs(space) is None:
            return HealthLine("Judge", "ok", "the rules alone judge pairs of facts")
        if why := pair_judge.problem():
            return HealthLine("Judge", "bad", f"{why} The rules alone judge pairs of facts.")
        return HealthLine("Judge", "ok", "reads facts together where the rules are not sure")
    problem = inference_problem()
    if not problem and not Path(folder).expanduser().is_dir():
        problem = f"MEMORY_NLI_MODEL names {folder}, which does not exist."
    if problem:
        return HealthLine("Inference model", "warn", f"{problem} The rules judge without it.")
    return HealthLine("Inference model", "ok", f"{Path(folder).name}, used where the rules are not certain")


def _name_judge() -> HealthLine:
    """What tells names from words in notes."""
    if why := entity_judge.problem():
        return HealthLine("Judge of names", "bad", f"{why} Only names that somebody stated become entities.")
    return HealthLine("Judge of names", "ok", "tells who and what notes name from other words")


def _turns(space: Space) -> HealthLine:
    try:
        waiting = turns.count_waiting(space.db)
    except PalimpsestError as error:
        return HealthLine("Transcripts", "bad", error.detail)
    if space.tuning.extractor == "off":
        return HealthLine(
            "Transcripts", "ok", "the extractor is off: turns are stored, but nothing is learned from them"
        )
    reading = Job.objects.filter(kind="read", space=space.name, status__in=OPEN).exists()
    if waiting and not reading:
        told = f"{human.count_text(waiting, 'turn')} {'waits' if waiting == 1 else 'wait'} to be processed"
        return HealthLine("Transcripts", "warn", f"{told}, but no job is queued; the next tick queues one")
    told = f"{human.count_text(waiting, 'turn')} to process, a job is running" if waiting else "processed"
    return HealthLine("Transcripts", "ok", told)


def upkeep(space: str) -> list[tuple[str, str]]:
    """When the space last kept itself up, and what came of it: (what, told)."""
    found = []
    for kind, name in (
        ("read", "turns processed"),
        ("summaries", "summaries written"),
        ("expire", "faded facts archived"),
    ):
        done = Job.objects.filter(kind=kind, space=space, status=Status.DONE).order_by("-finished_at")
        last = next((job for job in done[:20] if kind != "read" or (job.report or {}).get("turns")), None)
        found.append((name, f"{human.ago(last.finished_at)}: {summary(last)}" if last else "not yet"))
    return found


def _queue(space: str) -> HealthLine:
    now = timezone.now()
    running = Job.objects.filter(space=space, status=Status.RUNNING).count()
    waiting = Job.objects.filter(space=space, status=Status.QUEUED)
    stuck = (
        waiting.filter(created_at__lt=now - _SILENT_AFTER).exists()
        and not Job.objects.filter(status=Status.RUNNING, heartbeat_at__gte=now - _SILENT_AFTER).exists()
    )
    if stuck:
        return HealthLine("Queue", "bad", "jobs are waiting, but no worker is running", "See jobs", reverse("jobs"))
    if late := long_queue(space):
        return late
    failed = Job.objects.filter(space=space, status=Status.FAILED, finished_at__gte=now - timedelta(days=1)).count()
    if failed:
        return HealthLine(
            "Queue",
            "warn",
            f"{human.count_text(failed, 'job')} failed since yesterday.",
            "See details",
            f"{reverse('jobs')}?status=failed",
        )
    told = f"{human.count_text(running, 'job')} running, {human.number(waiting.count())} waiting" if running else "idle"
    return HealthLine("Queue", "ok", told)


def _disk() -> HealthLine:
    free = shutil.disk_usage(settings.DATA_DIR).free
    if free < _ROOM_WANTED:
        return HealthLine("Disk", "bad", f"only {human.size(free)} free.", "Free up space before you ingest.")
    return HealthLine("Disk", "ok", f"{human.size(free)} free")


def folder_size(folder: Path) -> int:
    """Bytes below a folder; a file that goes meanwhile counts nothing."""
    total = 0
    for file in folder.rglob("*"):
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:
            continue
    return total
