"""Relations between entities, as a person looks at one, corrects, refuses, takes it in, or makes it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from memoryapp import graph
from memoryapp.accounts.roles import Role
from memoryapp.domain.relation import RelationState, RelationType
from memoryapp.interfaces.entities.editing import change_response
from memoryapp.interfaces.entities.list_presenter import entity_of, names_of, relations_of, sentence, words_of
from memoryapp.interfaces.entities.presenter import MADE_BY, marks_of
from memoryapp.interfaces.memories.rows import rows_of
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.store import memories, relations

_FACTS = 3


@require_GET
@page()
def relation(request: PageRequest, key: str) -> HttpResponse:
    """One relation with all that say the same, and where they were found: what its popover holds."""
    space = request.desk.memory
    every = graph.saying_the_same(space, key)
    one = every[0]
    facts = [other.fact for other in every if other.fact]
    found = memories.get_many(space.db, facts[:_FACTS])
    context: dict[str, Any] = {
        "relation": one,
        "told": sentence(one, names_of(space, [one])),
        "by": MADE_BY[one.made_by],
        "marks": marks_of(one),
        "rows": rows_of(space, [found[fact] for fact in facts[:_FACTS] if fact in found]),
        "rows_more": max(len(facts) - _FACTS, 0),
        "kind": str(one.type).replace("_", " "),
        "kinds": [kind.replace("_", " ") for kind in relations_of(space)],
        "is_a": one.type == RelationType.IS_A,
        "may": request.desk.may.decide and not request.GET.get("as_of"),
    }
    return show(request, "entities/relation.html#", context)


@require_POST
@page(Role.CURATOR)
def add(request: PageRequest) -> HttpResponse:
    """`subject` `type` `object`, each end by id or name; `way` "in" turns it round."""
    space, sent = request.desk.memory, request.POST
    ends = [entity_of(space, sent.get(name, ""), field=name) for name in ("subject", "object")]
    if sent.get("way") == "in":
        ends.reverse()
    made, run = graph.add_relation(
        space, ends[0].id, sent.get("type", ""), ends[1].id, label=sent.get("label", ""), actor=request.desk.actor
    )
    return change_response(request, f"{ends[0].name} {words_of(made)} {ends[1].name}.", run)


@require_POST
@page(Role.CURATOR)
def change(request: PageRequest, key: str) -> HttpResponse:
    """Another type, or planned or not; with `every` of all that say the same, in one run."""
    space, sent = request.desk.memory, request.POST
    planned = {"1": True, "0": False}.get(sent.get("planned", ""))
    changed, run = graph.change_relations(
        space, _relation_ids(request, key), type=sent.get("type", ""), planned=planned, actor=request.desk.actor
    )
    if not changed:
        return change_response(request, "No change.")
    return change_response(request, f"It now reads: {sentence(changed[0], names_of(space, changed[:1]))}.", run)


@require_POST
@page(Role.CURATOR)
def refuse(request: PageRequest, key: str) -> HttpResponse:
    """Hides it for good; with `every` all that say the same."""
    space = request.desk.memory
    one = relations.get(space.db, key)
    told = sentence(one, names_of(space, [one]))
    changed, run = graph.refuse_relations(space, _relation_ids(request, key), actor=request.desk.actor)
    return (
        change_response(request, f"Rejected: {told}.", run)
        if changed
        else change_response(request, f"Already rejected: {told}.")
    )


@require_POST
@page(Role.CURATOR)
def hold(request: PageRequest, key: str) -> HttpResponse:
    """Says that it is so: no hint any more, and held again where it was refused."""
    space = request.desk.memory
    before = relations.get(space.db, key)
    after, run = graph.hold_relation(space, key, actor=request.desk.actor)
    told = sentence(after, names_of(space, [after]))
    if after.version == before.version:
        return change_response(request, f"Already accepted: {told}.")
    return change_response(
        request, f"{'Restored' if before.state is RelationState.REFUSED else 'Accepted'}: {told}.", run
    )


def _relation_ids(request: PageRequest, key: str) -> list[str]:
    if not request.POST.get("every"):
        return [key]
    return [one.id for one in graph.saying_the_same(request.desk.memory, key)]
