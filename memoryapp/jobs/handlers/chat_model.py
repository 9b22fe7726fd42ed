"""The job that tests the chat model that is set up."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.conf import settings

from memoryapp.domain.errors import BadInput, Cancelled
from memoryapp.extraction.facts.choose import NO_MODEL
from memoryapp.inference.llm import chat_model
from memoryapp.jobs.models import Job
from memoryapp.jobs.progress import JobProgress
from memoryapp.jobs.readers import tested


def run(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises BadInput where none is set up, Cancelled; what an earlier test found then stays."""
    model = chat_model(**settings.LLM)
    if model is None:
        raise BadInput(NO_MODEL)

    def advance(done: int, total: int) -> None:
        if progress.cancelled():
            raise Cancelled("Stopped. What an earlier test found stays.")
        progress.advance(done, total)

    fit = tested(model, advance=advance)
    return {**asdict(fit), "told": fit.told}
