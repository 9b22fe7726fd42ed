"""Addresses of a grown space: the pages as people open them, the lists of the API near their start and far down, and
what the graph and the tree show; each with an example that a space of any size has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import quote, urlencode

from django.test import Client
from django.urls import reverse

from benchmarks import scale_made as made
from benchmarks import scale_words as said
from memoryapp.accounts.people import first_admin

API = "/api/v1"
LISTS = ("memories", "facts", "entities", "conflicts", "audit", "runs", "sessions", "feedback", "episodes", "jobs")
_LARGEST = 200  # what one page of a list may hold
_DEEP = 25  # pages that are turned before the one that is measured
_HELD = made.memory_key(45)  # a fact that refers to entities, is at odds with none, and is never changed
_TALK = made.session_of(50)  # ended


def browser() -> Client:
    """Somebody who may see everything, signed in."""
    client = Client(SERVER_NAME="localhost")
    client.force_login(first_admin())
    return client


def pages() -> dict[str, str]:
    """By name, the address of each page with something on it."""
    from memoryapp.domain.identity import derived_id

    most, few = made.entity_key(0), made.entity_key(20)
    asked, talk = urlencode({"q": said.question(45)}), derived_id("session", _TALK)
    found = {
        "Home": reverse("home"),
        "Memories": reverse("memories"),
        "Facts": reverse("facts"),
        "One memory": reverse("memory", args=[_HELD]),
        "A document": reverse("document", args=[made.document_key(0)]),
        "Graph": reverse("graph"),
        "Graph, its map": reverse("graph-scene"),
        "Graph, around one": f"{reverse('graph-scene')}?start={most}",
        "Graph, beside it": reverse("graph-panel", args=[most]),
        "Entities": reverse("entities"),
        "One entity, of much": reverse("entity", args=[most]),
        "One entity, of little": reverse("entity", args=[few]),
        "Conflicts": reverse("conflicts"),
        "Conflicts, decided": f"{reverse('conflicts')}?tab=decided",
        "Audit": reverse("audit"),
        "Sessions": reverse("sessions"),
        "One session": reverse("session", args=[talk]),
        "Episodes": reverse("episodes"),
        "Tree": reverse("tree"),
        "A node": reverse("tree-node", args=["area-0/topic-0"]),
        "Search": f"{reverse('search')}?{asked}",
        "Search lab": f"{reverse('lab')}?{asked}",
        "Context": f"{reverse('context')}?{asked}",
        "Summaries": reverse("summaries"),
        "Golden": reverse("golden"),
        "Feedback": reverse("feedback"),
        "Ingest": reverse("ingest"),
        "Consolidate": reverse("consolidate"),
        "Jobs": reverse("jobs"),
        "Settings": reverse("settings"),
        "Health": reverse("settings-health"),
    }
    return found


def answers(client: Client) -> dict[str, str]:
    """By name, addresses of the API: each list at its start and far down, and single questions."""
    most, few = made.entity_key(0), made.entity_key(20)
    found = {
        "GET /stats": f"{API}/stats",
        "GET /memories/{id}": f"{API}/memories/{_HELD}",
        "GET /relations of an entity": f"{API}/relations?entity={most}&limit=50",
        "GET /graph around one": f"{API}/graph?{urlencode({'start': most})}",
        "GET /graph/path": f"{API}/graph/path?{urlencode({'start': few, 'end': made.entity_key(30)})}",
        "GET /tree": f"{API}/tree",
        "GET /consolidate/runs": f"{API}/consolidate/runs",
        "GET /episodes/days": f"{API}/episodes/days",
        "GET /entities/alike": f"{API}/entities/alike",
    }
    for name in LISTS:
        found[f"GET /{name}"] = f"{API}/{name}?limit=50"
        if deep := _far_down(client, name):
            found[f"GET /{name}, far down"] = deep
    return found


def _far_down(client: Client, name: str) -> str:
    """The address of a page of fifty after many others; "" where the list ends before."""
    address = ""
    for cursor in _turned(client, f"{API}/{name}?limit={_LARGEST}"):
        address = f"{API}/{name}?limit=50&cursor={quote(cursor)}"
    return address


def _turned(client: Client, address: str) -> Iterator[str]:
    cursor = ""
    for _ in range(_DEEP):
        answer = client.get(f"{address}&cursor={quote(cursor)}" if cursor else address)
        if answer.status_code != 200:
            raise AssertionError(f"{address} answered {answer.status_code}: {answer.content[:300]!r}")
        cursor = json.loads(answer.content).get("next_cursor") or ""
        if not cursor:
            return
        yield cursor
