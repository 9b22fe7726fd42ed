"""Golden queries: added, listed, changed, taken in and out as lines, and asked by several strategies at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from django.http import HttpResponse
from pydantic import Field

from memoryapp import lab
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters
from memoryapp.domain.plan import MOST_CHARS
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, read_moment, write_cursor
from memoryapp.interfaces.api.reply import Reply, expected_version, job_reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Cursor, Limit, path_id
from memoryapp.interfaces.golden.schemas import (
    A_LINE,
    GoldenActOut,
    GoldenEdit,
    GoldenImportIn,
    GoldenImportOut,
    GoldenIn,
    GoldenOut,
    GoldenPage,
    GoldenRunIn,
    GoldenRunPage,
    GoldenRunWhole,
    show_golden,
    show_goldens,
    show_import,
    show_run_of_golden,
    show_whole_run,
)
from memoryapp.interfaces.jobs.schemas import JobStarted
from memoryapp.interfaces.search.api import filters_of
from memoryapp.jobs.requests import submit_golden
from memoryapp.store import golden

# Golden queries asked: the job that does it, and the runs it left.

router = Routes("Search lab")
RunId = Annotated[str, path_id("run over golden queries")]
OfPlan = Annotated[str, Field(max_length=MOST_CHARS, description="Only runs by this plan.", examples=["hybrid"])]


@router.post("/golden/runs", needs=Role.CURATOR, response={202: JobStarted}, summary="Ask all golden queries")
def run_golden(request: ApiRequest, body: GoldenRunIn) -> Reply:
    """Begins the job that asks every golden query by each of the strategies, and keeps a run for each. No access is
    counted. Its report names the runs."""
    the_space(request)
    job = submit_golden(request.auth.space.name, body.strategies, k=body.k, actor=request.auth.actor)
    return job_reply(job)


@router.get("/golden/runs", needs=Role.READER, response=GoldenRunPage, summary="List runs over golden queries")
def list_golden_runs(request: ApiRequest, plan: OfPlan = "", limit: Limit = 50, cursor: Cursor = "") -> GoldenRunPage:
    """How plans did on the golden queries, the newest first."""
    place = read_cursor(cursor, str)
    before = read_moment(place[0]) if place else None
    found = golden.runs(the_space(request).db, plan=plan or None, limit=limit + 1, before=before)
    last = found[limit - 1] if len(found) > limit else None
    return GoldenRunPage(
        items=[show_run_of_golden(one) for one in found[:limit]],
        next_cursor=write_cursor(last.at.isoformat()) if last else None,
    )


@router.get(
    "/golden/runs/{id}",
    needs=Role.READER,
    response=GoldenRunWhole,
    errors=(404,),
    summary="Get a run over golden queries",
)
def get_golden_run(request: ApiRequest, id: RunId) -> GoldenRunWhole:
    """How a plan did on every golden query, and what changed since the run before it by the same plan: which figures,
    which queries, and under what conditions."""
    space = the_space(request)
    found = golden.run(space.db, id)
    return show_whole_run(found, lab.change_since(space, found))


GoldenId = Annotated[str, path_id("golden query")]
NDJSON = "application/x-ndjson"
AS_LINES: dict[str, Any] = {
    "responses": {
        200: {
            "description": "JSON Lines: one golden query a line, the oldest first.",
            "content": {NDJSON: {"schema": {"type": "string"}, "example": A_LINE + "\n"}},
        }
    }
}


@router.get("/golden", needs=Role.READER, response=GoldenPage, summary="List golden queries")
def list_golden(request: ApiRequest, limit: Limit = 50, cursor: Cursor = "") -> GoldenPage:
    """Questions of which somebody said what should be found, the oldest first, with what has become of that."""
    space = the_space(request)
    place = read_cursor(cursor, str, str)
    after = (read_moment(place[0]), place[1]) if place else None
    every = lab.golden_of(space)
    left = [one for one in every if after is None or (one.golden.created_at, one.golden.id) > after]
    last = left[limit - 1].golden if len(left) > limit else None
    return GoldenPage(
        items=show_goldens(space, left[:limit]),
        total=len(every),
        next_cursor=write_cursor(last.created_at.isoformat(), last.id) if last else None,
    )


@router.post(
    "/golden", needs=Role.CURATOR, response={201: GoldenActOut}, errors=(409, 413), summary="Add a golden query"
)
def add_golden(request: ApiRequest, body: GoldenIn) -> Reply:
    """Says which memories a question should find. Where the same is asked already with the same filters, they are
    joined to that (`outcome` joined)."""
    space = the_space(request)
    narrowed = replace(filters_of(body.filters), as_of=body.as_of)
    done = lab.add_golden(space, body.query, body.relevant, narrowed, body.note, actor=request.auth.actor)
    return _act(request, done.golden.id, "joined" if done.joined else "added", status=201)


@router.post(
    "/golden/import",
    needs=Role.CURATOR,
    response=GoldenImportOut,
    errors=(409, 412, 413),
    summary="Take golden queries in",
)
def import_golden(request: ApiRequest, body: GoldenImportIn) -> GoldenImportOut:
    """Adds what JSON Lines say, all in one batch, and tells what becomes of each line. Bad ones are left out; with
    `strict` one of them keeps all from being written. A dry run tells the same and writes nothing."""
    done = lab.import_golden(
        the_space(request), body.lines, actor=request.auth.actor, dry_run=body.dry_run, strict=body.strict
    )
    return show_import(done, dry_run=body.dry_run)


@router.get(
    "/golden/export",
    needs=Role.READER,
    response={200: None},
    openapi_extra=AS_LINES,
    summary="Take golden queries out",
)
def export_golden(request: ApiRequest) -> HttpResponse:
    """All of them as JSON Lines, which POST /golden/import reads. `refs` are your own ids: in another space they stand
    for the same memories."""
    lines = lab.export_golden(the_space(request))
    answer = HttpResponse("".join(f"{line}\n" for line in lines), content_type=f"{NDJSON}; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="golden.jsonl"'
    return answer


@router.get("/golden/{id}", needs=Role.READER, response=GoldenOut, errors=(404,), summary="Get a golden query")
def get_golden(request: ApiRequest, id: GoldenId) -> Reply:
    """One golden query. Its version is the ETag."""
    space = the_space(request)
    found = lab.golden_named(space, id)
    return Reply(show_golden(space, found), version=found.golden.version)


@router.patch(
    "/golden/{id}",
    needs=Role.CURATOR,
    if_match=True,
    response=GoldenActOut,
    errors=(404, 409, 412, 413),
    summary="Change a golden query",
)
def change_golden(request: ApiRequest, id: GoldenId, body: GoldenEdit) -> Reply:
    """Changes the fields that are sent. With If-Match it is refused (412) if somebody changed it since."""
    if not body.model_fields_set:
        raise BadInput("Nothing is to be changed: send at least one field.", field="")
    space = the_space(request)
    was = lab.golden_named(space, id).golden
    lab.change_golden(
        space,
        id,
        version=expected_version(request, lambda: was.version) or was.version,
        query=body.query,
        relevant=body.relevant,
        filters=_edited_filters(body, was.filters),
        note=body.note,
        actor=request.auth.actor,
    )
    return _act(request, id, "changed")


@router.delete(
    "/golden/{id}",
    needs=Role.CURATOR,
    if_match=True,
    response=GoldenActOut,
    errors=(404, 412),
    summary="Delete a golden query",
)
def delete_golden(request: ApiRequest, id: GoldenId, dry_run: bool = False) -> Reply:
    """It is not asked any more; what runs found of it stays with them. POST /golden with what this answers makes it
    anew."""
    space = the_space(request)
    found = lab.golden_named(space, id)
    version = expected_version(request, lambda: found.golden.version)
    shown = GoldenActOut(golden=show_golden(space, found), outcome="deleted", dry_run=dry_run)
    if not dry_run:
        lab.delete_golden(space, id, version=version)
    return Reply(shown, version=found.golden.version)


def _edited_filters(body: GoldenEdit, was: Filters) -> Filters | None:
    """The filters as the body changes them; None where it does not."""
    if body.filters is None and "as_of" not in body.model_fields_set:
        return None
    narrowed = was if body.filters is None else filters_of(body.filters)
    return replace(narrowed, as_of=body.as_of if "as_of" in body.model_fields_set else was.as_of)


def _act(request: ApiRequest, key: str, outcome: str, *, status: int = 200) -> Reply:
    space = the_space(request)
    found = lab.golden_named(space, key)
    body = GoldenActOut(golden=show_golden(space, found), outcome=outcome)
    return Reply(body, status, version=found.golden.version)
