"""The summaries job: category summaries that no longer tell what is held are written anew."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from memoryapp.accounts.spaces import open_space
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.memory import Category
from memoryapp.inference.llm import chat_model
from memoryapp.jobs.models import Job
from memoryapp.jobs.narration import clear_old
from memoryapp.jobs.progress import JobProgress
from memoryapp.store import revisions
from memoryapp.summaries import refresh_summaries


def run(job: Job, progress: JobProgress) -> dict[str, Any]:
    """`arguments`: {"categories"?: names, none for all, "force"?}."""
    clear_old("summaries", job.space)
    space = open_space(job.space)
    named = [Category(name) for name in job.arguments.get("categories") or ()]
    made = refresh_summaries(
        space,
        model=chat_model(**settings.LLM),
        actor=Actor(ActorKind(job.created_by_kind), job.created_by),
        categories=named or None,
        force=bool(job.arguments.get("force")),
    )
    if made:
        progress.belongs_to(revisions.of_record(space.db, made[0].id)[-1].run)
        space.index.refresh()  # here, and not in the first search after it
    return {
        "written": [memory.category.value for memory in made if memory.category],
        "by": ", ".join(sorted({str(memory.detail.get("by", "")) for memory in made})),
        "problem": " ".join(sorted({str(memory.detail.get("problem", "")) for memory in made} - {""})),
    }
