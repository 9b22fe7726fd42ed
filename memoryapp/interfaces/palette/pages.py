"""The command palette's answers, as a part of the page: what is offered, and what is found while one types."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from memoryapp.domain.limits import LIMITS
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.pages.clock import EITHER
from memoryapp.interfaces.palette.presenter import RECENT, search_palette, suggestions_of


@require_GET
@page(follows=EITHER)
def palette(request: PageRequest) -> HttpResponse:
    """`q`: what was typed. `recent`: what this browser opened lately, the last first."""
    text = " ".join(request.GET.get("q", "").split())[: LIMITS.query_chars]
    recent = request.GET.getlist("recent")[: 2 * RECENT]
    listed = search_palette(request.desk, text) if text else suggestions_of(request.desk, recent)
    return show(request, "palette/found.html#", {"found": listed, "asked": text})
