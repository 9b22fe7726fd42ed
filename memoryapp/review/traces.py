"""What became of what agents were given: which memories of a trace they said they used, and how those stand today."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from memoryapp.domain.feedback import FeedbackEntry
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.trace import HASHED, Given, Trace, question_id
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, traces, usage

_LATE = timedelta(days=1)  # feedback that names another question belongs to a call so long ago at most
Uses = Mapping[str, int]  # by memory: words that it was used, less words that it was not useful


@dataclass(frozen=True, slots=True)
class GivenMemory:
    """A memory of a trace as it stands today: None where it is no more, and without words where it was deleted and
    whoever looks may not read it. `answer`: the sentence that answered, unless the text was `changed` since; `use`
    above 0: the agent said that it used it, below 0: that it was not useful; `conflicts` wait for a decision."""

    given: Given
    memory: Memory | None
    answer: str = ""
    changed: bool = False
    withheld: bool = False
    use: int = 0
    conflicts: tuple[str, ...] = ()


def uses_of(space: Space, shown: Sequence[Trace]) -> dict[str, dict[str, int]]:
    """By trace and memory, what the agent said of what it was given. A word of feedback belongs to the last call
    before it in which that agent was given the memory for the same question; where it names none, or another one, to
    the last call of that day."""
    agents = sorted({one.asker.agent for one in shown})
    given = sorted({part.memory for one in shown for part in one.given if part.inherited_from is None})
    said = usage.feedback_of(space.db, given)
    words = [word for some in said.values() for word in some if word.reset is None and word.by in agents]
    if not words:
        return {}
    calls = traces.giving(space.db, agents, sorted({word.memory for word in words}))
    uses: dict[str, dict[str, int]] = {}
    for word in words:
        if (call := _call_of(word, calls)) is not None:
            of_call = uses.setdefault(call.id, {})
            of_call[word.memory] = of_call.get(word.memory, 0) + word.used - word.not_useful
    return uses


def _call_of(word: FeedbackEntry, calls: Iterable[Trace]) -> Trace | None:
    asked = question_id(word.query) if word.query else None
    last: Trace | None = None
    for call in calls:  # the newest first
        if call.at > word.at or call.asker.agent != word.by or all(word.memory != one.memory for one in call.given):
            continue
        if asked is not None and call.asked == asked:
            return call
        if last is None and word.at - call.at <= _LATE:
            last = call
            if asked is None:
                return call
    return last


def given_memories(space: Space, trace: Trace, *, may_decide: bool) -> list[GivenMemory]:
    """What was given, in its order."""
    known: dict[tuple[str | None, str], Memory] = {}
    waiting: dict[str, tuple[str, ...]] = {}
    for name, owner in _owners(space).items():
        keys = [one.memory for one in trace.given if one.inherited_from == name]
        known |= {(name, key): memory for key, memory in memories.get_many(owner.db, keys).items()}
        if name is None:
            waiting = conflicts.waiting_for(owner.db, keys)
    uses = uses_of(space, [trace]).get(trace.id, {})
    found = []
    for one in trace.given:
        memory = known.get((one.inherited_from, one.memory))
        withheld = memory is not None and memory.state is State.DELETED and not may_decide
        changed = memory is not None and memory.content_hash[:HASHED] != one.content_hash
        answer = ""
        if memory is not None and one.answer is not None and not changed and not withheld:
            answer = memory.text[one.answer[0] : one.answer[1]]
        found.append(
            GivenMemory(
                one,
                memory,
                answer,
                changed,
                withheld,
                uses.get(one.memory, 0),
                waiting.get(one.memory, ()) if one.inherited_from is None else (),
            )
        )
    return found


def _owners(space: Space) -> dict[str | None, Space]:
    """The space under None, and those that it reads along in by their names."""
    found: dict[str | None, Space] = {None: space}
    above = space.parent
    while above is not None:
        found[above.name] = above
        above = above.parent
    return found
