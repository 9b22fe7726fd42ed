"""Category summaries: one memory for each category of facts, written anew where it no longer tells what is held."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import Clash, LlmError, Stale
from memoryapp.domain.fact import Cost
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, State
from memoryapp.extraction.grounding import fault_of_story, is_english
from memoryapp.inference.llm import ChatModel, write
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.store.write import new_run
from memoryapp.summaries.by_model import BY_RULES, ledger, model_of
from memoryapp.summaries.category_facts import SENTENCES, Held, Stated, choose, compose, held_facts, in_order, read
from memoryapp.summaries.put import Derived, left_alone, put

# Which category summaries no longer tell what is held, and why.


def summary_id(category: Category) -> str:
    """A category has one summary, written in place."""
    return derived_id("summary", category.value)


def summaries_of(space: Space) -> dict[Category, Memory]:
    """The summaries there are, whatever their state, by category."""
    found = memories.get_many(space.db, [summary_id(category) for category in Category])
    return {category: found[summary_id(category)] for category in Category if summary_id(category) in found}


def stale(space: Space) -> dict[Category, str]:
    """The categories whose summary is to be written anew, each with the reason. Costs a look at the index and a read
    of what the summaries tell."""
    held, summaries = held_facts(space), summaries_of(space)
    reasons = {category: _why(space, held[category], summaries.get(category)) for category in Category}
    return {category: why for category, why in reasons.items() if why}


def _why(space: Space, held: Held, summary: Memory | None) -> str:
    if summary is None or summary.detail.get("emptied"):
        enough = len(held.ids) >= space.tuning.summary_after
        return f"{len(held.ids)} facts and no summary of them yet" if enough else ""
    if left_alone(summary):
        return ""
    if why := outdated(space, held, summary):
        return why
    since = float(summary.detail.get("at", 0.0))
    # Facts that came back count as new ones: they were not among those that it was made from.
    grown = len(held.ids) - int(summary.detail.get("held", 0))
    new = max(sum(learned > since for learned in held.learned.values()), grown)
    return f"{new} new facts" if new >= space.tuning.summary_after else ""


def outdated(space: Space, held: Held, summary: Memory) -> str:
    """Why a summary tells what does not hold any more; "" where all it tells stands as it was told."""
    told = [str(key) for key in summary.detail.get("facts", ())]
    if any(key not in held.trusts for key in told):
        return "a fact that it tells is no longer held"
    if not told:
        return "it tells nothing" if held.ids and summary.state is State.HELD else ""
    if print_of(read(space, held, keys=told)) != summary.detail.get("print"):
        return "a fact that it tells was corrected, disputed or decided"
    return ""


def print_of(told: tuple[Stated, ...]) -> str:
    """Equal as long as the facts told say the same and none was put in dispute or decided."""
    return content_hash("\x1f".join(f"{one.memory.id}\x1e{one.sentence}" for one in told))


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


# Summaries as they hold at this moment: one that tells what no longer does is told anew by rules, without being
# written. The next refresh writes it; an agent that asks before is not misled.


@dataclass(frozen=True, slots=True)
class Current:
    """`outdated`: why the summary that is kept was not used, "" where it was."""

    memory: Memory
    outdated: str = ""


def current_summaries(space: Space) -> tuple[Current, ...]:
    """The held summaries in the order of the categories; one whose facts are all gone is left out."""
    kept = {category: memory for category, memory in summaries_of(space).items() if memory.state is State.HELD}
    if not kept:
        return ()
    held = held_facts(space)
    found: list[Current] = []
    for category, memory in kept.items():
        why = "" if left_alone(memory) else outdated(space, held[category], memory)
        if why:
            text = compose(in_order(choose(read(space, held[category]) if held[category].ids else ())))
            memory = replace(memory, text=text)
        if memory.text:
            found.append(Current(memory, why))
    return tuple(found)
