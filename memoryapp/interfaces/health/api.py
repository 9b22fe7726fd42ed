"""Health: whether it lives and is ready, which version it is, counts and metrics, and whether a space is whole. And
upkeep: missing embeddings are made, the models are tested, and the benchmark's figures are shown.
"""

from __future__ import annotations

import json
import logging
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np
from django.conf import settings
from django.http import HttpResponse
from pydantic import ConfigDict, Field

from memoryapp import integrity, review
from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import default_space
from memoryapp.domain.errors import BadInput, NotAllowed, PalimpsestError, StoreUnavailable
from memoryapp.extraction.facts.choose import NO_MODEL
from memoryapp.index.roster import KINDS, STATES, Roster
from memoryapp.inference.embedding import EncoderSlot
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.reply import Reply, job_reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Name, Response
from memoryapp.interfaces.health.metrics import CONTENT_TYPE, exposition
from memoryapp.interfaces.jobs.schemas import JobStarted
from memoryapp.jobs.encoder_trial import last_trial, submit_encoder_trial
from memoryapp.jobs.pipeline import submit
from memoryapp.jobs.reading import configured_chat_model, kept_fitness
from memoryapp.jobs.requests import submit_embedding
from memoryapp.program import program_name, program_version
from memoryapp.spaces import Space
from memoryapp.spaces.languages import languages_of
from memoryapp.store import conflicts, stats

router = Routes("Health")
WORDS = ("faint", "thin", "fair", "firm", "settled")  # domain.trust.Trust.word, by its step
log = logging.getLogger("memoryapp.interfaces.api")
FIGURES: dict[str, Any] = {"encoder": "all-MiniLM-L6-v2", "quality": {"locomo": {"hybrid": {"turn R@10": 0.81}}}}
_MOST_BYTES = 2_000_000  # more is no file of figures


class DayOut(Response):
    day: datetime = Field(examples=["2026-11-21T00:00:00Z"])
    created: int = Field(examples=[12])
    changed: int = Field(examples=[3])


class LanguageOut(Response):
    code: str = Field(examples=["de"])
    name: str = Field(examples=["German"])
    texts: int = Field(examples=[48])
    share: float = Field(description="Of the texts whose language could be told.", examples=[0.12])


class LanguagesOut(Response):
    """The languages of the newest texts, the largest share first. `advice` and `suggested_model` where the space's
    model does not read them: POST /encoder/embed with that model switches to it."""

    shares: list[LanguageOut]
    sampled: int = Field(examples=[400])
    model: str = Field(examples=["all-MiniLM-L6-v2"])
    suggested_model: str = Field(examples=[""])
    advice: str = Field(examples=[""])


class StatsOut(Response):
    """`counts` by table; `states` and `kinds` of what is not deleted; `trust` of what is held, in steps of 0.25."""

    space: str = Field(examples=["default"])
    counts: dict[str, int] = Field(examples=[{"memory": 1042, "entity": 310, "conflict": 2}])
    states: dict[str, int] = Field(examples=[{"held": 1000, "archived": 42}])
    kinds: dict[str, int] = Field(examples=[{"section": 900, "note": 142}])
    trust: dict[str, int] = Field(examples=[{"faint": 10, "thin": 40, "fair": 200, "firm": 700, "settled": 92}])
    conflicts_waiting: int = Field(examples=[2])
    growth: list[DayOut]
    languages: LanguagesOut


@router.get("/stats", needs=Role.READER, response=StatsOut, summary="Get counts")
def get_stats(request: ApiRequest) -> StatsOut:
    """How many of what there are, how far the held ones are trusted, how the space grew in the last 30 days,
    and which languages it is in."""
    space = the_space(request)
    space.index.refresh()
    roster = space.index.view().roster
    return StatsOut(
        space=space.name,
        counts=stats.counts(space.db),
        states={state.value: n for state, n in zip(STATES, _code_counts(roster, "state", len(STATES)), strict=True)},
        kinds={kind.value: n for kind, n in zip(KINDS, _code_counts(roster, "kind", len(KINDS)), strict=True)},
        trust=_trust(space, roster),
        conflicts_waiting=review.tallies(space)["waiting"],
        growth=[DayOut.of(one) for one in stats.growth(space.db, now=space.clock())],
        languages=_languages(space),
    )


