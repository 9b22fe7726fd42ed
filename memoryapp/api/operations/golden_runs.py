"""Golden queries asked: the job that does it, and the runs it left."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from memoryapp import lab
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.cursor import read_cursor, read_moment, write_cursor
from memoryapp.api.opened import the_space
from memoryapp.api.reply import Reply, begun
from memoryapp.api.route import Routes
from memoryapp.api.schemas.base import Cursor, Limit, path_id
from memoryapp.api.schemas.golden import GoldenRunIn, GoldenRunPage, GoldenRunWhole, show_run_of_golden, show_whole_run
from memoryapp.api.schemas.work import JobStarted
from memoryapp.domain.plan import MOST_CHARS
from memoryapp.jobs.evaluating import submit_golden
from memoryapp.store import golden

router = Routes("Search lab")
RunId = path_id("run over golden queries")
OfPlan = Annotated[str, Field(max_length=MOST_CHARS, description="Only runs by this plan.", examples=["hybrid"])]


@router.post("/golden/run", needs=Role.CURATOR, response={202: JobStarted}, summary="Ask all golden queries")
def run_golden(request: ApiRequest, body: GoldenRunIn) -> Reply:
    """Begins the job that asks every golden query by each of the strategies, and keeps a run for each. No access is
    counted. Its report names the runs."""
    the_space(request)
    job = submit_golden(request.auth.space.name, body.strategies, k=body.k, actor=request.auth.actor)
    return begun(job)


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
