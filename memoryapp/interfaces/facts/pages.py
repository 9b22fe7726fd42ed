"""The list of facts: the same machinery as the list of memories, strongest trust first."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.interfaces.memories.list_pages import picked
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.pages.paging import FACTS, list_of


@require_GET
@page()
def facts_page(request: PageRequest) -> HttpResponse:
    waiting = review.tallies(request.desk.memory)["waiting"]
    context = {**list_of(request, FACTS), "disputed": waiting, "form": {"kind": "fact"}}
    return show(request, "facts/facts.html", context, at="facts")


@require_POST
@page(Role.CURATOR)
def bulk(request: PageRequest) -> HttpResponse:
    return picked(request, FACTS)
