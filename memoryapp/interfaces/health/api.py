"""Health: whether it lives and is ready, which version it is, counts and metrics, and whether a space is whole."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Literal

import numpy as np
from django.conf import settings
from django.http import HttpResponse
from pydantic import Field

from memoryapp import integrity, review
from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import default_space
from memoryapp.domain.errors import BadInput, PalimpsestError, StoreUnavailable
from memoryapp.index.roster import KINDS, STATES, Roster
from memoryapp.inference.embedding import EncoderSlot
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Name, Response
from memoryapp.interfaces.health.metrics import CONTENT_TYPE, exposition
from memoryapp.program import program_name, program_version
from memoryapp.spaces import Space
from memoryapp.spaces.languages import languages_of
from memoryapp.store import conflicts, stats


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
    model does not read them: POST /embed with that model switches to it."""

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


router = Routes("Health")
WORDS = ("faint", "thin", "fair", "firm", "settled")  # domain.trust.Trust.word, by its step


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
        states={state.value: n for state, n in zip(STATES, _counted(roster, "state", len(STATES)), strict=True)},
        kinds={kind.value: n for kind, n in zip(KINDS, _counted(roster, "kind", len(KINDS)), strict=True)},
        trust=_trust(space, roster),
        conflicts_waiting=review.tallies(space)["waiting"],
        growth=[
            DayOut(day=one.day, created=one.created, changed=one.changed)
            for one in stats.growth(space.db, now=space.clock())
        ],
        languages=_languages(space),
    )


def _languages(space: Space) -> LanguagesOut:
    found = languages_of(space)
    return LanguagesOut(
        shares=[
            LanguageOut(code=one.code, name=one.name, texts=one.texts, share=round(one.share, 3))
            for one in found.shares
        ],
        sampled=found.sampled,
        model=found.model,
        suggested_model=found.suggested_model,
        advice=found.advice,
    )


def _counted(roster: Roster, column: str, codes: int) -> list[int]:
    found = np.bincount(roster.columns[column][: roster.n][roster.alive], minlength=codes)
    return [int(n) for n in found[:codes]]


def _trust(space: Space, roster: Roster) -> dict[str, int]:
    """Held memories by the word for their trust, in steps of 0.25 (domain.trust)."""
    values = roster.trust(space.clock(), half_life=space.tuning.trust_half_life_days)[roster.listed]
    steps = np.bincount(np.minimum(values / 0.25, 4).astype(np.int64), minlength=5)
    return {word: int(n) for word, n in zip(WORDS, steps, strict=True)}


class AliveOut(Response):
    status: Literal["alive"] = Field(examples=["alive"])


class ReadyOut(Response):
    """Ready as soon as the default space's store answers. While the model loads, searches are answered by keyword."""

    status: Literal["ready"] = Field(examples=["ready"])
    store: str = Field(examples=["ok"])
    encoder: Literal["ready", "idle", "loading", "failed"]
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


log = logging.getLogger("memoryapp.interfaces.api")
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
def live(request: ApiRequest) -> AliveOut:
    """200 as soon as the process answers. Open to everybody: it tells nothing else."""
    return AliveOut(status="alive")


@router.get("/health/ready", response=ReadyOut, errors=(503,), summary="Is it ready?")
def ready(request: ApiRequest) -> ReadyOut:
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
def version(request: ApiRequest) -> VersionOut:
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
def metrics(request: ApiRequest) -> HttpResponse:
    """For Prometheus: requests, searches by arm, jobs, the store, models, memories by kind and state, and the process
    (docs/OPERATING.md tells each). Takes a key for every space."""
    return HttpResponse(exposition(), content_type=CONTENT_TYPE)


def _encoder_error(row: Row) -> str | None:
    """None also while the store is away: this says how the program is set up, and must not wait for that."""
    try:
        return open_row(row).encoder.error
    except PalimpsestError:
        return None


def _state(slot: EncoderSlot) -> tuple[str, list[str]]:
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
def check(request: ApiRequest, only: Name = "") -> IntegrityOut:
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
        broken=[BrokenOut(invariant=one.invariant, record=one.record, told=one.told) for one in report.broken],
    )
