"""Search: one strategy, its hits with the reason for their place. Browsing here is no recall: nothing is counted."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from memoryapp import graph, lab
from memoryapp.accounts.first_steps import note_question
from memoryapp.domain.entity import Entity
from memoryapp.domain.errors import BadInput
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import DEFAULT, MENU
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.pages.clock import EITHER
from memoryapp.interfaces.pages.filters import adders_of, address, chips_of, filters_of, whole_number
from memoryapp.interfaces.search.presenter import doubt_of, hits_of
from memoryapp.search import search, strategy_of
from memoryapp.store import entities

FILTERS = ("kind", "state", "category", "trust", "tag", "source", "type", "since", "speaker", "mood", "entity")
_FIRST, _MOST = 10, 30


@require_GET
@page(follows=EITHER)
def search_page(request: PageRequest) -> HttpResponse:
    asked = request.GET
    text = asked.get("q", "").strip()
    strategy = strategy_of(request.desk.memory, asked.get("strategy") or DEFAULT)
    profiles = lab.profiles_of(request.desk.memory)
    filters = filters_of(asked)
    top = _top(asked.get("top", ""))
    context: dict[str, object] = {
        "asked": text,
        "strategies": MENU,
        "profiles": profiles,
        "changed": strategy.name not in {*(one.name for one in MENU), *(one.name for one in profiles)},
        "strategy": strategy,
        "chips": chips_of(asked, FILTERS, names=_names(request, filters.entities)),
        "adders": adders_of(asked, FILTERS),
        "kept": [
            (n, v) for n, values in asked.lists() if n not in ("q", "strategy", "top", "space") for v in values if v
        ],
        "action": reverse("search"),
        "clear": address(asked, without=[*FILTERS, "until"]),
    }
    if text:
        note_question(request.desk.space)
        answer = search(request.desk.memory, Query(text, strategy=strategy.name, top_k=top, filters=filters, read=True))
        context |= {
            "answer": answer,
            "hits": hits_of(request.desk.then, answer, strategy),
            "doubt": doubt_of(request.desk.memory, answer),
            "named": _named_entities(request, text),
            "arms": [{"name": str(name), "count": arm.count, "ms": arm.ms} for name, arm in answer.arms.items()],
            "more": min(top * 2 if top < 20 else _MOST, _MOST) if len(answer.hits) == top < _MOST else 0,
        }
    return show(request, "search/search.html", context, at="search")


def _top(text: str) -> int:
    if not text:
        return _FIRST
    top = whole_number(text, most=_MOST)
    if not top:
        raise BadInput(f"A page shows 1 to {_MOST} results, not “{text[:20]}”.", field="top")
    return top


def _named_entities(request: PageRequest, text: str) -> list[Entity]:
    """Entities that the question names: each has a page of its own."""
    space = request.desk.memory
    keys = graph.around_query(space, text)
    found = entities.get_many(space.db, keys)
    return [found[key] for key in keys if key in found]


def _names(request: PageRequest, keys: tuple[str, ...]) -> dict[str, str]:
    return {e.id: e.name for e in entities.get_many(request.desk.memory.db, list(keys)).values()} if keys else {}
