"""Two doors by address: pages for people, JSON for programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from memoryapp.api import problems
from memoryapp.web.access import missing_page

handler400 = "memoryapp.api.problems.refused_request"
handler404 = "memoryapp.urls.nothing_here"
urlpatterns = [
    path("", include("memoryapp.api.urls")),
    path("", include("memoryapp.web.urls")),
]


def nothing_here(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """An address that is not there: a problem for programs, a page for people, within the app for who is signed in."""
    if problems.is_for_programs(request) or not (getattr(request, "user", None) and request.user.is_authenticated):
        return problems.nothing_here(request, exception)
    return missing_page(request)
