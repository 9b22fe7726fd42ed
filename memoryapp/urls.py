"""Two doors by address: pages for people, JSON for programs."""

from __future__ import annotations

from django.urls import include, path

handler400 = "memoryapp.api.problems.refused_request"
handler404 = "memoryapp.api.problems.nothing_here"
urlpatterns = [
    path("", include("memoryapp.api.urls")),
    path("", include("memoryapp.web.urls")),
]
