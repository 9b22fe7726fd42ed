"""The embedding job: fills in what has no vector by a model, then switches the space to that model."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from memoryapp.accounts.spaces import open_space, space_named
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.inference.embedding import load_encoder
from memoryapp.jobs.models import Job
from memoryapp.jobs.progress import JobProgress
from memoryapp.spaces.reembed import embed_missing


def run(job: Job, progress: JobProgress) -> dict[str, Any]:
    """`arguments`: {"model": name}. Raises ModelMissing, ModelUnreadable, Cancelled; the space then keeps its model."""
    space, row = open_space(job.space), space_named(job.space)
    model = str(job.arguments.get("model") or row.encoder)
    progress.say(f"loading {model}")
    same = model == space.encoder.name
    encoder = space.encoder.get(None) if same else load_encoder(model, models_dir=settings.MODELS_DIR)
    actor = Actor(ActorKind(job.created_by_kind), job.created_by)
    counts = embed_missing(space, encoder, model=model, progress=progress, actor=actor)
    if not same:
        row.encoder = model
        row.save(update_fields=["encoder"])
        # Written while we worked, still by the old model: few, and the space already answers with the new one.
        late = embed_missing(open_space(job.space), encoder, model=model, progress=progress, actor=actor)
        counts = {name: counts[name] + late[name] for name in counts}
    return {**counts, "model": model}
