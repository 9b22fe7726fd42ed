"""What is known of a space's first steps: whether Home shows them, when it was first asked, which agent has called."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from memoryapp.accounts.actor import name_of
from memoryapp.accounts.keys import MARK
from memoryapp.accounts.models import ApiKey, Space
from memoryapp.store import traces
from memoryapp.store.database import Database
from memoryapp.store.traces import TraceFilter

NEW_FOR = timedelta(days=7)
ON_THIS_MACHINE = "stdio"  # what the keys of `palimpsest connect` call their agents


def set_first_steps(row: Space, *, shown: bool) -> None:
    """Shows them on Home until they are hidden, or hides them until they are shown."""
    row.first_steps = "shown" if shown else "hidden"
    row.save(update_fields=["first_steps"])


def are_shown(row: Space, *, empty: bool, done: bool, now: datetime) -> bool:
    """Whether Home shows them: as somebody set it, else while the space is new or `empty` and they are not `done`."""
    if row.first_steps:
        return row.first_steps == "shown"
    return not done and (empty or now - row.created_at < NEW_FOR)


def note_question(row: Space) -> None:
    """Notes that the space was asked something; the first time counts."""
    if row.asked_at is None:
        row.asked_at = timezone.now()
        Space.objects.filter(pk=row.pk, asked_at=None).update(asked_at=row.asked_at)


def connected_agent(row: Space, db: Database) -> str:
    """What the agent is called that called the space last with a key; "" where none did. A key for every space counts
    once its calls have left traces here. Raises StoreError."""
    used = ApiKey.objects.filter(last_used_at__isnull=False, local=False).order_by("-last_used_at")
    key = used.filter(space=row).first()
    if key is None:
        everywhere = {f"{MARK}_{one.prefix}": one for one in used.filter(Q(space=None))}
        asked = traces.keys(db, now=timezone.now()) if everywhere else frozenset()
        key = next((one for prefix, one in everywhere.items() if prefix in asked), None)
    if key is None:
        return ""
    if key.agent != ON_THIS_MACHINE:
        return name_of(key)
    said = (one.agent.partition("/") for one in traces.agents(db, TraceFilter(), now=timezone.now()))
    return next((name for of, _, name in said if of == ON_THIS_MACHINE and name), "an agent on this machine")
