"""An operation's result as an HTTP answer: the schema's own JSON, the status, the ETag; and If-Match and If-None-Match:
nobody changes a version that they have not seen, nor is sent again what they have.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.utils.http import parse_etags
from pydantic import BaseModel

from memoryapp.domain.errors import BadInput, Stale
from memoryapp.interfaces.jobs.schemas import JobStarted, show_job
from memoryapp.jobs.models import Job
from memoryapp.spaces import Space
from memoryapp.store import memories

_TAG = re.compile(r'(?:W/)?"?(\d{1,9})(?:-[0-9a-f]+)?"?')
# Figures that move with the clock alone: an answer in which nothing else differs is the answer that the caller has.
_MOVED_BY_TIME = re.compile(rb'"(?:trust|strength|recency|days|boost)":-?[0-9.eE+-]+')


def etag_of_read(version: int, content: bytes) -> str:
    """The ETag of what was read: its version, which If-Match takes, and a digest of the rest of the answer, so that
    what is beside it (a conflict that came up, an entity joined to it) is never answered 304 where it changed."""
    digest = hashlib.blake2b(_MOVED_BY_TIME.sub(b"", content), digest_size=6).hexdigest()
    return f'W/"{version}-{digest}"'


def expected_versions(request: HttpRequest) -> frozenset[int] | None:
    """The versions that If-Match allows; None where the header is absent or `*`. Raises BadInput."""
    said = request.headers.get("If-Match", "").strip()
    if not said or said == "*":
        return None
    found = [_TAG.fullmatch(part.strip()) for part in said.split(",")]
    if not all(found):
        raise BadInput(
            f'If-Match takes the ETag that it was given with, such as "3", not {said[:60]}.', field="If-Match"
        )
    return frozenset(int(match[1]) for match in found if match)


def expected_of(request: HttpRequest, space: Space, key: str) -> int | None:
    """The version that the caller read of this memory, or None where they named none: what `review` checks inside
    the write itself. Of several named versions it is the present one. Raises NotFound and Stale."""
    return expected_version(request, lambda: memories.get(space.db, key).version)


def expected_version(request: HttpRequest, current_of: Callable[[], int]) -> int | None:
    """The same for a record whose present version `current_of` tells."""
    allowed = expected_versions(request)
    if allowed is None:
        return None
    if len(allowed) == 1:
        return next(iter(allowed))
    current = current_of()
    if current not in allowed:
        raise Stale(f"It was changed since you read it: it now stands at version {current}.", current=current)
    return current


def not_modified(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """A 304 without a body in place of a GET's answer that the caller has already, else the answer itself."""
    etag, known = response.headers.get("ETag"), request.headers.get("If-None-Match", "")
    if request.method != "GET" or response.status_code != 200 or not etag or not known:
        return response
    tags = parse_etags(known)
    if tags != ["*"] and etag.removeprefix("W/") not in {tag.removeprefix("W/") for tag in tags}:
        return response
    unchanged = HttpResponseNotModified()
    for name in ("ETag", "Cache-Control", "Vary"):
        if name in response.headers:
            unchanged[name] = response.headers[name]
    return unchanged


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
    content = reply.body.model_dump_json(fallback=_plain_number).encode() if reply.body is not None else b""
    response = HttpResponse(content, status=reply.status, content_type="application/json")
    if reply.version is not None:
        response["ETag"] = etag_of_read(reply.version, content) if reading else f'"{reply.version}"'
    for name, value in reply.headers.items():
        response[name] = value
    return response


def _plain_number(value: object) -> object:
    """A number that evidence took straight from an array."""
    item = getattr(value, "item", None)
    return item() if callable(item) else str(value)


def job_reply(job: Job) -> Reply:
    return Reply(JobStarted(job=show_job(job)), 202, headers=followed_at(job))


def followed_at(job: Job) -> dict[str, str]:
    return {"Location": f"/api/v1/jobs/{job.pk}"}
