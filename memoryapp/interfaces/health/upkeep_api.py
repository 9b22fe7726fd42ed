"""Upkeep: embeddings that are missing are made, the models are tested, and the benchmark's figures are shown."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from django.conf import settings
from pydantic import ConfigDict, Field

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, NotAllowed
from memoryapp.extraction.facts.choose import NO_MODEL
from memoryapp.inference.llm import chat_model
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.reply import Reply, job_reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Name, Response
from memoryapp.interfaces.jobs.schemas import JobStarted
from memoryapp.jobs.encoder_trial import last_trial, submit_encoder_trial
from memoryapp.jobs.pipeline import submit
from memoryapp.jobs.readers import kept_fitness
from memoryapp.jobs.requests import submit_embedding
from memoryapp.spaces.languages import languages_of

FIGURES: dict[str, Any] = {"encoder": "all-MiniLM-L6-v2", "quality": {"locomo": {"hybrid": {"turn R@10": 0.81}}}}


class EmbedIn(Body):
    """`model`: another one for the space; without it, the one it has."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"model": "universal-sentence-encoder-multilingual"}]}
    )

    model: Name = ""


class BenchmarksOut(Response):
    """Figures as `palimpsest bench --out` writes them: those that ship, and those of this installation's own run in
    `bench.json` of the data folder. Null where there are none."""

    shipped: dict[str, Any] | None = Field(examples=[FIGURES])
    own: dict[str, Any] | None = Field(examples=[None])


class FitnessOut(Response):
    """What the last test found. `rewrites`, `extracts`: whether the model is used for wording facts, and for finding
    some beside those of the rules."""

    told: str = Field(examples=["rewrites facts: 10 of 12 right; extraction: 5 of 14, so it is not used for that"])
    rewrites: bool = Field(examples=[True])
    rewritten_right: int = Field(examples=[10])
    sentences: int = Field(examples=[12])
    extracts: bool = Field(examples=[False])
    extracted_right: int = Field(examples=[5])
    turns: int = Field(examples=[14])
    seconds_a_sentence: float = Field(examples=[1.4])
    tokens_a_second: float = Field(examples=[22.5])
    at: str = Field(examples=["2026-11-20T09:30:02+00:00"])


class ChatModelOut(Response):
    """`status`: none (no chat model is set up), untried, ok, failing or down. `fitness`: null where it was not
    tested; then it words facts and finds none."""

    name: str = Field(examples=["qwen2.5-1.5b"])
    status: Literal["none", "untried", "ok", "failing", "down"] = Field(examples=["ok"])
    problem: str = Field(examples=[""])
    fitness: FitnessOut | None


class EncoderTrialOut(Response):
    """What the last test found."""

    texts_a_second: float = Field(examples=[92.0])
    query_ms: float = Field(description="For one question.", examples=[11.5])
    at: datetime = Field(examples=["2026-11-20T09:30:02Z"])


class EncoderOut(Response):
    """`status`: loading, ready or failed. Dimension, window and languages are null until it is loaded. `advice`: what
    is wrong where it does not read the languages of the space, and what to do. `trial`: null where it was not
    tested."""

    name: str = Field(examples=["all-MiniLM-L6-v2"])
    status: Literal["loading", "ready", "failed"] = Field(examples=["ready"])
    problem: str = Field(examples=[""])
    dimension: int | None = Field(examples=[384])
    max_tokens: int | None = Field(examples=[256])
    languages: list[str] | None = Field(description="ISO 639-1 codes that it reads.", examples=[["en"]])
    advice: str = Field(examples=[""])
    trial: EncoderTrialOut | None


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
        return job_reply(submit_embedding(row, model=body.model, actor=request.auth.actor))
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
    return job_reply(submit("chat-model", space=row.name, arguments={}, actor=request.auth.actor, subject="chat-model"))


@router.get("/encoder", needs=Role.READER, response=EncoderOut, summary="Get the encoder")
def get_encoder(request: ApiRequest) -> EncoderOut:
    """The embedding model of the space, what it reads, and how fast the last test found it. `POST /embed` with `model`
    switches to another."""
    space, row = the_space(request), request.auth.space
    slot, last = space.encoder, last_trial(row)
    encoder = slot.get(0) if slot.ready else None
    return EncoderOut(
        name=row.encoder,
        status="failed" if slot.error else "ready" if encoder else "loading",
        problem=slot.error or "",
        dimension=encoder.dimension if encoder else None,
        max_tokens=encoder.max_tokens if encoder else None,
        languages=sorted(encoder.languages) if encoder else None,
        advice=languages_of(space).advice,
        trial=last and EncoderTrialOut(texts_a_second=last[0].texts_a_second, query_ms=last[0].query_ms, at=last[1]),
    )


@router.post("/encoder/test", needs=Role.ADMIN, response={202: JobStarted}, summary="Test the encoder")
def test_encoder(request: ApiRequest) -> Reply:
    """Begins a job that measures how fast the encoder is here: texts a second, and the time of one question. Takes
    seconds; at an embedding server it may cost."""
    return job_reply(submit_encoder_trial(request.auth.space, actor=request.auth.actor))


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
