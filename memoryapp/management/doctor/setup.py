"""How it is set up: browser files, folders that may be read, models, the database, the broker, the port."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from kombu import Connection

from memoryapp.domain.errors import Clash, EncoderError, LlmError
from memoryapp.management.doctor.finding import Finding
from memoryapp.management.running import told_in
from memoryapp.management.serve import bind
from memoryapp.program import program_name, repair_words

_CHAT_PATIENCE = 20.0  # seconds for one word of the chat model
_BROKER_PATIENCE = 3.0
_BROWSER_FILES = ("graphology.js", "sigma.js")


def browser_files() -> Iterator[Finding]:
    vendor = Path(settings.BASE_DIR) / "static" / "vendor"
    lost = [name for name in _BROWSER_FILES if not (vendor / name).is_file()]
    if lost:
        told = f"{', '.join(lost)} not built; pages work without, but for the graph"
        yield Finding("Browser files", "warn", told, f"Reach the npm registry, then: {repair_words()}")
    else:
        yield Finding("Browser files", "ok", "built; neither Node nor Chromium is needed to run")


def ingest_folders() -> Iterator[Finding]:
    roots = [Path(root) for root in settings.INGEST_ROOTS[1:]]  # the first is the example's own
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
    except Exception as error:  # each transport has errors of its own
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
    from memoryapp.jobs.readers import kept_fitness, tested

    patience = min(settings.LLM["timeout"], _CHAT_PATIENCE)
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
        fit = tested(model)
    fix = "" if fit.may_reword and not fit.problem else "The rules' wording stays. A larger model does better."
    yield Finding("Chat model's work", "warn" if fix else "ok", fit.told, fix)


def reader_model() -> Iterator[Finding]:
    """Loaded, and asked about one pair."""
    from memoryapp.inference.reranking.reranker import PACKAGED, load_reranker

    try:
        model = load_reranker(PACKAGED)
        since = time.monotonic()
        model.logits("Is the office open?", ["The office is open."])
    except EncoderError as error:
        told = "Until then results are found without it, and the sentence that answers is not marked."
        yield Finding("Reader", "warn", error.detail, told)
    else:
        yield Finding("Reader", "ok", f"reads a question beside a text in {time.monotonic() - since:.2f} s")


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
