"""Upkeep: embeddings that are missing are made, the chat model is tested, and the benchmark's figures are shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.conf import settings

from memoryapp.accounts.roles import Role
from memoryapp.api.begun import begun
from memoryapp.api.caller import ApiRequest
from memoryapp.api.reply import Reply
from memoryapp.api.route import Routes
from memoryapp.api.schemas.upkeep import BenchmarksOut, ChatModelOut, EmbedIn, FitnessOut
from memoryapp.api.schemas.work import JobStarted
from memoryapp.domain.errors import BadInput, NotAllowed
from memoryapp.extract.facts.choose import NO_MODEL
from memoryapp.jobs.embedding import submit_embedding
from memoryapp.jobs.fitness import kept_fitness
from memoryapp.jobs.pipeline import submit
from memoryapp.llm import chat_model

router = Routes("Health")
_MOST_BYTES = 2_000_000  # more is no file of figures


@router.post("/embed", needs=Role.CURATOR, response={202: JobStarted}, summary="Embed what has no embedding")
def embed_missing(request: ApiRequest, body: EmbedIn = EmbedIn()) -> Reply:  # noqa: B008
    """Begins a job that makes the embeddings that are missing, after the model was away for instance. Until then words
    alone find these memories. With `model`, which only an administrator may send, all are made by that model and the
    space is switched to it; the old ones are kept, so that switching back takes a moment."""
    row = request.auth.space
    if body.model not in ("", row.encoder) and not request.auth.role.allows(Role.ADMIN):
        raise NotAllowed("Only an administrator of this space can change its model.", field="/model")
    try:
        return begun(submit_embedding(row, model=body.model, actor=request.auth.actor))
    except BadInput as error:
        error.field = "/model"
        raise


@router.get("/chat-model", needs=Role.READER, response=ChatModelOut, summary="Get the chat model")
def get_chat_model(request: ApiRequest) -> ChatModelOut:
    """How the chat model that is set up fares, and what the last test found it fit for. Nobody asks it for this."""
    model = chat_model(**settings.LLM)
    if model is None:
        return ChatModelOut(name="", status="none", problem="", fitness=None)
    state, fit = model.state(), kept_fitness(model)
    found = fit and FitnessOut(
        told=fit.told,
        rewrites=fit.may_reword,
        rewritten_right=fit.rewords,
        sentences=fit.sentences,
        extracts=fit.may_extract,
        extracted_right=fit.extracts,
        turns=fit.turns,
        seconds_a_sentence=fit.seconds,
        tokens_a_second=fit.speed,
        at=fit.at,
    )
    return ChatModelOut(name=state.name, status=state.status, problem=state.problem, fitness=found)


@router.post("/chat-model/test", needs=Role.ADMIN, response={202: JobStarted}, summary="Test the chat model")
def test_chat_model(request: ApiRequest) -> Reply:
    """Begins a job that asks the chat model about a dozen known turns: whether it may word facts, whether it may find
    some, and how fast it is. What it finds decides what the model is used for, in every space. Takes a minute or two
    with a model on this machine, and may cost."""
    if chat_model(**settings.LLM) is None:
        raise BadInput(NO_MODEL)
    row = request.auth.space
    return begun(submit("chat-model", space=row.name, arguments={}, actor=request.auth.actor, subject="chat-model"))


@router.get("/benchmarks", needs=Role.READER, response=BenchmarksOut, summary="Get benchmark figures")
def get_benchmarks(request: ApiRequest) -> BenchmarksOut:
    """How well and how fast the memory finds and judges on public sets. docs/BENCHMARKS.md says what each means."""
    return BenchmarksOut(
        shipped=_figures(settings.BASE_DIR / "docs" / "benchmarks.json"), own=_figures(settings.DATA_DIR / "bench.json")
    )


def _figures(path: Path) -> dict[str, Any] | None:
    """None where there is no such file, or one that no run wrote."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) else None
