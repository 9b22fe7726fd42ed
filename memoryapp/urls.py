"""Two doors by address: pages for people, JSON for programs."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import include, path

from memoryapp.interfaces.api import problems
from memoryapp.interfaces.pages.access import missing_page

handler400 = "memoryapp.interfaces.api.problems.refused_request"
handler404 = "memoryapp.urls.nothing_here"
urlpatterns = [
    path("", include("memoryapp.interfaces.api.urls")),
    path("", include("memoryapp.interfaces.pages.urls")),
]


def nothing_here(request: HttpRequest, exception: Exception | None = None) -> HttpResponseBase:
    """An address that is not there: a problem for programs, a page for people, within the app for who is signed in."""
    if problems.is_for_programs(request) or not (getattr(request, "user", None) and request.user.is_authenticated):
        return problems.nothing_here(request, exception)
    return missing_page(request)
