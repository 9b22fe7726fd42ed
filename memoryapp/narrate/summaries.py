"""Category summaries: one memory for each category of facts, written anew where it no longer tells what is held."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Clash, LlmError, Stale
from memoryapp.domain.fact import Cost
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, State
from memoryapp.extract.grounding import fault_of_story, is_english
from memoryapp.llm import ChatModel, write
from memoryapp.narrate.by import BY_RULES, ledger, model_of
from memoryapp.narrate.facts import Held, held_facts, read
from memoryapp.narrate.known import SENTENCES, Stated, choose, compose, in_order
from memoryapp.narrate.put import Derived, left_alone, put
from memoryapp.narrate.stale import print_of, stale, summaries_of, summary_id
from memoryapp.spaces import Space
from memoryapp.store.write import new_run

_TRIES = 4
_FOR_MODEL = 40  # facts a chat model is shown
_WORDS = 700  # tokens of its answer
_INSTRUCTIONS = (
    "You are given facts from an agent's memory, all of one category, the most trusted first. Write what is known as "
    f"one plain narrative of at most {SENTENCES} sentences, in the third person and in the language of the facts. Say "
    "nothing that the facts do not say, leave nothing important out, say nothing twice. Where a fact is marked "
    "(disputed), say that it is disputed. Answer with the narrative alone: no heading, no list, no remarks."
)


@dataclass(frozen=True, slots=True)
class _Told:
    """A summary's words and what they were made from: `held` facts of its category, as they stood at `at`. `problem`:
    why the model did not write them."""

    text: str
    facts: tuple[Stated, ...]
    held: int
    at: datetime
    by: str = BY_RULES
    problem: str = ""
    cost: Cost = Cost()


def refresh_summaries(
    space: Space,
    *,
    model: ChatModel | None,
    actor: Actor,
    categories: Collection[Category] | None = None,
    force: bool = False,
) -> tuple[Memory, ...]:
    """Writes the summaries that are stale, of these categories or of all, in one run; returns those that changed.

    `force`: also those that are not stale, and those that a person has edited or put aside. Without a usable model the
    rules tell, and `detail["problem"]` says why.
    """
    wanted = [category for category in Category if categories is None or category in categories]
    why = dict.fromkeys(wanted, "asked for") if force else stale(space)
    due = {category: why[category] for category in wanted if category in why}
    if not due:
        return ()
    at = space.clock()  # before the facts are read: what is learned meanwhile is new
    told = {
        category: _tell(space, held, at=at, model=model)
        for category, held in held_facts(space).items()
        if category in due
    }
    run = _run(space, actor, due, told)
    for attempt in range(_TRIES):
        standing = summaries_of(space)
        derived = [
            made
            for category, one in told.items()
            if force or not left_alone(standing.get(category))
            if (made := _derived(category, one, standing.get(category))) is not None
        ]
        try:
            return put(space, run, derived)
        except (Stale, Clash):
            if attempt == _TRIES - 1:
                raise
    return ()


def _tell(space: Space, held: Held, *, at: datetime, model: ChatModel | None) -> _Told:
    facts = read(space, held)
    chosen = in_order(choose(facts))
    by_rules = _Told(compose(chosen), chosen, len(held.ids), at)
    usable, problem = model_of(space.tuning, model)
    if usable is None or not chosen:
        return replace(by_rules, problem=problem if chosen else "")
    shown = facts[:_FOR_MODEL]
    material = "\n".join(f"- {one.sentence}" for one in shown)
    try:
        text, cost = write(usable, _INSTRUCTIONS, material, max_tokens=_WORDS)
    except LlmError as error:
        return replace(by_rules, problem=error.detail, cost=error.cost or Cost())
    if is_english(material) and (fault := fault_of_story(text, material)):
        return replace(by_rules, problem=f"What {usable.name} wrote is not what is held: {fault}.", cost=cost)
    return replace(by_rules, text=text, facts=shown, by=f"llm: {usable.name}", cost=cost)


def _derived(category: Category, told: _Told, before: Memory | None) -> Derived | None:
    """The summary as it is to stand; put aside where nothing is left to tell, None where there never was anything."""
    if not told.facts and before is None:
        return None
    text = told.text or (before.text if before else "")
    memory = Memory(
        id=summary_id(category),
        kind=Kind.SUMMARY,
        title=category.value.capitalize(),
        text=text,
        created_at=told.at,
        updated_at=told.at,
        state=State.HELD if told.facts else State.ARCHIVED,
        category=category,
        confidence=min((one.memory.confidence for one in told.facts), default=0.0),
        memory_type=MemoryType.SEMANTIC,
        # As old as what it tells: a summary written today of facts from last year is not news.
        occurred_at=max((one.memory.last_confirmed for one in told.facts), default=told.at),
        detail={
            "facts": [one.memory.id for one in told.facts],
            "print": print_of(told.facts),
            "by": told.by,
            "problem": told.problem,
            "held": told.held,
            "at": told.at.timestamp(),
            "emptied": not told.facts,
        },
    )
    return Derived(memory, tuple(one.memory.id for one in told.facts))


def _run(space: Space, actor: Actor, due: dict[Category, str], told: dict[Category, _Told]) -> Run:
    reason = "; ".join(f"{category.value}: {why}" for category, why in due.items())
    cost = sum((one.cost for one in told.values()), Cost())
    by = sorted({one.by for one in told.values()})
    problems = sorted({one.problem for one in told.values() if one.problem})
    detail = {"categories": [category.value for category in due], **ledger(by, problems, cost)}
    return new_run("summarise", actor, now=space.clock(), reason=reason, detail=detail)