def _languages(space: Space) -> LanguagesOut:
    found = languages_of(space)
    return LanguagesOut.of(found, shares=[LanguageOut.of(one, share=round(one.share, 3)) for one in found.shares])


def _code_counts(roster: Roster, column: str, codes: int) -> list[int]:
    found = np.bincount(roster.columns[column][: roster.n][roster.alive], minlength=codes)
    return [int(n) for n in found[:codes]]


def _trust(space: Space, roster: Roster) -> dict[str, int]:
    """Held memories by the word for their trust, in steps of 0.25 (domain.trust)."""
    values = roster.trust(space.clock(), half_life=space.tuning.trust_half_life_days)[roster.listed]
    steps = np.bincount(np.minimum(values / 0.25, 4).astype(np.int64), minlength=5)
    return {word: int(n) for word, n in zip(WORDS, steps, strict=True)}


class AliveOut(Response):
    status: Literal["alive"] = Field(examples=["alive"])


EncoderState = Literal["ready", "idle", "loading", "failed"]


class ReadyOut(Response):
    """Ready as soon as the default space's store answers. While the model loads, searches are answered by keyword."""

    status: Literal["ready"] = Field(examples=["ready"])
    store: str = Field(examples=["ok"])
    encoder: EncoderState
    encoder_error: str | None = Field(examples=[None])
    notes: list[str] = Field(examples=[[]])


class VersionOut(Response):
    name: str = Field(examples=["Palimpsest"])
    version: str = Field(examples=["0.1.0"])
    api: str = Field(examples=["v1"])
    encoder: str = Field(description="The model of the space that is asked.", examples=["all-MiniLM-L6-v2"])
    search_engine: str = Field(examples=["local"])
    mode: Literal["embedded", "server"] = Field(examples=["embedded"])
    encoder_error: str | None = Field(None, description="Why the model cannot be used.", examples=[None])


AS_TEXT = {
    "responses": {
        200: {
            "description": "Prometheus' text format.",
            "content": {
                "text/plain": {
                    "schema": {"type": "string"},
                    "example": 'palimpsest_memories_held{space="default"} 1042.0\n',
                }
            },
        }
    }
}


@router.get("/health/live", response=AliveOut, summary="Is it alive?")
def check_liveness(request: ApiRequest) -> AliveOut:
    """200 as soon as the process answers. Open to everybody: it tells nothing else."""
    return AliveOut(status="alive")


@router.get("/health/ready", response=ReadyOut, errors=(503,), summary="Is it ready?")
def check_readiness(request: ApiRequest) -> ReadyOut:
    """200 once the default space's store answers, else 503. The model may still be loading then, or idle until somebody
    uses the app: searches are answered by keyword meanwhile, and `encoder` says so. Open to everybody, so it tells no
    path, address or reason; those are in the log, on the health page and in GET /version."""
    try:
        space = open_row(default_space(), passing=True)
        conflicts.count_waiting(space.db)  # a question to the store, not only a handle
    except PalimpsestError as error:
        log.warning("Not ready: %s", error)
        raise StoreUnavailable(
            f"The store does not answer. The log says why, and {program_name()} doctor what to do."
        ) from error
    state, notes = _state(space.encoder)
    failed = "The model cannot be used; the health page says why." if space.encoder.error else None
    return ReadyOut(status="ready", store="ok", encoder=state, encoder_error=failed, notes=notes)


@router.get("/version", needs=Role.READER, response=VersionOut, summary="Which version is it?")
def get_version(request: ApiRequest) -> VersionOut:
    """The program's version, how it is set up, and why its model cannot be used, if so."""
    return VersionOut(
        name="Palimpsest",
        version=program_version(),
        api="v1",
        encoder=request.auth.space.encoder,
        search_engine=settings.SEARCH_ENGINE,
        mode="server" if settings.SERVER_MODE else "embedded",
        encoder_error=_encoder_error(request.auth.space),
    )


@router.get("/metrics", needs=Role.READER, app=True, response={200: None}, summary="Metrics", openapi_extra=AS_TEXT)
def get_metrics(request: ApiRequest) -> HttpResponse:
    """For Prometheus: requests, searches by arm, jobs, the store, models, memories by kind and state, and the process
    (docs/OPERATING.md tells each). Takes a key for every space."""
    return HttpResponse(exposition(), content_type=CONTENT_TYPE)


