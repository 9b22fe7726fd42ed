"""For Celery's own command line, in server mode: `celery -A memoryapp.celery worker --pool threads`, and one
`celery -A memoryapp.celery beat`. Embedded, jobs/worker.py runs both inside the app."""

from __future__ import annotations

import os
from typing import Any

import django
from celery.signals import worker_init, worker_shutdown, worker_shutting_down

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
django.setup()

from memoryapp.accounts.opening import close_spaces  # noqa: E402 - Django first, the tasks need its models
from memoryapp.jobs.queue import app  # noqa: E402
from memoryapp.jobs.run import STOPPING  # noqa: E402
from memoryapp.observability.counts import listen  # noqa: E402


@worker_init.connect
def tell_numbers(**_: Any) -> None:
    """A worker answers no requests: where it is told an address, Prometheus finds its numbers there."""
    if address := os.environ.get("MEMORY_METRICS_LISTEN", "").strip():
        listen(address)


@worker_shutting_down.connect
def stop_jobs(**_: Any) -> None:
    """Running jobs stop at their next step and wait in their rows for another worker."""
    STOPPING.set()


@worker_shutdown.connect
def put_away(**_: Any) -> None:
    close_spaces()


__all__ = ["app"]
