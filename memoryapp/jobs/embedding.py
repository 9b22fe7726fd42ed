"""Embeddings made in the background: those that are missing, or all of them by another model."""

from __future__ import annotations

from memoryapp.accounts.encoders import check_encoder
from memoryapp.accounts.models import Space
from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput
from memoryapp.encoders import universal
from memoryapp.jobs.models import Job
from memoryapp.jobs.pipeline import submit


def submit_embedding(row: Space, *, model: str = "", actor: Actor) -> Job:
    """A job that makes what is missing. By another `model` than the space has, it then switches the space to it.
    Raises BadInput for a model that nobody may name, and for the packaged one where its extra is not installed."""
    if model and model != row.encoder:
        check_encoder(model)
        if model == universal.NAME and not universal.is_installed():
            raise BadInput(universal.NOT_INSTALLED, field="/encoder")
    return submit("embed", space=row.name, arguments={"model": model or row.encoder}, actor=actor, subject="encoder")
