"""How Palimpsest is set up, and the machine it runs on: browser files, folders that may be read, models, the database,
the broker, the port; Python, packages, clock, disk, the data folder and whose it is.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import shutil
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from kombu import Connection
from packaging.version import InvalidVersion, Version

from memoryapp.domain.errors import Clash, EncoderError, LlmError
from memoryapp.management.doctor.finding import Finding, Level
from memoryapp.management.running import told_in
from memoryapp.management.serve import bind
from memoryapp.program import DISTRIBUTION, program_name, repair_words

_CHAT_PATIENCE = 20.0  # seconds for one word of the chat model
_BROKER_PATIENCE = 3.0
_BROWSER_FILES = ("graphology.js", "sigma.js")
_ROOM_WANTED = 1024**3  # bytes
_ROOM_NEEDED = 64 * 1024**2  # bytes without which nothing can be written any more
_CLOCK_OFF = 300.0  # seconds by which something may seem to have been written in the future
_EARLIEST = 1_735_689_600.0  # 2025-01-01: before it this program was not
_LOOKED_AT = 2_000  # files of a large folder
_PINNED = re.compile(r"([\w.-]+)(?:\[[^\]]*\])?==([\w.+!-]+)\s*$")


def browser_files() -> Iterator[Finding]:
    vendor = Path(settings.BASE_DIR) / "static" / "vendor"
    lost = [name for name in _BROWSER_FILES if not (vendor / name).is_file()]
    if lost:
        told = f"{', '.join(lost)} not built; pages work without, but for the graph"
        yield Finding("Browser files", "warn", told, f"Reach the npm registry, then: {repair_words()}")
    else:
        yield Finding("Browser files", "ok", "built; neither Node nor Chromium is needed to run")


def ingest_folders() -> Iterator[Finding]:
    roots = [Path(root) for root in settings.INGEST_ROOTS[2:]]  # the first two are the example's own
    lost = [str(root) for root in roots if not root.is_dir()]
    if lost:
        yield Finding("Ingest folders", "warn", f"not there: {', '.join(lost)}", "Correct MEMORY_INGEST_ROOTS.")
    elif not roots:
        yield Finding("Ingest folders", "warn", "none may be read", "Set MEMORY_INGEST_ROOTS; uploads work without.")
    else:
        yield Finding("Ingest folders", "ok", ", ".join(map(str, roots)))


def people_database() -> Iterator[Finding]:
    """There, and as the program's tables are."""
    executor = MigrationExecutor(connection)
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if pending and connection.introspection.table_names():
        told = f"{len(pending)} migrations of its tables are pending"
        yield Finding(
            "Database", "warn", told, f"They are applied at the next start; at once by: {program_name()} migrate"
        )
    else:
        yield Finding("Database", "ok", "new, made at the first start" if pending else connection.vendor)


def broker() -> Iterator[Finding]:
    url = settings.CELERY_BROKER_URL
    if url.startswith("memory:"):
        yield Finding("Broker", "ok", "in this process: no Redis is needed")
        return
    where = urlsplit(url)
    shown = f"{where.scheme}://{where.hostname}:{where.port}"  # without its password
    try:
        with contextlib.closing(Connection(url, connect_timeout=_BROKER_PATIENCE)) as asked:
            asked.ensure_connection(max_retries=1, timeout=_BROKER_PATIENCE)
    except Exception as error:  # noqa: BLE001 - each transport has errors of its own
        told = f"{shown} does not answer: {error}. Jobs wait until it does"
        yield Finding("Broker", "bad", told, "Start Redis, or correct CELERY_BROKER_URL.")
    else:
        yield Finding("Broker", "ok", f"{shown} answers")


def port(host: str, number: int) -> Iterator[Finding]:
    """Whether the app could listen there, or does."""
    told = told_in(settings.DATA_DIR)
    if told is not None and urlsplit(told.url).port == number:
        yield Finding("Port", "ok", f"{number} is this app's own")
        return
    try:
        bind(host, number).close()
    except Clash as error:
        yield Finding(
            "Port", "warn", error.detail, f"{program_name()} up --port {number + 1}, or stop what listens there."
        )
    else:
        yield Finding("Port", "ok", f"{number} is free")


def chat_model(*, whole: bool = False) -> Iterator[Finding]:
    """Asked one small question, since that it is there does not say that it answers; then, where it was never tested
    or `whole` is asked for, about known turns."""
    from memoryapp.inference.llm import chat_model, write
    from memoryapp.jobs.reading import kept_fitness, measure_fitness

    patience = min(float(str(settings.LLM["timeout"])), _CHAT_PATIENCE)
    asked = chat_model(**{**settings.LLM, "timeout": patience})
    model = chat_model(**settings.LLM)
    if asked is None or model is None:
        yield Finding("Chat model", "ok", "none set up; rules do the reading (see MEMORY_LLM_URL)")
        return
    try:
        _, cost = write(asked, "Answer with the one word yes.", "Are you there?", max_tokens=64)
    except LlmError as error:
        yield Finding("Chat model", "warn", error.detail, "Until it answers, the local rules do its work.")
        return
    yield Finding("Chat model", "ok", f"{model.endpoint.label} answers in {cost.seconds:.1f} s")
    fit = kept_fitness(model)
    if whole or fit is None:
        fit = measure_fitness(model)
    fix = "" if fit.may_reword and not fit.problem else "The rules' wording stays. A larger model does better."
    yield Finding("Chat model's work", "warn" if fix else "ok", fit.told, fix)


