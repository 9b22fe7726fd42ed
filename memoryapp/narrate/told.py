"""A session told: by the chat model where there is one, else by rules. Pure of the store but for names: nothing is
written here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from memoryapp.domain.entity import Reference
from memoryapp.domain.errors import LlmError
from memoryapp.domain.fact import Cost
from memoryapp.domain.identity import derived_id
from memoryapp.llm import ChatModel
from memoryapp.narrate.by import BY_RULES, model_of
from memoryapp.narrate.by_model import written_by
from memoryapp.narrate.choose import Chosen, choose, decision_of
from memoryapp.narrate.compose import compose, is_korean, people, readable, title
from memoryapp.narrate.heard import Heard
from memoryapp.narrate.sentences import Sentence, sentences
from memoryapp.narrate.topics import edges, named_in, topics
from memoryapp.spaces import Space


@dataclass(frozen=True, slots=True)
class Told:
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
    chosen: tuple[Chosen, ...]
    enough: bool
    why: str
    by: str = BY_RULES
    problem: str = ""
    cost: Cost = Cost()


def episode_id(session: str) -> str:
    """A session has one episode, written in place."""
    return derived_id("episode", session)


def tell(space: Space, heard: Heard, *, model: ChatModel | None, force: bool = False) -> Told:
    """`force`: the model is asked even where there is too little for an episode."""
    pool = sentences(heard)
    chosen = choose(heard, pool)
    best = decision_of(chosen)
    decision = readable(chosen[best].sentence, korean=is_korean(heard)) if best is not None else None
    named = named_in(space, heard)
    about = topics(heard, pool, named)
    enough, why = _enough(space, heard, pool)
    key = episode_id(heard.session)
    told = Told(
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


def _enough(space: Space, heard: Heard, pool: tuple[Sentence, ...]) -> tuple[bool, str]:
    """Facts of the session, or, where only notes were written, statements that would make facts; or one decision."""
    least, worth = space.tuning.episode_facts, space.tuning.fact_worth
    stated = sum(one.worth >= worth for one in pool) if heard.noted else 0
    count = max(len(heard.facts), stated)
    if any(one.decision for one in pool):
        return True, "something was decided"
    if count >= least:
        return True, f"{count} {'facts' if count == len(heard.facts) else 'statements'}"
    return False, f"{count} of {least} facts, and nothing was decided"


def _sources(heard: Heard, chosen: tuple[Chosen, ...]) -> tuple[str, ...]:
    notes = (one.sentence.source for one in chosen if one.sentence.source)
    return tuple(dict.fromkeys([*(fact.id for fact in heard.facts), *notes]))
