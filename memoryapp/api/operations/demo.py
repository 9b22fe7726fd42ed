"""The example, put into a space."""

from __future__ import annotations

from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.opened import the_space
from memoryapp.api.reply import Reply, begun
from memoryapp.api.route import Routes
from memoryapp.api.schemas.work import JobStarted
from memoryapp.jobs.demo import submit_demo

router = Routes("Spaces")


@router.post("/demo", needs=Role.ADMIN, response={202: JobStarted}, summary="Fill the space with the example")
def fill_with_demo(request: ApiRequest) -> Reply:
    """Three weeks of a small team's notes and talks, in English and Korean, with what became of them: facts, conflicts,
    a Context Tree, a digest, feedback of two agents, golden queries. They stand beside what the space holds already."""
    the_space(request)
    return begun(submit_demo(request.auth.space.name, actor=request.auth.actor))
