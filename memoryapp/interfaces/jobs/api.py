"""Jobs: what runs, how far it is, what it reported; stopping one and trying it again."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Literal

from asgiref.sync import sync_to_async
from django.db.models import Q
from django.http import StreamingHttpResponse
from ninja import Header

from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import NotFound
from memoryapp.interfaces.api.caller import ApiRequest, Caller, missing_role
from memoryapp.interfaces.api.cursor import read_cursor, read_moment, write_cursor
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Cursor, Limit, path_id
from memoryapp.interfaces.jobs.schemas import (
    JobEvent,
    JobLineOut,
    JobLinePage,
    JobOut,
    JobPage,
    show_job,
    show_progress,
)
from memoryapp.jobs.models import Job, JobLine
from memoryapp.jobs.pipeline import cancel, retry

router = Routes("Jobs")
JobId = Annotated[str, path_id("job")]
JobStatus = Literal["queued", "running", "done", "failed", "cancelled"]
LOOK_EVERY = 0.4  # seconds between two looks at a job's row
SILENT_FOR = 15.0  # seconds after which a stream says that it is still there
LONGEST_STREAM = 3_600.0
RETRY_MS = 2_000  # after which a browser whose stream broke off opens it again
LastEventId = Annotated[
    str, Header("", alias="Last-Event-ID", description="The id of the last event you have.", max_length=100)
]
EVENT_STREAM = {
    "responses": {
        200: {
            "description": "Server-sent events, each with an id: `progress`, as often as it changes, then one `end`.",
            "content": {
                "text/event-stream": {
                    "schema": {"type": "string"},
                    "example": "retry: 2000\n\nid: 1c291ca3\nevent: progress\n"
                    'data: {"id": "8c7b6a5948372615", "status": "running", …}\n\n',
                }
            },
        }
    }
}


@router.get("/jobs", needs=Role.READER, response=JobPage, summary="List jobs")
def list_jobs(
    request: ApiRequest, status: JobStatus | None = None, kind: str = "", limit: Limit = 50, cursor: Cursor = ""
) -> JobPage:
    """The space's jobs, newest first."""
    found = Job.objects.filter(space=request.auth.space.name)
    if status:
        found = found.filter(status=status)
    if kind:
        found = found.filter(kind=kind[:40])
    place = read_cursor(cursor, str, str)
    if place:
        at = read_moment(place[0])
        found = found.filter(Q(created_at__lt=at) | Q(created_at=at, pk__lt=place[1]))
    rows = list(found.order_by("-created_at", "-id")[: limit + 1])
    more = write_cursor(rows[limit - 1].created_at.isoformat(), rows[limit - 1].pk) if len(rows) > limit else None
    return JobPage(items=[show_job(job) for job in rows[:limit]], next_cursor=more)


@router.get("/jobs/{id}", needs=Role.READER, response=JobOut, errors=(404,), summary="Get a job")
def get_job(request: ApiRequest, id: JobId) -> JobOut:
    """How far it is, and what it reports."""
    return show_job(_job(request, id, Role.READER))


@router.post("/jobs/{id}/cancel", needs=Role.CURATOR, response=JobOut, errors=(404, 409), summary="Cancel a job")
def cancel_job(request: ApiRequest, id: JobId) -> JobOut:
    """A waiting job is cancelled at once; a running one stops within two seconds. What it has written stays."""
    return show_job(cancel(_job(request, id, Role.CURATOR)))


@router.post("/jobs/{id}/retry", needs=Role.CURATOR, response=JobOut, errors=(404, 409), summary="Retry a job")
def retry_job(request: ApiRequest, id: JobId) -> JobOut:
    """Queues a failed or cancelled job again. What was done is not done twice."""
    return show_job(retry(_job(request, id, Role.CURATOR)))


@router.get("/jobs/{id}/files", needs=Role.READER, response=JobLinePage, errors=(404,), summary="List a job's files")
def list_job_files(
    request: ApiRequest, id: JobId, outcome: str = "", limit: Limit = 50, cursor: Cursor = ""
) -> JobLinePage:
    """The job's report file by file, in the order they were met. `outcome=not read` for those that need a look."""
    job = _job(request, id, Role.READER)
    place = read_cursor(cursor, int)
    lines = JobLine.objects.filter(job=job, n__gt=min(max(place[0], 0), 2**31 - 1) if place else 0)
    if outcome:
        lines = lines.filter(outcome=outcome[:20])
    rows = list(lines.order_by("n")[: limit + 1])
    items = [JobLineOut.of(row) for row in rows[:limit]]
    return JobLinePage(items=items, next_cursor=write_cursor(rows[limit - 1].n) if len(rows) > limit else None)


@router.stream(
    "/jobs/{id}/events", needs=Role.READER, errors=(404,), summary="Follow a job", openapi_extra=EVENT_STREAM
)
async def follow_job(request: ApiRequest, id: JobId, last_event_id: LastEventId = "") -> StreamingHttpResponse:
    """A stream of server-sent events that ends when the job does, however that is. It may be opened again at any time:
    with the `Last-Event-ID` that a browser sends by itself, what was told already is not told again."""
    first = await sync_to_async(_job)(request, id, Role.READER)
    return StreamingHttpResponse(
        _events(first, seen=last_event_id, may_see=lambda: _may_see(request.auth, first.space)),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
    )


def _may_see(caller: Caller, name: str) -> bool:
    """Whether the caller may still look into the job's space. A key that is revoked is told nothing more."""
    space = Space.objects.filter(name=name).first()
    return space is not None and caller.role_now(space) is not None


async def _events(job: Job, *, seen: str = "", may_see: Callable[[], bool] = lambda: True) -> AsyncIterator[bytes]:
    """`seen`: the id of the last event that the reader has. The end is told whether it was seen or not: whoever asks
    again wants to know that nothing more comes."""
    told, quiet, lasted = seen, 0.0, 0.0
    yield f"retry: {RETRY_MS}\n\n".encode()
    while lasted < LONGEST_STREAM:
        event = _event(job).model_dump_json()
        number = f"{zlib.crc32(event.encode()):08x}"
        if not job.open:
            yield f"id: {number}\nevent: end\ndata: {event}\n\n".encode()
            return
        if number != told:
            yield f"id: {number}\nevent: progress\ndata: {event}\n\n".encode()
            told, quiet = number, 0.0
        elif quiet >= SILENT_FOR:
            yield b": still here\n\n"
            quiet = 0.0
        await asyncio.sleep(LOOK_EVERY)
        quiet, lasted = quiet + LOOK_EVERY, lasted + LOOK_EVERY
        found = await Job.objects.filter(pk=job.pk).afirst()
        if found is None or not await sync_to_async(may_see)():
            return
        job = found


def _event(job: Job) -> JobEvent:
    return JobEvent.of(job, progress=show_progress(job))


def _job(request: ApiRequest, key: str, needs: Role) -> Job:
    """The job, whichever space it is in, if the caller's role there is enough."""
    job = Job.objects.filter(pk=key).first()
    space = Space.objects.filter(name=job.space).first() if job else None
    role = request.auth.role_in(space) if space else None
    if job is None or role is None:
        raise NotFound(f"There is no job {key}.")
    if not role.allows(needs):
        raise missing_role(needs, role, job.space)
    return job
