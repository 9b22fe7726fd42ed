"""Category summaries: one memory for each category of facts, written anew where it no longer tells what is held. The
facts are those believed now: the index says which, the store what they say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from memoryapp.domain.change import Actor, Run
from memoryapp.domain.errors import LlmError
from memoryapp.domain.fact import Cost
from memoryapp.domain.filters import Filters
from memoryapp.domain.identity import content_hash, derived_id
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, State
from memoryapp.extraction.grounding import fault_of_story, is_english
from memoryapp.index.roster import CATEGORIES, NONE
from memoryapp.inference.llm import ChatModel, write
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories
from memoryapp.store.retry import retry_write
from memoryapp.store.write import new_run
from memoryapp.summaries.by_model import BY_RULES, ledger, model_of
from memoryapp.summaries.sentences import repeats, terms
from memoryapp.summaries.writer import DerivedMemory, is_left_alone, write_derived

# What is known in one category, told by rules: the most trusted facts, by whom they are about, nothing said twice.

SENTENCES = 12
DISPUTED = "(disputed)"
_ENDED = re.compile(r"[.!?…。！？]['\"”’)\]]*$")
# Whom a sentence is about, where nothing says so: the capitalised words it begins with.
_NAMED = re.compile(r"^((?i:the user|the assistant)|[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2})(?=[ :])")
_POSSESSIVE = re.compile(r"['’]s?$")
READ = 60  # facts of one category that are read: what is trusted less is not told anyway
_FOR_MODEL = 40  # facts a chat model is shown
_WORDS = 700  # tokens of its answer
_INSTRUCTIONS = (
    "You are given facts from an agent's memory, all of one category, the most trusted first. Write what is known as "
    f"one plain narrative of at most {SENTENCES} sentences, in the third person and in the language of the facts. Say "
    "nothing that the facts do not say, leave nothing important out, say nothing twice. Where a fact is marked "
    "(disputed), say that it is disputed. Answer with the narrative alone: no heading, no list, no remarks."
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact with how far it is trusted now, and whether a conflict about it waits for a decision."""

    memory: Memory
    trust: float
    disputed: bool = False

    @property
    def sentence(self) -> str:
        said = " ".join(self.memory.text.split())
        said = said if _ENDED.search(said) else f"{said}."
        return f"{said} {DISPUTED}" if self.disputed else said


def choose_statements(facts: Sequence[Statement], *, limit: int = SENTENCES) -> tuple[Statement, ...]:
    """The most trusted facts that each say something new; ties go to what was confirmed last, then by id."""
    ranked = sorted(facts, key=lambda s: (-round(s.trust, 6), -s.memory.last_confirmed.timestamp(), s.memory.id))
    chosen: list[Statement] = []
    said: list[frozenset[str]] = []
    for stated in ranked:
        words = terms(stated.memory.text)
        if len(chosen) == limit:
            break
        # What two facts dispute differs in a word or two: both sides are told, or neither would be marked.
        if stated.disputed or not repeats(words, said):
            chosen.append(stated)
            said.append(words)
    return tuple(chosen)


def compose_summary(chosen: Sequence[Statement]) -> str:
    """A paragraph for each subject, the best known one first; within it what belongs together stands together."""
    return "\n".join(" ".join(stated.sentence for stated in group) for group in _by_subject(chosen))


def in_order(chosen: Sequence[Statement]) -> tuple[Statement, ...]:
    """The chosen facts as `compose` tells them."""
    return tuple(stated for group in _by_subject(chosen) for stated in group)


def subject_of(memory: Memory) -> str:
    """The normal form of whom or what a fact is about; "" where that cannot be told."""
    for slot in memory.slots:
        subject, bar, _ = slot.partition("|")
        if bar and subject:
            return subject.casefold()
    named = _NAMED.match(memory.text)
    return _POSSESSIVE.sub("", named.group(1)).casefold() if named else ""


def _by_subject(chosen: Sequence[Statement]) -> Iterator[list[Statement]]:
    subjects: dict[str, list[Statement]] = {}
    for stated in chosen:
        subjects.setdefault(subject_of(stated.memory), []).append(stated)
    # Facts of nobody in particular come last.
    weight = {subject: sum(s.trust for s in group) for subject, group in subjects.items()}
    for subject in sorted(subjects, key=lambda one: (not one, -round(weight[one], 6), one)):
        yield _by_attribute(subjects[subject])


def _by_attribute(group: Sequence[Statement]) -> list[Statement]:
    """What fills one slot stands together, in the place of the best trusted of it."""
    first: dict[str, int] = {}
    keys = [stated.memory.slots[0] if stated.memory.slots else stated.memory.id for stated in group]
    for place, key in enumerate(keys):
        first.setdefault(key, place)
    order = sorted(range(len(group)), key=lambda n: (first[keys[n]], n))
    return [group[n] for n in order]


def statements_of(
    facts: Sequence[Memory], *, trusts: Mapping[str, float], disputed: Collection[str]
) -> tuple[Statement, ...]:
    """The facts with what is known of each. `trusts`: by id."""
    return tuple(Statement(fact, trusts.get(fact.id, 0.0), fact.id in disputed) for fact in facts)


