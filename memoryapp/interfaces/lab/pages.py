"""The search lab: one question by several plans side by side, and where an expected memory stands in each."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET
from django_htmx.http import push_url

from memoryapp.domain.errors import NotFound
from memoryapp.interfaces.lab.columns import groups_of, laboratory, lanes_of
from memoryapp.interfaces.lab.explanation import exact_in, expected_of
from memoryapp.interfaces.lab.query import FILTERS, NARROWS, TOPS, asked_of, copies_of, hidden_fields
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.pages.clock import RECORDED
from memoryapp.interfaces.pages.filters import adders_of, address, chips_of
from memoryapp.store import entities, profiles

KEYS = [("j k", "Next, previous result"), ("m", "Mark as a right answer"), ("↵", "Open")]


@require_GET
@page(follows=RECORDED)
def lab_page(request: PageRequest) -> HttpResponse:
    given, asked = request.GET, asked_of(request.GET)
    space = request.desk.memory
    lanes = lanes_of(space, asked, given=given)
    context: dict[str, object] = {
        "asked": asked,
        "lanes": lanes,
        "groups": groups_of(profiles.every(space.db)),
        "chips": chips_of(given, FILTERS, names=_names(request, asked.filters.entities)),
        "adders": adders_of(given, FILTERS),
        "kept": hidden_fields(given, without=("q", "column")),
        "narrowed": [(name, value) for name, value in hidden_fields(given) if name in NARROWS],
        "action": reverse("lab"),
        "clear": address(given, without=NARROWS),
        "tops": [top for top in TOPS if top != asked.top],
        "page_keys": KEYS,
    }
    if asked.text:
        context["lab"] = laboratory(space, asked, lanes, given=given)
        context["expected"] = expected_of(space, asked, lanes)
    return show(request, "lab/compare.html", context, at="lab")


@require_GET
@page(follows=RECORDED)
def explain_expected(request: PageRequest) -> HttpResponse:
    """The part of the page that says where the expected memory stands; the address of the page follows."""
    asked = asked_of(request.GET)
    space = request.desk.memory
    lanes = lanes_of(space, asked, given=request.GET)
    context: dict[str, object] = {"asked": asked, "expected": expected_of(space, asked, lanes)}
    answer = show(request, "lab/expected.html#", context)
    return push_url(answer, f"{reverse('lab')}?{request.GET.urlencode()}")


@require_GET
@page(follows=RECORDED)
def exact(request: PageRequest) -> HttpResponse:
    """The score of the memory `id` in the column `at`, to its last digit."""
    asked, space = asked_of(request.GET), request.desk.memory
    lanes = lanes_of(space, asked, given=request.GET)
    told = exact_in(space, asked, lanes, request.GET.get("at", ""), request.GET.get("id", ""))
    return show(request, "lab/exact.html#", {"exact": told})


@require_GET
@page(follows=RECORDED)
def take(request: PageRequest, n: int) -> HttpResponse:
    """The search of one column as curl, as Python and as a command."""
    asked, space = asked_of(request.GET), request.desk.memory
    lane = next((one for one in lanes_of(space, asked, given=request.GET) if one.n == n), None)
    if lane is None:
        raise NotFound("There is no such column.")
    root = request.build_absolute_uri("/")
    copies = copies_of(root, space=space.name, text=asked.text, plan=lane.plan, top=asked.top, filters=asked.filters)
    return show(request, "lab/copies.html#", {"lane": lane, "copies": copies})


def _names(request: PageRequest, keys: tuple[str, ...]) -> dict[str, str]:
    return {e.id: e.name for e in entities.get_many(request.desk.memory.db, list(keys)).values()} if keys else {}
