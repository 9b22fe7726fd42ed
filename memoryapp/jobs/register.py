"""The kinds of jobs there are, each with the function that does it. A new kind is one line here and one file in
handlers/. Dotted names, so that a process that only queues jobs loads none of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.jobs.models import Job
from memoryapp.jobs.progress import JobProgress

Handler = Callable[[Job, JobProgress], dict[str, Any]]  # the returned dict is the job's report, small JSON

HANDLERS = {
    "ingest": "memoryapp.jobs.handlers.ingest.run",
    "embed": "memoryapp.jobs.handlers.embed.run",
    "read": "memoryapp.jobs.handlers.read.run",
    "narrate": "memoryapp.jobs.handlers.narrate.run",
    "summaries": "memoryapp.jobs.handlers.summaries.run",
    "expire": "memoryapp.jobs.handlers.expire.run",
    "consolidate": "memoryapp.jobs.handlers.consolidate.run",
    "graph": "memoryapp.jobs.handlers.graph.run",
    "layout": "memoryapp.jobs.handlers.layout.run",
    "golden": "memoryapp.jobs.handlers.golden.run",
    "heartbeat": "memoryapp.jobs.handlers.heartbeat.run",
    "import": "memoryapp.jobs.handlers.move_in.run",
    "backup": "memoryapp.jobs.handlers.backup.run",
    "restore": "memoryapp.jobs.handlers.restore.run",
    "chat-model": "memoryapp.jobs.handlers.chat_model.run",
    "encoder": "memoryapp.jobs.handlers.encoder.run",
    "demo": "memoryapp.jobs.handlers.demo.run",
}


def handler_of(kind: str) -> Handler:
    """Raises BadInput for a kind nobody knows."""
    if kind not in HANDLERS:
        raise BadInput(f"There are no jobs of kind “{kind}”. Known: {', '.join(HANDLERS)}.", field="/kind")
    module, _, name = HANDLERS[kind].rpartition(".")
    handler: Handler = getattr(import_module(module), name)
    return handler
