"""Traces: each search and context call of an agent, narrowed by the address; one of them with what was given."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeVar

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.keys import MARK, key_named
from memoryapp.accounts.models import ApiKey
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.domain.trace import KEPT_FOR, MOST, Act, Result, question_id
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, redirect_with_message, show
from memoryapp.interfaces.pages.filters import Adder, Chip, Field, address, day_of, span_of
from memoryapp.interfaces.pages.paging import Pager, place_after
from memoryapp.interfaces.traces.presenter import (
    EXPLANATIONS,
    RESULTS,
    again_of,
    figures_of,
    given_rows,
    lab_of,
    seen_by,
    text_of,
    trace_rows,
)
from memoryapp.review.traces import given_memories, uses_of
from memoryapp.store import traces
from memoryapp.store.traces import AgentSums, TraceFilter

PAGE = 40
_ACTS = {Act.SEARCH: "search", Act.CONTEXT: "context"}
_E = TypeVar("_E", bound=StrEnum)


@require_GET
@page()
def traces_page(request: PageRequest) -> HttpResponse:
    return show(request, "traces/traces.html", list_context(request), at="traces")


def list_context(request: PageRequest) -> dict[str, Any]:
    """A page of calls with their figures, as the address asks for them. Raises BadInput and NotFound."""
    asked, space = request.GET, request.desk.memory
    now, wanted = space.clock(), _read_filter(request)
    found = traces.page(space.db, wanted, now=now, before=place_after(asked.get("after", "")), limit=PAGE + 1)
    shown, more = found[:PAGE], len(found) > PAGE
    sums = traces.sums(space.db, wanted, now=now)
    agents = traces.agents(space.db, TraceFilter(roles=wanted.roles), now=now)
    chips = _chips(request)
    older = address(asked, after=f"{shown[-1].at.isoformat()}~{shown[-1].id}") if more else ""
    return {
        "lines": trace_rows(shown, uses_of(space, shown)),
        "agent": wanted.agent or "",
        "agents": agents,
        "figures": figures_of(sums) if sums.calls else [],
        "chips": chips,
        "adders": _adders(request, agents),
        "action": reverse("traces"),
        "clear": reverse("traces"),
        "days": KEPT_FOR.days,
        "most": MOST,
        "sees_all": wanted.roles is None,
        "pager": Pager(
            address(asked) if asked.get("after") else "",
            older,
            f"{human.number(len(shown))} of {human.count_text(sums.calls, 'call')}, newest first",
            PAGE,
            "Newest",
        ),
    }


@require_GET
@page()
def trace_page(request: PageRequest, key: str) -> HttpResponse:
    space = request.desk.memory
    one = traces.get(space.db, key, roles=seen_by(request.desk.role))
    given = given_rows(one, given_memories(space, one, may_decide=request.desk.may.decide))
    (line,) = trace_rows([one], {one.id: {shown.part.given.memory: shown.part.use for shown in given}})
    context = {
        "line": line,
        "trace": one,
        "given": given,
        "told": EXPLANATIONS.get(one.result, ""),
        "again": again_of(one),
        "lab": lab_of(one),
        "same": f"{reverse('traces')}{address(QueryDict(), question=one.question)}",
    }
    return show(request, "traces/trace.html", context, at="traces")


@require_POST
@page(Role.CURATOR)
def delete(request: PageRequest, key: str) -> HttpResponse:
    """Its question may say what should not be kept."""
    traces.delete(request.desk.memory.db, key)
    return redirect_with_message(request, reverse("traces"), "Trace deleted.")


def _read_filter(request: PageRequest) -> TraceFilter:
    asked = request.GET
    key, question = text_of(asked, "key"), text_of(asked, "question")
    return TraceFilter(
        roles=seen_by(request.desk.role),
        agent=text_of(asked, "agent") or None,
        key=f"{MARK}_{key_named(key, request.desk.space).prefix}" if key else None,
        act=_member(asked, "act", Act),
        result=_member(asked, "result", Result),
        asked=question_id(question) if question else None,
        memory=text_of(asked, "memory") or None,
        since=day_of(asked, "since"),
        until=day_of(asked, "until", after=1),
    )


def _member(asked: QueryDict, name: str, kind: type[_E]) -> _E | None:
    """Raises BadInput."""
    text = asked.get(name, "")
    try:
        return kind(text) if text else None
    except ValueError:
        raise BadInput(f"“{text[:40]}” is not a {name}. Known: {', '.join(kind)}.", field=name) from None


def _chips(request: PageRequest) -> list[Chip]:
    asked = request.GET
    told = {Result(key).value: word for key, word in RESULTS.items()}
    chips = [
        Chip(label, told.get(asked[key], asked[key])[:80], address(asked, without=[key]))
        for key, label in (
            ("agent", "Agent"),
            ("key", "Key"),
            ("result", "Result"),
            ("act", "Call"),
            ("question", "Question"),
            ("memory", "Memory"),
        )
        if asked.get(key)
    ]
    if asked.get("since") or asked.get("until"):
        chips.append(Chip("Between", span_of(asked), address(asked, without=["since", "until"])))
    return chips


def _adders(request: PageRequest, agents: tuple[AgentSums, ...]) -> list[Adder]:
    asked = request.GET

    def kept(*own: str) -> list[tuple[str, str]]:
        return [(name, asked[name]) for name in asked if name not in (*own, "after", "space") and asked[name]]

    def choice(name: str, label: str, options: list[tuple[str, str]]) -> Adder:
        on = asked.get(name, "")
        return Adder(name, label, [(value, told, value == on) for value, told in options], [], kept(name))

    keys = _keys(request) if request.desk.may.rule else []
    return [
        choice("agent", "Agent", [(one.agent, one.agent) for one in agents[:40]]),
        *([choice("key", "Key", keys)] if keys else []),
        choice("result", "Result", [(result.value, told) for result, told in RESULTS.items()]),
        choice("act", "Call", [(act.value, told) for act, told in _ACTS.items()]),
        Adder(
            "between",
            "Between",
            [],
            [
                Field("since", "From", "date", asked.get("since", "")),
                Field("until", "Until (inclusive)", "date", asked.get("until", "")),
            ],
            kept("since", "until"),
        ),
    ]


def _keys(request: PageRequest) -> list[tuple[str, str]]:
    """Keys that something was asked with here: (how it begins, what it is called)."""
    space = request.desk.memory
    begun = [key.removeprefix(f"{MARK}_") for key in traces.keys(space.db, now=space.clock())]
    known = ApiKey.objects.filter(prefix__in=begun).order_by("name")[:40]
    return [(f"{MARK}_{key.prefix}", f"{key.name}, {MARK}_{key.prefix}") for key in known]
