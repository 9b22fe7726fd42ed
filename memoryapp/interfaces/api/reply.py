"""An operation's result as an HTTP answer: the schema's own JSON, the status, the ETag."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from pydantic import BaseModel

from memoryapp.interfaces.api.etag import etag_of_read
from memoryapp.interfaces.jobs.schemas import JobStarted, show_job
from memoryapp.jobs.models import Job


@dataclass(frozen=True, slots=True)
class Reply:
    """A result with more to say than its body. `version` becomes the ETag, or the beginning of it."""

    body: BaseModel | None
    status: int = 200
    version: int | None = None
    headers: dict[str, str] = field(default_factory=dict)


def answer(result: object, *, status: int, reading: bool = False) -> HttpResponseBase:
    """Times are written in full and UTC as Z; a number that is not finite becomes null. `reading`: the
    ETag also tells of what stands beside the version."""
    if isinstance(result, HttpResponseBase):
        return result
    reply = result if isinstance(result, Reply) else Reply(result, status)  # type: ignore[arg-type]
    content = reply.body.model_dump_json(fallback=_plain).encode() if reply.body is not None else b""
    response = HttpResponse(content, status=reply.status, content_type="application/json")
    if reply.version is not None:
        response["ETag"] = etag_of_read(reply.version, content) if reading else f'"{reply.version}"'
    for name, value in reply.headers.items():
        response[name] = value
    return response


def _plain(value: object) -> object:
    """A number that evidence took straight from an array."""
    item = getattr(value, "item", None)
    return item() if callable(item) else str(value)


def job_reply(job: Job) -> Reply:
    return Reply(JobStarted(job=show_job(job)), 202, headers=followed_at(job))


def followed_at(job: Job) -> dict[str, str]:
    return {"Location": f"/api/v1/jobs/{job.pk}"}
