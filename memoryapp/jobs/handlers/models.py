"""Jobs about models: vectors by an embedding model for what has none, and tests of the encoder of a space and of the
chat model that is set up.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.conf import settings

from memoryapp.accounts.spaces import open_space, space_named
from memoryapp.domain.errors import BadInput, Cancelled
from memoryapp.extraction.facts.choose import NO_MODEL
from memoryapp.inference.embedding import load_encoder
from memoryapp.inference.embedding.trial import trial_of
from memoryapp.jobs.encoder_trial import EncoderTrial
from memoryapp.jobs.models import Job
from memoryapp.jobs.progress import JobProgress
from memoryapp.jobs.reading import configured_chat_model, measure_fitness
from memoryapp.spaces.reembed import embed_missing


def run_embed(job: Job, progress: JobProgress) -> dict[str, Any]:
    """`arguments`: {"model": name}. Raises ModelMissing, ModelUnreadable, Cancelled; the space then keeps its model."""
    space, row = open_space(job.space), space_named(job.space)
    model = str(job.arguments.get("model") or row.encoder)
    progress.say(f"loading {model}")
    same = model == space.encoder.name
    encoder = space.encoder.get(None) if same else load_encoder(model, models_dir=settings.MODELS_DIR)
    actor = job.actor
    counts = embed_missing(space, encoder, model=model, progress=progress, actor=actor)
    if not same:
        row.encoder = model
        row.save(update_fields=["encoder"])
        # Written while we worked, still by the old model: few, and the space already answers with the new one.
        late = embed_missing(open_space(job.space), encoder, model=model, progress=progress, actor=actor)
        counts = {name: counts[name] + late[name] for name in counts}
    return {**counts, "model": model}


def run_chat_model(job: Job, progress: JobProgress) -> dict[str, Any]:
    """Raises BadInput where none is set up, Cancelled; what an earlier test found then stays."""
    model = configured_chat_model()
    if model is None:
        raise BadInput(NO_MODEL)

    def advance(done: int, total: int) -> None:
        if progress.cancelled():
            raise Cancelled("Stopped. What an earlier test found stays.")
        progress.advance(done, total)

    fit = measure_fitness(model, advance=advance)
    return {**asdict(fit), "told": fit.told}


def run_encoder(job: Job, progress: JobProgress) -> dict[str, Any]:
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
