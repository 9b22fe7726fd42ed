"""What the tabs of Settings share: the row of tabs and the sentence under the title."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse

from memoryapp.accounts.roles import Role
from memoryapp.interfaces.pages.access import PageRequest, show

_TABS = (
    ("settings", "Space", Role.READER),
    ("settings-spaces", "Spaces", Role.READER),
    ("settings-people", "People", Role.ADMIN),
    ("settings-keys", "API keys", Role.ADMIN),
    ("settings-heartbeat", "Heartbeat", Role.READER),
    ("settings-backups", "Backups", Role.ADMIN),
    ("settings-move", "Import & export", Role.ADMIN),
    ("settings-health", "Health", Role.READER),
    ("benchmarks", "Benchmarks", Role.READER),
    ("settings-me", "You", Role.READER),
)


@dataclass(frozen=True, slots=True)
class Tab:
    url: str
    name: str
    on: bool


def framed(
    request: PageRequest, template: str, at: str, purpose: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    tabs = [Tab(url, name, url == at) for url, name, needs in _TABS if request.desk.role.allows(needs)]
    return show(request, template, {"tabs": tabs, "purpose": purpose, **context}, at="settings", status=status)
