"""What the tabs of Settings share: the title, and the sentence under it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from memoryapp.interfaces.pages.access import PageRequest, show


def show_tab(
    request: PageRequest, template: str, at: str, purpose: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    return show(request, template, {"purpose": purpose, **context}, at=at, status=status)
