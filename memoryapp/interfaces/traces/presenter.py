"""Traces made ready for their pages: a line a call, the figures above them, and one call with what was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from memoryapp.accounts.roles import Role
from memoryapp.domain.memory import State
from memoryapp.domain.trace import Act, Result, Trace
from memoryapp.interfaces.context.presenter import LAYER_NAMES
from memoryapp.interfaces.pages import human, wording
from memoryapp.review.traces import GivenMemory
from memoryapp.store.traces import Sums

RESULTS = {
    Result.ANSWERED: "answered",
    Result.UNCLEAR: "nothing clear",
    Result.NOTHING: "nothing",
    Result.NO_ROOM: "no room",
}
EXPLANATIONS = {
    Result.UNCLEAR: "Nothing clearly relevant was found: the agent was told that these are the closest.",
    Result.NOTHING: "Nothing relevant was found: the agent was told so.",
    Result.NO_ROOM: "There were memories for it, but the budget held none of them.",
}
_LOOKS = {Result.ANSWERED: "good", Result.UNCLEAR: "caution", Result.NOTHING: "caution", Result.NO_ROOM: "caution"}
_LINE = 320  # characters of a memory


@dataclass(frozen=True, slots=True)
class TraceRow:
    """A call in the list. `used`: memories of which the agent said that it used them."""

    trace: Trace
    used: int
    lang: str

    @property
    def id(self) -> str:
        return self.trace.id

    @property
    def word(self) -> str:
        return RESULTS[self.trace.result]

    @property
    def look(self) -> str:
        return _LOOKS[self.trace.result]

    @property
    def given(self) -> int:
        return len(self.trace.given)

    @property
    def took(self) -> str:
        return human.millis(self.trace.ms)


@dataclass(frozen=True, slots=True)
class GivenRow:
    """A memory of a call. `marked`: its words with the sentence that answered marked; `why`: the address that explains
    its rank in the Search lab."""

    part: GivenMemory
    rank: int
    marked: str
    lang: str
    href: str
    why: str
    layer: str

    @property
    def kind(self) -> str:
        return self.part.memory.kind.value if self.part.memory else ""

    @property
    def state(self) -> str:
        memory = self.part.memory
        return memory.state.value if memory and memory.state is not State.HELD else ""

    @property
    def relevance(self) -> str:
        relevance = self.part.given.relevance
        return "" if relevance is None else f"{relevance:.0%} relevant"


def seen_by(role: Role) -> tuple[str, ...] | None:
    """The roles of agents whose calls somebody of this role may see; None for all."""
    return None if role.allows(Role.CURATOR) else tuple(one.value for one in Role if role.allows(one))


def trace_rows(shown: Sequence[Trace], uses: Mapping[str, Mapping[str, int]]) -> list[TraceRow]:
    return [
        TraceRow(one, sum(use > 0 for use in uses.get(one.id, {}).values()), wording.language(one.question))
        for one in shown
    ]


def figures_of(sums: Sums) -> list[tuple[str, str]]:
    """(name, value) of what the calls come to."""
    answered = sums.by_result.get(Result.ANSWERED, 0)
    return [
        ("calls", human.number(sums.calls)),
        ("answered", f"{answered / sums.calls:.0%}" if sums.calls else "–"),
        ("median time", human.millis(sums.ms)),
        ("median tokens", human.number(sums.tokens)),
    ]


def given_rows(trace: Trace, given: Sequence[GivenMemory]) -> list[GivenRow]:
    found = []
    for rank, part in enumerate(given, start=1):
        memory = part.memory
        answer = wording.plain(part.answer)
        text = "" if memory is None or part.withheld else wording.excerpt(memory.text, limit=_LINE, answer=answer)
        above = f"?{urlencode({'inherited_from': part.given.inherited_from})}" if part.given.inherited_from else ""
        found.append(
            GivenRow(
                part,
                rank,
                wording.mark_terms(text, (), answer=answer),
                wording.language(text),
                reverse("memory", args=[memory.id]) + above if memory and not part.withheld else "",
                lab_of(trace, memory=part.given.memory),
                next((name for key, name in LAYER_NAMES.items() if key.value == part.given.layer), ""),
            )
        )
    return found


def lab_of(trace: Trace, *, memory: str = "") -> str:
    """The Search lab with the same question, asking where this memory stands."""
    asked = {"q": trace.question, "strategy": trace.strategy} | ({"memory": memory} if memory else {})
    return f"{reverse('lab')}?{urlencode(asked)}" + ("#expected" if memory else "")


def again_of(trace: Trace) -> str:
    """The page that asks the same once more: the search, or the context preview with the same budget."""
    if trace.act is Act.SEARCH:
        return f"{reverse('search')}?{urlencode({'q': trace.question, 'strategy': trace.strategy})}"
    budget = {} if trace.budget is None else {"budget": str(trace.budget)}
    return f"{reverse('context')}?{urlencode({'m': trace.question} | budget)}"


def text_of(asked: QueryDict, name: str) -> str:
    return asked.get(name, "").strip()[:300]