@dataclass(frozen=True, slots=True)
class CategoryFacts:
    """Held facts of one category: their ids, the most trusted first, how far each is trusted now, and when it was
    learned (epoch seconds)."""

    ids: tuple[str, ...]
    trusts: dict[str, float]
    learned: dict[str, float]


def facts_by_category(space: Space) -> dict[Category, CategoryFacts]:
    """By category, those of a category without any facts too. A fact without a category counts as “other”."""
    space.index.refresh()
    roster, now = space.index.view().roster, space.clock()
    half_life = space.tuning.trust_half_life_days
    mask = roster.mask(Filters(kinds=(Kind.FACT,)), now=now, half_life=half_life)
    values = roster.trust(now, half_life=half_life)
    category = np.where(roster.category == NONE, CATEGORIES.index(Category.OTHER), roster.category)
    found: dict[Category, CategoryFacts] = {}
    for code, name in enumerate(CATEGORIES):
        slots = np.flatnonzero(mask & (category == code))
        slots = slots[np.lexsort((roster.order[slots], -values[slots]))]
        ids = tuple(roster.ids[slot] for slot in slots.tolist())
        trusts = dict(zip(ids, values[slots].tolist(), strict=True))
        found[name] = CategoryFacts(ids, trusts, dict(zip(ids, roster.created[slots].tolist(), strict=True)))
    return found


def read_statements(space: Space, held: CategoryFacts, *, keys: Sequence[str] = ()) -> tuple[Statement, ...]:
    """The most trusted of them, or those of `keys`, with their words."""
    wanted = list(keys or held.ids[:READ])
    found = memories.get_many(space.db, wanted)
    disputed = conflicts.waiting_for(space.db, wanted)
    return statements_of([found[key] for key in wanted if key in found], trusts=held.trusts, disputed=disputed)


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
    held, summaries = facts_by_category(space), summaries_of(space)
    reasons = {category: _due_reason(space, held[category], summaries.get(category)) for category in Category}
    return {category: why for category, why in reasons.items() if why}


def _due_reason(space: Space, held: CategoryFacts, summary: Memory | None) -> str:
    if summary is None or summary.detail.get("emptied"):
        enough = len(held.ids) >= space.tuning.summary_after
        return f"{len(held.ids)} facts and no summary of them yet" if enough else ""
    if is_left_alone(summary):
        return ""
    if why := outdated_reason(space, held, summary):
        return why
    since = float(summary.detail.get("at", 0.0))
    # Facts that came back count as new ones: they were not among those that it was made from.
    grown = len(held.ids) - int(summary.detail.get("held", 0))
    new = max(sum(learned > since for learned in held.learned.values()), grown)
    return f"{new} new facts" if new >= space.tuning.summary_after else ""


def outdated_reason(space: Space, held: CategoryFacts, summary: Memory) -> str:
    """Why a summary tells what does not hold any more; "" where all it tells stands as it was told."""
    told = [str(key) for key in summary.detail.get("facts", ())]
    if any(key not in held.trusts for key in told):
        return "a fact that it tells is no longer held"
    if not told:
        return "it tells nothing" if held.ids and summary.state is State.HELD else ""
    if print_of(read_statements(space, held, keys=told)) != summary.detail.get("print"):
        return "a fact that it tells was corrected, disputed or decided"
    return ""


def print_of(told: tuple[Statement, ...]) -> str:
    """Equal as long as the facts told say the same and none was put in dispute or decided."""
    return content_hash("\x1f".join(f"{one.memory.id}\x1e{one.sentence}" for one in told))


@dataclass(frozen=True, slots=True)
class _SummaryDraft:
    """A summary's words and what they were made from: `held` facts of its category, as they stood at `at`. `problem`:
    why the model did not write them."""

    text: str
    facts: tuple[Statement, ...]
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
        for category, held in facts_by_category(space).items()
        if category in due
    }
    run = _run(space, actor, due, told)

    def write() -> tuple[Memory, ...]:
        standing = summaries_of(space)
        derived = [
            made
            for category, one in told.items()
            if force or not is_left_alone(standing.get(category))
            if (made := _derive_summary(category, one, standing.get(category))) is not None
        ]
        return write_derived(space, run, derived)

    return retry_write(write)


def _tell(space: Space, held: CategoryFacts, *, at: datetime, model: ChatModel | None) -> _SummaryDraft:
    facts = read_statements(space, held)
    chosen = in_order(choose_statements(facts))
    by_rules = _SummaryDraft(compose_summary(chosen), chosen, len(held.ids), at)
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


def _derive_summary(category: Category, told: _SummaryDraft, before: Memory | None) -> DerivedMemory | None:
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
    return DerivedMemory(memory, tuple(one.memory.id for one in told.facts))


def _run(space: Space, actor: Actor, due: dict[Category, str], told: dict[Category, _SummaryDraft]) -> Run:
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
    held = facts_by_category(space)
    found: list[Current] = []
    for category, memory in kept.items():
        why = "" if is_left_alone(memory) else outdated_reason(space, held[category], memory)
        if why:
            text = compose_summary(
                in_order(choose_statements(read_statements(space, held[category]) if held[category].ids else ()))
            )
            memory = replace(memory, text=text)
        if memory.text:
            found.append(Current(memory, why))
    return tuple(found)
