"""What the example's two agents asked while the memory grew: searches, and context for messages. They leave traces, and
feedback on what was given."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from memoryapp import review
from memoryapp.context import prompt_context, trace_context
from memoryapp.demo.talks import AGENT
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.results import Query
from memoryapp.domain.trace import Act, Asker
from memoryapp.search import search, trace_search
from memoryapp.spaces import Space

SCOUT = "scout"
AGENTS = (AGENT, SCOUT)
TOP = 3


@dataclass(frozen=True, slots=True)
class Call:
    """`ago`: days before today. `helped`: whether the first of what was given was of use; None where nothing was said
    of it."""

    ago: int
    agent: str
    act: Act
    words: str
    helped: bool | None


CALLS = (
    Call(19, AGENT, Act.CONTEXT, "Mina wants to know when the backup runs.", True),
    Call(18, SCOUT, Act.SEARCH, "Who looks after the Terraform state?", None),
    Call(16, AGENT, Act.SEARCH, "Why did the embedding run die?", True),
    Call(14, SCOUT, Act.SEARCH, "Which port does the metrics server listen on?", True),
    Call(13, AGENT, Act.CONTEXT, "Adam asks why we chose SurrealDB.", True),
    Call(12, SCOUT, Act.SEARCH, "What is the password of the office Wi-Fi?", None),
    Call(11, AGENT, Act.SEARCH, "When does the nightly backup run?", True),
    Call(9, SCOUT, Act.SEARCH, "Who owns the Terraform modules?", True),
    Call(9, AGENT, Act.CONTEXT, "Draft the retro: what did the restore drill show?", True),
    Call(6, SCOUT, Act.SEARCH, "What may Mina not eat?", True),
    Call(5, SCOUT, Act.CONTEXT, "Book a GPU for a run of three hours.", True),
    Call(4, AGENT, Act.SEARCH, "Which GPU is used for long runs?", True),
    Call(3, AGENT, Act.SEARCH, "가치관이 뭐야?", True),
    Call(2, SCOUT, Act.SEARCH, "What colour is the accent?", False),
    Call(2, SCOUT, Act.SEARCH, "When is Priya's first day?", None),
    Call(1, AGENT, Act.CONTEXT, "May I deploy on Friday evening?", True),
)


def ask(space: Space, one: Call, asker: Callable[[str], Asker]) -> None:
    """Asks as the agent would, and leaves the trace and its word of feedback. `asker`: whose key an agent of this name
    has. Raises what search raises."""
    began, who = time.perf_counter(), asker(one.agent)
    if one.act is Act.CONTEXT:
        found = prompt_context(space, one.words, record=True)
        trace_context(space, one.words, found, who, began=began)
        given = [item.memory.id for layer in found.layers for item in layer.items]
    else:
        answer = search(space, Query(one.words, top_k=TOP, floor=space.tuning.relevance_floor))
        trace_search(space, answer, who, began=began)
        given = [hit.memory.id for hit in answer.hits]
    if one.helped is None or not given:
        return
    said = {"used": given[:1], "not_useful": given[2:TOP]} if one.helped else {"used": [], "not_useful": given[:2]}
    review.feedback(space, **said, query=one.words, actor=Actor(ActorKind.AGENT, one.agent))
