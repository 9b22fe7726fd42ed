"""Episodes, which tell what happened in a session, and summaries, which tell what is known in a category."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from memoryapp import context, summaries
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import NotFound
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Category, Kind, Memory, State
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, write_cursor
from memoryapp.interfaces.api.inheritance import home_named, home_of
from memoryapp.interfaces.api.reply import Reply, job_reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Body, Cursor, Limit, Moment, Name, Response, path_id
from memoryapp.interfaces.jobs.schemas import JobStarted
from memoryapp.interfaces.memories.schemas import A_MEMORY, MemoryOut, show_memories
from memoryapp.jobs.narration import submit_summaries
from memoryapp.spaces import Space
from memoryapp.store import lineage

AN_EPISODE: dict[str, Any] = A_MEMORY | {
    "kind": "episode",
    "title": "Moving the queue",
    "text": "On 20 November 2026, Alice and Minsu spoke of the queue. RabbitMQ lost messages on restart. They decided "
    "to move to Redis.",
    "decision": "We move the queue to Redis.",
    "participants": ["Alice", "Minsu"],
    "began_at": "2026-11-20T09:30:00Z",
    "ended_at": "2026-11-20T09:52:00Z",
    "turns": 12,
    "by": "rules",
    "problem": "",
    "facts": ["8c7b6a5948372615"],
}


class EpisodeOut(MemoryOut):
    """A session told in short. `decision`: its single most important one, as text. `facts`: what it rests on. `by`: the
    rules, or which model; `problem`: why the rules stood in for it."""

    model_config = ConfigDict(json_schema_extra={"examples": [AN_EPISODE]})

    decision: str | None
    participants: list[str]
    began_at: datetime | None
    ended_at: datetime | None
    turns: int
    by: str
    problem: str
    facts: list[str]


class EpisodePage(Response):
    items: list[EpisodeOut]
    next_cursor: str | None = Field(
        description="Null on the last page, and always where `q` orders them.", examples=[None]
    )


class DayOfEpisodes(Response):
    day: date = Field(examples=["2026-11-20"])
    episodes: int = Field(examples=[2])


class DensityOut(Response):
    """How many episodes each day has; days without one are left out."""

    days: list[DayOfEpisodes]


class SummaryOut(MemoryOut):
    """What is known in one category, as a text. `facts`: what it rests on."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                A_MEMORY
                | {
                    "kind": "summary",
                    "category": "work",
                    "title": "Work",
                    "text": "Alice works on billing. The queue runs on Redis.",
                    "by": "rules",
                    "problem": "",
                    "facts": ["8c7b6a5948372615"],
                }
            ]
        }
    )

    by: str
    problem: str
    facts: list[str]


class SummaryList(Response):
    items: list[SummaryOut]


class RefreshIn(Body):
    """Which categories, by default all; `force`: also those in which too little is new."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"categories": ["work"], "force": True}]})

    categories: Annotated[list[Category], Field(max_length=20)] = []
    force: bool = False


def show_episodes(space: Space, found: Sequence[Memory], inherited_from: str | None = None) -> list[EpisodeOut]:
    """`space` is the one that holds them."""
    shown = show_memories(space, found, inherited_from=inherited_from)
    sources = lineage.sources(space.db, [memory.id for memory in found])
    return [
        EpisodeOut(
            **one.model_dump(),
            decision=memory.detail.get("decision"),
            participants=[str(name) for name in memory.detail.get("participants") or ()],
            began_at=_moment(memory.detail.get("from")),
            ended_at=_moment(memory.detail.get("to")),
            turns=int(memory.detail.get("turns") or 0),
            **_summary_sources(memory, sources),
        )
        for one, memory in zip(shown, found, strict=True)
    ]


def show_episode(space: Space, memory: Memory, inherited_from: str | None = None) -> EpisodeOut:
    return show_episodes(space, [memory], inherited_from)[0]


def show_summaries(space: Space, found: Sequence[Memory]) -> list[SummaryOut]:
    shown = show_memories(space, found)
    sources = lineage.sources(space.db, [memory.id for memory in found])
    return [
        SummaryOut(**one.model_dump(), **_summary_sources(memory, sources))
        for one, memory in zip(shown, found, strict=True)
    ]


def _summary_sources(memory: Memory, sources: Mapping[str, set[str]]) -> dict[str, Any]:
    return {
        "by": str(memory.detail.get("by") or ""),
        "problem": str(memory.detail.get("problem") or ""),
        "facts": sorted(sources.get(memory.id, ())),
    }


def _moment(told: object) -> datetime | None:
    return datetime.fromisoformat(told) if isinstance(told, str) and told else None


router = Routes("Episodes")
EpisodeId = Annotated[str, path_id("episode")]


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
        found = _near_episodes(space, q) if q else _of_session(space, session)
        kept = [one for one in found if _is_in_range(one, session=session, since=since, until=until)]
        return EpisodePage(items=kept[:limit], next_cursor=None)
    place = read_cursor(cursor, str)
    page = summaries.episode_page(space, before=place[0] if place else None, limit=limit, since=since, until=until)
    more = write_cursor(page.older) if page.older else None
    return EpisodePage(items=show_episodes(space, page.episodes), next_cursor=more)


def _near_episodes(space: Space, question: str) -> list[EpisodeOut]:
    found = context.episodes_near(space, question, limit=LIMITS.top_k)
    return [show_episode(home_named(space, one.inherited_from), one.memory, one.inherited_from) for one in found]


def _of_session(space: Space, session: str) -> list[EpisodeOut]:
    told = summaries.episode_of(space, session)
    return [show_episode(space, told)] if told is not None and told.state is State.HELD else []


def _is_in_range(one: EpisodeOut, *, session: str, since: datetime | None, until: datetime | None) -> bool:
    at = one.occurred_at or one.created_at
    return (not session or one.session == session) and (not since or at >= since) and (not until or at < until)


@router.get("/episodes/days", needs=Role.READER, response=DensityOut, summary="Count episodes by day")
def count_episodes(request: ApiRequest) -> DensityOut:
    """How many episodes ended on each day, for a timeline."""
    found = summaries.day_density(the_space(request))
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
    held = [one for one in summaries.summaries_of(space).values() if one.state is State.HELD]
    return SummaryList(items=show_summaries(space, held))


@router.post("/summaries/refresh", needs=Role.WRITER, response={202: JobStarted}, summary="Write the summaries anew")
def refresh_summaries(request: ApiRequest, body: RefreshIn = RefreshIn()) -> Reply:
    """A job that writes anew what is out of date or, with `force`, everything."""
    job = submit_summaries(
        request.auth.space.name,
        categories=[one.value for one in body.categories] or None,
        force=body.force,
        actor=request.auth.actor,
    )
    return job_reply(job)
