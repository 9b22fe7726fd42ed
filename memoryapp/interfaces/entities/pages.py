"""Entities: the list with its queues, the page of one, and what a person does to names: correct, merge, part, place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryapp import graph
from memoryapp.accounts.roles import Role
from memoryapp.domain.entity import Entity, EntityState
from memoryapp.domain.errors import BadInput, Clash, Stale
from memoryapp.graph.canonical import canonical
from memoryapp.interfaces.entities.editing import (
    asked_of,
    change_response,
    edit_of,
    pairs_of,
    preview_of,
    read_edit,
    trouble_of,
)
from memoryapp.interfaces.entities.list_presenter import OFFERED, entity_of, list_of, tab_of
from memoryapp.interfaces.entities.presenter import page_of, refused_page_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.pages.clock import EITHER, RECORDED
from memoryapp.store import entities

_SUGGESTED_BY = ("q", "name", "object", "parent", "from", "to")
_STATES = {
    EntityState.KNOWN: "{} accepted",
    EntityState.REFUSED: "{} rejected, and not proposed again",
    EntityState.PROPOSED: "{} proposed again",
}


@require_GET
@page(follows=EITHER)
def entities_page(request: PageRequest) -> HttpResponse:
    made = pairs_of if tab_of(request.GET) == "alike" else list_of
    return show(request, "entities/entities.html", made(request.desk, request.GET), at="entities")


@require_GET
@page(follows=RECORDED)
def entity_page(request: PageRequest, key: str) -> HttpResponse:
    """A merged one's address leads to the one that stands for it."""
    one = entities.get(request.desk.memory.db, key)
    stands = canonical(request.desk.memory.db, key)
    if stands.id != key:
        return HttpResponseRedirect(reverse("entity", args=[stands.id]))
    if one.state is EntityState.REFUSED:
        return show(request, "entities/entity.html", refused_page_of(request.desk, one), at="entities")
    return show(request, "entities/entity.html", page_of(request.desk, key, request.GET), at="entities")


@require_GET
@page()
def suggest(request: PageRequest) -> HttpResponse:
    """Names to choose from while one types: options of a field, or as JSON."""
    text = next(filter(None, (request.GET.get(name, "").strip()[:200] for name in _SUGGESTED_BY)), "")
    found = graph.listing(request.desk.memory, text=text, limit=OFFERED + 1).items if text else ()
    offered = [row.entity for row in found if row.entity.id != request.GET.get("not")][:OFFERED]
    if request.GET.get("format") == "json":
        told = [{"id": e.id, "name": e.name, "type": e.type, "aliases": list(e.aliases)} for e in offered]
        return JsonResponse({"items": told})
    return show(request, "entities/names.html#", {"found": offered})


@require_POST
@page(Role.CURATOR)
def bulk(request: PageRequest) -> HttpResponse:
    """One act on the picked entities, as one run."""
    act, ids = request.POST.get("act", ""), request.POST.getlist("ids")
    space, actor = request.desk.memory, request.desk.actor
    if not ids:
        raise BadInput("No entity is selected.", field="ids")
    if act == "type":
        changed, run = graph.retype(space, ids, request.POST.get("type", ""), actor=actor)
        became = f"{_subject_text(changed)} now of type “{changed[0].type}”" if changed else ""
    elif act in ("take-in", "refuse"):
        state = EntityState.KNOWN if act == "take-in" else EntityState.REFUSED
        changed, run = graph.decide_entities(space, ids, state, actor=actor)
        became = _STATES[state].format(_subject_text(changed))
    else:
        raise BadInput(f"“{act[:40]}” cannot be done to entities.", field="act")
    return change_response(request, f"{became}.", run) if changed else change_response(request, "No change.")


def _subject_text(changed: Sequence[Entity]) -> str:
    if len(changed) == 1:
        return f"{changed[0].name} is"
    return f"{human.count_text(len(changed), 'entity', 'entities')} are"


