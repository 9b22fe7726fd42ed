"""Episodes: the story of a session, written when it has ended, in the one place where it was written before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memoryapp.domain.change import Actor
from memoryapp.domain.entity import Reference
from memoryapp.domain.errors import LlmError
from memoryapp.domain.fact import Cost
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind, Memory, MemoryType, Origin, State
from memoryapp.inference.llm import ChatModel
from memoryapp.spaces import Space
from memoryapp.store import memories, sessions
from memoryapp.store.retry import retry_write
from memoryapp.store.write import new_run
from memoryapp.summaries.by_model import BY_RULES, ledger, model_of, written_by
from memoryapp.summaries.by_rules import (
    RankedSentence,
    choose,
    compose,
    decision_of,
    edges,
    is_korean,
    named_in,
    people,
    readable,
    title,
    topics,
)
from memoryapp.summaries.sentences import Sentence, sentences
from memoryapp.summaries.transcript import Transcript, transcript_of
from memoryapp.summaries.writer import DerivedMemory, find_derived, is_left_alone, write_derived

# A session told: by the chat model where there is one, else by rules. Pure of the store but for names: nothing is
# written here.


@dataclass(frozen=True, slots=True)
class EpisodeDraft:
    """A session's story before it is written. `enough`: whether the session makes an episode by itself, `why` in
    words. `chosen`: the sentences the rules took, each with its reason. `sources`: what it is made from: the facts,
    or the notes the sentences stand in. `by`: “rules”, or “llm: name”; `problem`: why the model did not do it."""

    id: str
    session: str
    title: str
    text: str
    decision: str | None
    participants: tuple[str, ...]
    began: datetime
    ended: datetime
    turns: int
    facts: tuple[str, ...]
    sources: tuple[str, ...]
    references: tuple[Reference, ...]
    chosen: tuple[RankedSentence, ...]
    enough: bool
    why: str
    by: str = BY_RULES
    problem: str = ""
    cost: Cost = Cost()


def episode_id(session: str) -> str:
    """A session has one episode, written in place."""
    return derived_id("episode", session)


def tell(space: Space, heard: Transcript, *, model: ChatModel | None, force: bool = False) -> EpisodeDraft:
    """`force`: the model is asked even where there is too little for an episode."""
    pool = sentences(heard)
    chosen = choose(heard, pool)
    best = decision_of(chosen)
    decision = readable(chosen[best].sentence, korean=is_korean(heard)) if best is not None else None
    named = named_in(space, heard)
    about = topics(heard, pool, named)
    enough, why = _has_enough_to_tell(space, heard, pool)
    key = episode_id(heard.session)
    told = EpisodeDraft(
        id=key,
        session=heard.session,
        title=title(heard, about, decision),
        text=compose(heard, chosen, about) if chosen else "",
        decision=decision,
        participants=people(heard),
        began=heard.began,
        ended=heard.ended,
        turns=len(heard.lines),
        facts=tuple(fact.id for fact in heard.facts),
        sources=_sources(heard, chosen),
        references=edges(key, named),
        chosen=chosen,
        enough=enough,
        why=why,
    )
    usable, problem = model_of(space.tuning, model)
    if usable is None or not chosen or not (enough or force):
        return replace(told, problem=problem)
    try:
        by = written_by(usable, heard)
    except LlmError as error:
        return replace(told, problem=error.detail, cost=error.cost or Cost())
    sources = tuple(dict.fromkeys([*told.sources, *(line.key for line in heard.lines if heard.noted)]))
    return replace(
        told,
        title=by.title or told.title,
        text=by.text,
        decision=by.decision or told.decision,
        sources=sources,
        by=f"llm: {usable.name}",
        cost=by.cost,
    )


def _has_enough_to_tell(space: Space, heard: Transcript, pool: tuple[Sentence, ...]) -> tuple[bool, str]:
    """Facts of the session, or, where only notes were written, statements that would make facts; or one decision."""
    least, worth = space.tuning.episode_facts, space.tuning.fact_worth
    stated = sum(one.worth >= worth for one in pool) if heard.noted else 0
    count = max(len(heard.facts), stated)
    if any(one.decision for one in pool):
        return True, "something was decided"
    if count >= least:
        return True, f"{count} {'facts' if count == len(heard.facts) else 'statements'}"
    return False, f"{count} of {least} facts, and nothing was decided"


def _sources(heard: Transcript, chosen: tuple[RankedSentence, ...]) -> tuple[str, ...]:
    notes = (one.sentence.source for one in chosen if one.sentence.source)
    return tuple(dict.fromkeys([*(fact.id for fact in heard.facts), *notes]))


_TAGS = 10


def narrate_session(
    space: Space, name: str, *, model: ChatModel | None, actor: Actor, force: bool = False
) -> Memory | None:
    """The session's episode as it now stands, or None where there is too little to tell: fewer facts than
    `episode_facts` and no decision. Turns that still wait to be read tell nothing yet: read them before.

    `force` tells what there is, and writes over a person's edit of an earlier telling, or over its deletion. Raises
    NotFound for a session nobody knows.
    """
    heard = transcript_of(space, name)
    standing = find_derived(space, episode_id(name))
    if standing is not None and is_left_alone(standing) and not force:
        sessions.mark_told(space.db, name)
        return standing if standing.state is State.HELD else None
    told = tell(space, heard, model=model, force=force)
    if not told.chosen or not (told.enough or force):
        sessions.mark_told(space.db, name)
        return None
    _write(space, heard, told, actor=actor)
    sessions.mark_told(space.db, name)
    return memories.get(space.db, told.id)


def preview_episode(space: Space, name: str, *, model: ChatModel | None) -> EpisodeDraft:
    """The story as it would be written, with the reasons; nothing is. Raises NotFound."""
    return tell(space, transcript_of(space, name), model=model, force=True)


def episode_of(space: Space, session: str) -> Memory | None:
    """The episode of a session, whatever its state."""
    return memories.find(space.db, episode_id(session))


def episodes_of(space: Space, sessions: Sequence[str]) -> dict[str, Memory]:
    """The same of several sessions in one question, by their names; one without an episode is absent."""
    found = memories.get_many(space.db, [episode_id(session) for session in sessions])
    return {session: found[key] for session in sessions if (key := episode_id(session)) in found}


def _write(space: Space, heard: Transcript, told: EpisodeDraft, *, actor: Actor) -> None:
    problems = [told.problem] if told.problem else []
    detail = {"session": told.session, **ledger([told.by], problems, told.cost)}

    def write() -> None:
        run = new_run("narrate", actor, now=space.clock(), reason=f"{told.session}: {told.why}", detail=detail)
        write_derived(space, run, [DerivedMemory(_episode(space, heard, told), told.sources, told.references)])

    retry_write(write)


def _episode(space: Space, heard: Transcript, told: EpisodeDraft) -> Memory:
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
