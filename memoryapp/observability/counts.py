"""What this process counts and times, for Prometheus: each number where it is made, all of them here. Labels come from
short fixed lists – arms, kinds of jobs, names of models – and never from ids, addresses or words."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    generate_latest,
    start_http_server,
)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds somebody waits
LONG = (0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1_800.0, 7_200.0)  # seconds a job takes

registry = CollectorRegistry()
ProcessCollector(registry=registry)  # process_resident_memory_bytes, process_cpu_seconds_total, process_open_fds

REQUESTS = Counter("palimpsest_requests", "API requests answered.", ("method", "route", "status"), registry=registry)
REQUEST_SECONDS = Histogram(
    "palimpsest_request_seconds",
    "Seconds from a request to its answer.",
    ("method", "route"),
    buckets=SHORT,
    registry=registry,
)
SEARCH_SECONDS = Histogram(
    "palimpsest_search_seconds",
    "Seconds of a search, by whether its answer was computed or recalled.",
    ("answer",),
    buckets=SHORT,
    registry=registry,
)
ARM_SECONDS = Histogram(
    "palimpsest_arm_seconds", "Seconds of one arm of a search.", ("arm",), buckets=SHORT, registry=registry
)
CACHE = Counter(
    "palimpsest_cache", "Looks into a cache, by outcome: hit, miss.", ("cache", "outcome"), registry=registry
)
JOB_SECONDS = Histogram(
    "palimpsest_job_seconds",
    "Seconds of one attempt at a job, by how it ended: done, failed, cancelled, queued (to be tried again).",
    ("kind", "outcome"),
    buckets=LONG,
    registry=registry,
)
STORE_SECONDS = Histogram(
    "palimpsest_store_seconds",
    "Seconds of a statement at the store, its retries included: read, write.",
    ("does",),
    buckets=SHORT,
    registry=registry,
)
STORE_TROUBLES = Counter(
    "palimpsest_store_troubles",
    "Statements that met a conflict and were tried again, were given up after many, or had no answer in time; "
    "connections and folders opened again: conflict, given_up, timeout, reopened.",
    ("what",),
    registry=registry,
)
EMBEDDED = Counter("palimpsest_embedded_texts", "Texts embedded.", ("model",), registry=registry)
EMBEDDING_SECONDS = Counter("palimpsest_embedding_seconds", "Seconds spent embedding.", ("model",), registry=registry)
LLM_CALLS = Counter(
    "palimpsest_llm_askings",
    "Askings of the chat model: ok, or the class of the failure.",
    ("outcome",),
    registry=registry,
)
LLM_TOKENS = Counter("palimpsest_llm_tokens", "Tokens, in and out.", ("direction",), registry=registry)
LLM_SECONDS = Counter("palimpsest_llm_seconds", "Seconds spent waiting for the chat model.", registry=registry)


def looked_up(cache: str, *, hit: bool) -> None:
    """Count one look into a cache."""
    CACHE.labels(cache, "hit" if hit else "miss").inc()


@contextmanager
def embedding(model: str, texts: int) -> Iterator[None]:
    """Times the embedding of so many texts; one that fails counts its seconds and no text."""
    began = time.perf_counter()
    try:
        yield
        EMBEDDED.labels(model).inc(texts)
    finally:
        EMBEDDING_SECONDS.labels(model).inc(time.perf_counter() - began)


def exposition() -> bytes:
    """All numbers in Prometheus' text format."""
    return generate_latest(registry)


def listen(address: str) -> None:
    """Serves this process's numbers at host:port, for a worker, which answers nothing else. Raises ValueError for what
    is no such address, OSError where something listens there."""
    host, _, port = address.rpartition(":")
    if not port.isdigit():
        raise ValueError(f"MEMORY_METRICS_LISTEN is host:port, and not {address!r}.")
    start_http_server(int(port), host.strip("[]") or "127.0.0.1", registry)
