"""Whether it lives, whether it is ready, what it counts, which version it is."""

from __future__ import annotations

import logging
from typing import Literal

from django.conf import settings
from django.http import HttpResponse
from pydantic import Field

from memoryapp.accounts.models import Space
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import default_space
from memoryapp.api.caller import ApiRequest
from memoryapp.api.measures import CONTENT_TYPE, exposition
from memoryapp.api.route import Routes
from memoryapp.api.schemas.base import Shown
from memoryapp.domain.errors import PalimpsestError, StoreUnavailable
from memoryapp.encoders import EncoderSlot
from memoryapp.program import program_name, program_version
from memoryapp.store import conflicts


class AliveOut(Shown):
    status: Literal["alive"] = Field(examples=["alive"])


class ReadyOut(Shown):
    """Ready as soon as the default space's store answers. While the model loads, searches are answered by keyword."""

    status: Literal["ready"] = Field(examples=["ready"])
    store: str = Field(examples=["ok"])
    encoder: Literal["ready", "idle", "loading", "failed"]
    encoder_error: str | None = Field(examples=[None])
    notes: list[str] = Field(examples=[[]])


class VersionOut(Shown):
    name: str = Field(examples=["Palimpsest"])
    version: str = Field(examples=["0.1.0"])
    api: str = Field(examples=["v1"])
    encoder: str = Field(description="The model of the space that is asked.", examples=["all-MiniLM-L6-v2"])
    search_engine: str = Field(examples=["local"])
    mode: Literal["embedded", "server"] = Field(examples=["embedded"])
    encoder_error: str | None = Field(None, description="Why the model cannot be used.", examples=[None])


log = logging.getLogger("memoryapp.api")
router = Routes("Health")
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


def _encoder_error(row: Space) -> str | None:
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