@require_POST
@page(Role.CURATOR)
def add(request: PageRequest) -> HttpResponse:
    """Names an entity, and goes on to its page."""
    space, sent = request.desk.memory, request.POST
    told = read_edit(sent)
    try:
        one, run, linked = graph.add_entity(
            space,
            told.get("name", ""),
            type=told.get("type", ""),
            aliases=told.get("aliases", ()),
            actor=request.desk.actor,
        )
    except (BadInput, Clash) as error:
        if request.htmx.target != "new-entity-said":
            raise
        return show(request, "entities/trouble.html#", trouble_of(space, None, sent, error), status=422)
    named = human.count_text(linked, "memory", "memories")
    return change_response(
        request, f"{one.name} added, {named} linked to it.", run, to=reverse("entity", args=[one.id])
    )


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def edit(request: PageRequest, key: str) -> HttpResponse:
    """GET opens the edit in the name's place; POST saves what is sent of name, type, aliases."""
    space = request.desk.memory
    if request.method == "GET":
        return show(request, "entities/edit.html#", edit_of(space, key))
    before = entities.get(space.db, key)
    try:
        after, run = graph.edit_entity(space, key, **read_edit(request.POST), actor=request.desk.actor)
    except (BadInput, Clash, Stale) as error:
        if request.htmx.target != "edit-said":
            raise
        return show(request, "entities/trouble.html#", trouble_of(space, before, request.POST, error), status=422)
    if after.version == before.version:
        return change_response(request, "No change.")
    renamed = after.name != before.name
    return change_response(
        request, f"{before.name} is now called {after.name}." if renamed else f"{after.name} saved.", run
    )


@require_POST
@page(Role.CURATOR)
def put_state(request: PageRequest, key: str) -> HttpResponse:
    """Takes a name in, refuses it, or proposes it again."""
    try:
        state = EntityState(request.POST.get("state", ""))
    except ValueError:
        raise BadInput(f"Name a state: {', '.join(EntityState)}.", field="state") from None
    before = entities.get(request.desk.memory.db, key)
    after, run = graph.decide_entity(request.desk.memory, key, state, actor=request.desk.actor)
    if after.state == before.state:
        return change_response(request, f"{before.name} has not changed.")
    return change_response(request, f"{_STATES[state].format(f'{after.name} is')}.", run)


@require_http_methods(["GET", "POST"])
@page(Role.CURATOR)
def merge(request: PageRequest) -> HttpResponse:
    """GET tells what it would make; POST makes it."""
    space = request.desk.memory
    if request.method == "GET":
        return _preview(request)
    keep, gone = asked_of(space, request.POST)
    names = [one.name for one in entities.get_many(space.db, gone).values()]
    stands, run = graph.merge(
        space, keep, gone, actor=request.desk.actor, reason=request.POST.get("reason", "").strip()[:300]
    )
    which = names[0] if len(names) == 1 else human.count_text(len(names), "name")
    to = reverse("entity", args=[stands.id]) if request.POST.get("go") else ""
    return change_response(request, f"Merged {which} into {stands.name}.", run, to=to)


def _preview(request: PageRequest) -> HttpResponse:
    """In its popover a refusal is said there."""
    if not request.htmx:
        return show(request, "entities/merge.html", preview_of(request.desk.memory, request.GET), at="entities")
    context: dict[str, Any]
    try:
        context = preview_of(request.desk.memory, request.GET)
    except (BadInput, Clash) as error:
        context = {"problem": error.detail}
    return show(request, "entities/merge.html#preview", context)


@require_POST
@page(Role.CURATOR)
def part(request: PageRequest, key: str) -> HttpResponse:
    one, run = graph.part(request.desk.memory, key, actor=request.desk.actor)
    return change_response(request, f"{one.name} was unmerged.", run)


@require_POST
@page(Role.CURATOR)
def not_alike(request: PageRequest) -> HttpResponse:
    space, sent = request.desk.memory, request.POST
    pair = graph.not_alike(space, sent.get("one", ""), sent.get("other", ""), actor=request.desk.actor)
    ends = entities.get_many(space.db, [pair.one, pair.other])
    told = f"{ends[pair.one].name} and {ends[pair.other].name} stay separate."
    return change_response(request, told, undo=reverse("entity-alike-again", args=[pair.id]))


@require_POST
@page(Role.CURATOR)
def alike_again(request: PageRequest, key: str) -> HttpResponse:
    """Takes back that two are not the same: the pair waits again."""
    graph.perhaps_alike(request.desk.memory, key)
    return change_response(request, "The pair is waiting again.")


@require_POST
@page(Role.CURATOR)
def under(request: PageRequest, key: str) -> HttpResponse:
    space = request.desk.memory
    parent = entity_of(space, request.POST.get("parent", ""), field="parent")
    _, run = graph.put_under(space, key, parent.id, actor=request.desk.actor)
    return change_response(request, f"{entities.get(space.db, key).name} is now under {parent.name}.", run)


@require_POST
@page(Role.CURATOR)
def not_under(request: PageRequest, key: str) -> HttpResponse:
    space = request.desk.memory
    parent = entity_of(space, request.POST.get("parent", ""), field="parent")
    _, run = graph.take_from_under(space, key, parent.id, actor=request.desk.actor)
    return change_response(request, f"{entities.get(space.db, key).name} is no longer under {parent.name}.", run)