def judge_model() -> Iterator[Finding]:
    """Loaded, and asked about one pair."""
    from memoryapp.contradictions.pair_judge import JUDGE
    from memoryapp.inference.reranking.cross_encoder import load_cross_encoder

    try:
        model = load_cross_encoder(JUDGE)
        since = time.monotonic()
        model.logits([("The office is open.", "The office is closed.")])
    except EncoderError as error:
        yield Finding("Judge", "warn", error.detail, "Until then the rules alone judge pairs of facts.")
    else:
        yield Finding("Judge", "ok", f"reads two facts together in {time.monotonic() - since:.2f} s")


def name_judge() -> Iterator[Finding]:
    """Loaded, and asked about one sentence."""
    from memoryapp.extraction.entities.entity_judge import entity_judge, problem

    judge = entity_judge()
    if judge is None:
        why = problem() or "The judge of names does not load."
        yield Finding("Judge of names", "warn", why, "Until then only names that somebody stated become entities.")
    else:
        since = time.monotonic()
        judge.names("Maria moved from Lisbon to Oslo.")
        yield Finding("Judge of names", "ok", f"reads a sentence in {(time.monotonic() - since) * 1000:.0f} ms")


def pair_model() -> Iterator[Finding]:
    """Loaded, and asked about one pair: that its folder is there does not say that it is such a model."""
    from memoryapp.inference.reranking.pairs import load_pair_judge

    if not settings.NLI_MODEL:
        yield Finding("Inference model", "ok", "none set up; rules judge pairs of facts (see MEMORY_NLI_MODEL)")
        return
    try:
        model = load_pair_judge(settings.NLI_MODEL)
        since = time.monotonic()
        model.probabilities([("The office is open.", "The office is closed.")])
    except EncoderError as error:
        yield Finding("Inference model", "warn", error.detail, "Until it loads, the rules judge without it.")
    else:
        yield Finding("Inference model", "ok", f"{model.name} judges a pair in {time.monotonic() - since:.1f} s")


def python() -> Iterator[Finding]:
    told = f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}"
    level: Level = "ok" if sys.version_info >= (3, 11) else "bad"
    yield Finding("Python", level, told, "" if level == "ok" else f"Install 3.11 or newer, then: {repair_words()}")


def packages() -> Iterator[Finding]:
    """Those that must be one exact version: the store's SDK and its engine above all."""
    try:
        wanted = [found.groups() for line in requires(DISTRIBUTION) or () if (found := _PINNED.match(line))]
    except PackageNotFoundError:
        yield Finding("Packages", "warn", "Palimpsest itself is not installed here", repair_words())
        return
    off = [
        f"{name} {_version(name) or 'missing'} instead of {pin}" for name, pin in wanted if not _is_installed(name, pin)
    ]
    if off:
        yield Finding("Packages", "bad", ", ".join(off), repair_words())
    else:
        yield Finding("Packages", "ok", f"{len(wanted)} pinned ones as they are pinned")


def _is_installed(name: str, pin: str) -> bool:
    """Whether it is here in this version, however that is spelled ("3.0.0-beta.10" is 3.0.0b10)."""
    try:
        return Version(_version(name) or "").public == Version(pin).public
    except InvalidVersion:
        return False


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def clock() -> Iterator[Finding]:
    now = time.time()
    newest = max((file.stat().st_mtime for file in _files(Path(settings.DATA_DIR))), default=0.0)
    fix = "Set the clock (timedatectl set-ntp true): trust, decay and what is due go by it."
    if now < _EARLIEST:
        yield Finding("Clock", "bad", f"it says {datetime.fromtimestamp(now):%Y-%m-%d}", fix)
    elif newest > now + _CLOCK_OFF:
        told = f"{datetime.fromtimestamp(now):%Y-%m-%d %H:%M}, and something here was written at "
        yield Finding("Clock", "warn", f"{told}{datetime.fromtimestamp(newest):%Y-%m-%d %H:%M}", fix)
    else:
        yield Finding("Clock", "ok", f"{datetime.fromtimestamp(now).astimezone():%Y-%m-%d %H:%M %Z}")


def data_folder() -> Iterator[Finding]:
    folder = Path(settings.DATA_DIR)
    stat = folder.stat()
    mine = f"sudo chown -R {os.geteuid()}:{os.getegid()} {folder}"
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield Finding("Data folder", "bad", f"{folder} cannot be written", f"{mine}, or name another: --data")
        return
    foreign = next((file for file in _files(folder) if not os.access(file, os.R_OK | os.W_OK)), None)
    if foreign is not None:
        yield Finding("Data folder", "bad", f"{foreign} cannot be written: it belongs to somebody else", mine)
    elif stat.st_uid != os.geteuid():
        told = f"{folder} belongs to user {stat.st_uid}; what is written now will be user {os.geteuid()}'s"
        yield Finding("Data folder", "warn", told, f"Run it as that user, or: {mine}")
    elif stat.st_mode & 0o077:
        told = f"{folder}, and others on this machine may read it"
        yield Finding("Data folder", "warn", told, f"chmod 700 {folder}")
    else:
        yield Finding("Data folder", "ok", str(folder))


def _files(folder: Path) -> list[Path]:
    """Some of its files, as they come: of a large folder enough to see whose it is."""
    found = (Path(above) / name for above, _, names in os.walk(folder) for name in names)
    return [file for file in islice(found, _LOOKED_AT) if file.exists() and not file.is_symlink()]


def disk() -> Iterator[Finding]:
    free = shutil.disk_usage(settings.DATA_DIR).free
    told = f"{free / 1024**3:.1f} GB free"
    if free < _ROOM_NEEDED:
        yield Finding("Disk", "bad", f"full: {free / 1024**2:.0f} MB free", "Make room; nothing can be written.")
    elif free < _ROOM_WANTED:
        yield Finding(
            "Disk", "warn", f"only {told}", f"Make room before you ingest, or compact: {program_name()} compact"
        )
    else:
        yield Finding("Disk", "ok", told)
