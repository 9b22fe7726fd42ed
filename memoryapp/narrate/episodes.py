"""Episodes: the story of a session, written when it has ended, in the one place where it was written before."""

from __future__ import annotations

from collections.abc import Sequence

from memoryapp.domain.change import Actor
from memoryapp.domain.errors import Clash, Stale
from memoryapp.domain.memory import Kind, Memory, MemoryType, Origin, State
from memoryapp.llm import ChatModel
from memoryapp.narrate.by import ledger
from memoryapp.narrate.heard import Heard, hear
from memoryapp.narrate.put import Derived, known, left_alone, put
from memoryapp.narrate.told import Told, episode_id, tell
from memoryapp.spaces import Space
from memoryapp.store import memories, sessions
from memoryapp.store.write import new_run

_TRIES = 4
_TAGS = 10


def narrate_session(
    space: Space, name: str, *, model: ChatModel | None, actor: Actor, force: bool = False
) -> Memory | None:
    """The session's episode as it now stands, or None where there is too little to tell: fewer facts than
    `episode_facts` and no decision. Turns that still wait to be read tell nothing yet: read them before.

    `force` tells what there is, and writes over a person's edit of an earlier telling, or over its deletion. Raises
    NotFound for a session nobody knows.
    """
    heard = hear(space, name)
    standing = known(space, episode_id(name))
    if standing is not None and left_alone(standing) and not force:
        sessions.mark_told(space.db, name)
        return standing if standing.state is State.HELD else None
    told = tell(space, heard, model=model, force=force)
    if not told.chosen or not (told.enough or force):
        sessions.mark_told(space.db, name)
        return None
    _write(space, heard, told, actor=actor)
    sessions.mark_told(space.db, name)
    return memories.get(space.db, told.id)


def preview_episode(space: Space, name: str, *, model: ChatModel | None) -> Told:
    """The story as it would be written, with the reasons; nothing is. Raises NotFound."""
    return tell(space, hear(space, name), model=model, force=True)


def episode_of(space: Space, session: str) -> Memory | None:
    """The episode of a session, whatever its state."""
    return memories.find(space.db, episode_id(session))


def episodes_of(space: Space, sessions: Sequence[str]) -> dict[str, Memory]:
    """The same of several sessions in one question, by their names; one without an episode is absent."""
    found = memories.get_many(space.db, [episode_id(session) for session in sessions])
    return {session: found[key] for session in sessions if (key := episode_id(session)) in found}


def _write(space: Space, heard: Heard, told: Told, *, actor: Actor) -> None:
    problems = [told.problem] if told.problem else []
    detail = {"session": told.session, **ledger([told.by], problems, told.cost)}
    for attempt in range(_TRIES):
        now = space.clock()
        run = new_run("narrate", actor, now=now, reason=f"{told.session}: {told.why}", detail=detail)
        try:
            put(space, run, [Derived(_episode(space, heard, told), told.sources, told.references)])
            return
        except (Stale, Clash):
            if attempt == _TRIES - 1:
                raise


def _episode(space: Space, heard: Heard, told: Told) -> Memory:
    now = space.clock()
    sources = [*heard.facts, *(memories.get_many(space.db, told.sources).values() if heard.noted else ())]
    tags = dict.fromkeys(tag for memory in sources for tag in memory.tags)
    return Memory(
        id=told.id,
        kind=Kind.EPISODE,
        title=told.title,
        text=told.text,
        created_at=now,
        updated_at=now,
        tags=tuple(tags)[:_TAGS],
        confidence=min((memory.confidence for memory in sources), default=0.9),
        memory_type=MemoryType.EPISODIC,
        occurred_at=told.ended,
        origin=Origin(session=told.session),
        sessions=(told.session,),
        decision_point=told.decision is not None,
        emotional_signal=any(fact.emotional_signal for fact in heard.facts),
        detail={
            "decision": told.decision,
            "participants": list(told.participants),
            "from": told.began.isoformat(),
            "to": told.ended.isoformat(),
            "turns": told.turns,
            "facts": list(told.facts),
            "by": told.by,
            "problem": told.problem,
        },
    )
