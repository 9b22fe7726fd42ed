"""The kinds of jobs there are, each with the function that does it. A new kind is one line here and one
function in handlers/. Dotted names, so that a process that only queues jobs loads none of them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.jobs.models import Job
from memoryapp.jobs.progress import JobProgress

Handler = Callable[[Job, JobProgress], dict[str, Any]]  # the returned dict is the job's report, small JSON

HANDLERS = {
    "ingest": "memoryapp.jobs.handlers.ingest.run_ingest",
    "embed": "memoryapp.jobs.handlers.models.run_embed",
    "read": "memoryapp.jobs.handlers.sessions.run_read",
    "narrate": "memoryapp.jobs.handlers.sessions.run_narrate",
    "summaries": "memoryapp.jobs.handlers.sessions.run_summaries",
    "expire": "memoryapp.jobs.handlers.consolidate.run_expire",
    "consolidate": "memoryapp.jobs.handlers.consolidate.run_consolidate",
    "graph": "memoryapp.jobs.handlers.graph.run_graph",
    "layout": "memoryapp.jobs.handlers.graph.run_layout",
    "golden": "memoryapp.jobs.handlers.golden.run_golden",
    "heartbeat": "memoryapp.jobs.handlers.heartbeat.run_heartbeat",
    "import": "memoryapp.jobs.handlers.transfer.run_import",
    "backup": "memoryapp.jobs.handlers.transfer.run_backup",
    "restore": "memoryapp.jobs.handlers.transfer.run_restore",
    "chat-model": "memoryapp.jobs.handlers.models.run_chat_model",
    "encoder": "memoryapp.jobs.handlers.models.run_encoder",
    "demo": "memoryapp.jobs.handlers.ingest.run_demo",
}


def handler_of(kind: str) -> Handler:
    """Raises BadInput for a kind nobody knows."""
    if kind not in HANDLERS:
        raise BadInput(f"There are no jobs of kind “{kind}”. Known: {', '.join(HANDLERS)}.", field="/kind")
    module, _, name = HANDLERS[kind].rpartition(".")
    handler: Handler = getattr(import_module(module), name)
    return handler
