"""Episodes, which tell what happened in a session, and summaries, which tell what is known in a category."""

from __future__ import annotations

from datetime import datetime

from memoryapp import context, narrate
from memoryapp.accounts.roles import Role
from memoryapp.api.begun import begun
from memoryapp.api.caller import ApiRequest
from memoryapp.api.cursor import read_cursor, write_cursor
from memoryapp.api.inherited import home_named, home_of
from memoryapp.api.opened import the_space
from memoryapp.api.reply import Reply
from memoryapp.api.route import Routes
from memoryapp.api.schemas.base import Cursor, Limit, Moment, Name, path_id
from memoryapp.api.schemas.episode import (
    DayOfEpisodes,
    DensityOut,
    EpisodeOut,
    EpisodePage,
    RefreshIn,
    SummaryList,
)
from memoryapp.api.schemas.work import JobStarted
from memoryapp.api.telling import show_episode, show_episodes, show_summaries
from memoryapp.domain.errors import NotFound
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind, State
from memoryapp.jobs.telling import submit_summaries
from memoryapp.spaces import Space

router = Routes("Episodes")
EpisodeId = path_id("episode")


@router.get("/episodes", needs=Role.READER, response=EpisodePage, summary="List episodes")
def list_episodes(
    request: ApiRequest,
    q: Name = "",
    session: Name = "",
    since: Moment | None = None,
    until: Moment | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> EpisodePage:
    """Episodes, the last one first; with `q` those like it, weighed with how recent they are. `until` is exclusive."""
    space = the_space(request)
    if q or session:
        found = _near(space, q) if q else _of_session(space, session)
        kept = [one for one in found if _fits(one, session=session, since=since, until=until)]
        return EpisodePage(items=kept[:limit], next_cursor=None)
    place = read_cursor(cursor, str)
    page = narrate.episode_page(space, before=place[0] if place else None, limit=limit, since=since, until=until)
    more = write_cursor(page.older) if page.older else None
    return EpisodePage(items=show_episodes(space, page.episodes), next_cursor=more)


def _near(space: Space, question: str) -> list[EpisodeOut]:
    found = context.episodes_near(space, question, limit=LIMITS.top_k)
    return [show_episode(home_named(space, one.inherited_from), one.memory, one.inherited_from) for one in found]


def _of_session(space: Space, session: str) -> list[EpisodeOut]:
    told = narrate.episode_of(space, session)
    return [show_episode(space, told)] if told is not None and told.state is State.HELD else []


def _fits(one: EpisodeOut, *, session: str, since: datetime | None, until: datetime | None) -> bool:
    at = one.occurred_at or one.created_at
    return (not session or one.session == session) and (not since or at >= since) and (not until or at < until)


@router.get("/episodes/days", needs=Role.READER, response=DensityOut, summary="Count episodes by day")
def episode_days(request: ApiRequest) -> DensityOut:
    """How many episodes ended on each day, for a timeline."""
    found = narrate.day_density(the_space(request))
    return DensityOut(days=[DayOfEpisodes(day=day, episodes=n) for day, n in found])


@router.get("/episodes/{id}", needs=Role.READER, response=EpisodeOut, errors=(404,), summary="Get an episode")
def get_episode(request: ApiRequest, id: EpisodeId) -> Reply:
    """One episode: the narrative, its decision, who took part, the facts it rests on. One of a parent space says so in
    `inherited_from`."""
    space = the_space(request)
    home, memory = home_of(space, id)
    if memory.kind is not Kind.EPISODE:
        raise NotFound(f"Memory {id} is not an episode but a {memory.kind.value}.")
    inherited_from = home.name if home.name != space.name else None
    return Reply(show_episode(home, memory, inherited_from), version=memory.version)


@router.get("/summaries", needs=Role.READER, response=SummaryList, summary="List category summaries")
def list_summaries(request: ApiRequest) -> SummaryList:
    """What is known in each category that has facts."""
    space = the_space(request)
    held = [one for one in narrate.summaries_of(space).values() if one.state is State.HELD]
    return SummaryList(items=show_summaries(space, held))


@router.post("/summaries/refresh", needs=Role.WRITER, response={202: JobStarted}, summary="Write the summaries anew")
def refresh_summaries(request: ApiRequest, body: RefreshIn = RefreshIn()) -> Reply:  # noqa: B008
    """A job that writes anew what is out of date or, with `force`, everything."""
    job = submit_summaries(
        request.auth.space.name,
        categories=[one.value for one in body.categories] or None,
        force=body.force,
        actor=request.auth.actor,
    )
    return begun(job)
