"""The graph explorer: the page, the scene as JSON, one entity beside it, a path, a file to take away."""

from __future__ import annotations

from urllib.parse import quote

from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from memoryapp import graph
from memoryapp.domain.entity import Entity, normal_form
from memoryapp.interfaces.graph.presenter import KEYS, community_of, names_of, page_of, panel_of
from memoryapp.interfaces.graph.scene import asked_of, scene_of, wire
from memoryapp.interfaces.pages.access import PageRequest, page, redirect_with_message, show
from memoryapp.interfaces.pages.clock import RECORDED
from memoryapp.interfaces.pages.filters import moment_of, whole_number
from memoryapp.spaces import Space

_OFFERED = 12
_XML = "application/graphml+xml; charset=utf-8"


@require_GET
@page(follows=RECORDED)
def graph_page(request: PageRequest) -> HttpResponse:
    shown = scene_of(request.desk.memory, asked_of(request.GET))
    context = page_of(request.desk, shown, request.GET, rows=_rows(request))
    return show(request, "graph/graph.html", {**context, "page_keys": KEYS}, at="graph")


@require_GET
@page(follows=RECORDED)
def scene_details(request: PageRequest) -> HttpResponse:
    """All but the drawing, for a scene that was changed where it stands."""
    shown = scene_of(request.desk.memory, asked_of(request.GET))
    context = page_of(request.desk, shown, request.GET, rows=_rows(request))
    return show(request, "graph/beside.html#", {**context, "oob": True}, at="graph")


@require_GET
@page(follows=RECORDED)
def scene(request: PageRequest) -> HttpResponse:
    return JsonResponse(wire(scene_of(request.desk.memory, asked_of(request.GET))))


@require_GET
@page(follows=RECORDED)
def panel(request: PageRequest, key: str) -> HttpResponse:
    as_of = moment_of(request.GET, "as_of")
    context = panel_of(request.desk.memory, key, as_of=as_of)
    return show(request, "graph/panel.html#", {**context, "may": request.desk.may.decide and as_of is None})


@require_GET
@page(follows=RECORDED)
def community_panel(request: PageRequest, number: str) -> HttpResponse:
    """A community beside the drawing: of what types it is, and who is joined best."""
    as_of = moment_of(request.GET, "as_of")
    return show(request, "graph/community.html#", community_of(request.desk.memory, int(number), as_of=as_of))


@require_GET
@page(follows=RECORDED)
def names(request: PageRequest) -> HttpResponse:
    """What the search within the drawing offers: names that hold the text; with none, the last and the best joined."""
    text = request.GET.get("q", "").strip()[:200]
    return show(request, "graph/names.html#", {"text": text, "groups": names_of(request.desk.memory, text)})


@require_GET
@page(follows=RECORDED)
def find(request: PageRequest) -> HttpResponse:
    """Starts from the entity of a name; where there is none, from what a search finds."""
    text = request.GET.get("q", "").strip()[:500]
    known = _find_entity(request.desk.memory, text)
    asked = f"?start={known.id}" if known else f"?q={quote(text)}" if text else ""
    return HttpResponseRedirect(reverse("graph") + asked)


@require_GET
@page(follows=RECORDED)
def find_path(request: PageRequest) -> HttpResponse:
    """From one name to another."""
    texts = [request.GET.get(name, "").strip()[:200] for name in ("from", "to")]
    ends = [_find_entity(request.desk.memory, text) for text in texts]
    missing = next((text for text, end in zip(texts, ends, strict=True) if end is None), None)
    if missing is not None:
        what = f"Nothing is called “{missing[:80]}”" if missing else "A path has two ends"
        return redirect_with_message(request, reverse("graph"), f"{what}. Choose both ends from the suggested names.")
    one, other = (end.id for end in ends if end is not None)
    if one == other:
        return redirect_with_message(request, f"{reverse('graph')}?start={one}", "Both ends are the same entity.")
    return HttpResponseRedirect(f"{reverse('graph')}?path={one},{other}")


@require_GET
@page(follows=RECORDED)
def export(request: PageRequest) -> HttpResponse:
    shown = scene_of(request.desk.memory, asked_of(request.GET))
    answer = HttpResponse(graph.graphml(shown.scene), content_type=_XML)
    name = f"{request.desk.space.name}.graphml"
    answer["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(name)}"
    return answer


def _find_entity(space: Space, text: str) -> Entity | None:
    """The entity of exactly this name, else the first whose name holds it."""
    if not text:
        return None
    found = [row.entity for row in graph.listing(space, text=text, limit=_OFFERED).items]
    wanted = normal_form(text)
    exact = (one for one in found if wanted in {one.normal, *map(normal_form, one.aliases)})
    return next(exact, next(iter(found), None))


def _rows(request: PageRequest) -> int:
    return whole_number(request.GET.get("rows", "")) or 0