def _encoder_error(row: Row) -> str | None:
    """None also while the store is away: this says how the program is set up, and must not wait for that."""
    try:
        return open_row(row).encoder.error
    except PalimpsestError:
        return None


def _state(slot: EncoderSlot) -> tuple[EncoderState, list[str]]:
    if slot.ready:
        return "ready", []
    if slot.error:
        return "failed", ["The embedding model is not usable; searches are answered by keyword."]
    if not slot.begun:
        return "idle", ["The embedding model is not loaded yet: the first request in a space starts that."]
    return "loading", ["The embedding model is loading; searches are answered by keyword until it is there."]


class InvariantOut(Response):
    name: str = Field(examples=["both-ends"])
    sentence: str = Field(examples=["Every edge leads from something that is there to something that is."])
    holds: bool = Field(examples=[True])


class BrokenOut(Response):
    invariant: str = Field(examples=["vectors"])
    record: str = Field(examples=["memory:3f1c9a2b7d5e8046"])
    told: str = Field(examples=["has no vector of all-MiniLM-L6-v2"])


class IntegrityOut(Response):
    """`broken` names at most 100 records of each invariant."""

    sound: bool = Field(examples=[True])
    memories: int = Field(examples=[3447])
    seconds: float = Field(examples=[2.1])
    invariants: list[InvariantOut]
    broken: list[BrokenOut]


@router.get("/integrity", needs=Role.ADMIN, response=IntegrityOut, summary="Is it whole?")
def check_integrity(request: ApiRequest, only: Name = "") -> IntegrityOut:
    """Checks what must always be true of a space against everything that is held, and the indexes against the store:
    some seconds for ten thousand memories. Nothing is written. `only`: names of invariants, with commas between. What
    is written meanwhile may be told as broken: check a space at rest."""
    known = {one.name for one in integrity.INVARIANTS}
    chosen = [name.strip() for name in only.split(",") if name.strip()]
    for name in chosen:
        if name not in known:
            raise BadInput(f"“{name[:40]}” is no invariant. Known: {', '.join(sorted(known))}.", field="only")
    report = integrity.check(the_space(request), only=chosen)
    failed = {one.invariant for one in report.broken}
    return IntegrityOut(
        sound=report.sound,
        memories=report.memories,
        seconds=round(report.seconds, 3),
        invariants=[
            InvariantOut(name=one.name, sentence=one.sentence, holds=one.name not in failed)
            for one in integrity.INVARIANTS
            if one.name in report.checked
        ],
        broken=[BrokenOut.of(one) for one in report.broken],
    )


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


@router.post("/encoder/embed", needs=Role.CURATOR, response={202: JobStarted}, summary="Embed what has no embedding")
def embed_missing(request: ApiRequest, body: EmbedIn = EmbedIn()) -> Reply:
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
    model = configured_chat_model()
    if model is None:
        return ChatModelOut(name="", status="none", problem="", fitness=None)
    state, fit = model.state(), kept_fitness(model)
    found = fit and FitnessOut.of(
        fit,
        rewrites=fit.may_reword,
        rewritten_right=fit.rewords,
        extracts=fit.may_extract,
        extracted_right=fit.extracts,
        seconds_a_sentence=fit.seconds,
        tokens_a_second=fit.speed,
    )
    return ChatModelOut.of(state, fitness=found)


@router.post("/chat-model/test", needs=Role.ADMIN, response={202: JobStarted}, summary="Test the chat model")
def test_chat_model(request: ApiRequest) -> Reply:
    """Begins a job that asks the chat model about a dozen known turns: whether it may word facts, whether it may find
    some, and how fast it is. What it finds decides what the model is used for, in every space. Takes a minute or two
    with a model on this machine, and may cost."""
    if configured_chat_model() is None:
        raise BadInput(NO_MODEL)
    row = request.auth.space
    return job_reply(submit("chat-model", space=row.name, arguments={}, actor=request.auth.actor, subject="chat-model"))


@router.get("/encoder", needs=Role.READER, response=EncoderOut, summary="Get the encoder")
def get_encoder(request: ApiRequest) -> EncoderOut:
    """The embedding model of the space, what it reads, and how fast the last test found it. `POST /encoder/embed`
    with `model` switches to another."""
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
