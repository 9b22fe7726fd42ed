"""The job that tests the encoder of a space."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from memoryapp.accounts.spaces import open_space
from memoryapp.domain.errors import Cancelled
from memoryapp.inference.embedding.trial import trial_of
from memoryapp.jobs.encoder_trial import EncoderTrial
from memoryapp.jobs.models import Job
from memoryapp.jobs.progress import JobProgress


def run(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises ModelMissing, ModelUnreadable, EncodingFailed, Cancelled; an earlier result then stays."""
    slot = open_space(job.space).encoder
    progress.say(f"loading {slot.name}")
    encoder = slot.get(None)

    def advance(done: int, total: int) -> None:
        if progress.cancelled():
            raise Cancelled("Stopped. An earlier result stays.")
        progress.advance(done, total)

    trial = trial_of(encoder, advance=advance)
    found = EncoderTrial(
        model=slot.name,
        dimension=encoder.dimension,
        max_tokens=encoder.max_tokens,
        languages=sorted(encoder.languages),
        texts_a_second=round(trial.texts_a_second, 1),
        query_ms=round(1_000 * trial.query_seconds, 1),
    )
    return {**asdict(found), "told": found.told}
