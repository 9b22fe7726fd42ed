"""Validation: what was handed over is cleaned, or refused by name before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from memoryapp.domain.cleaning import check_text, clean, clean_name, clean_tags, clean_title
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.fact import LEAST_CONFIDENCE
from memoryapp.domain.fields import moment_fields
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.secrets import mask

WRITABLE = frozenset({Kind.NOTE, Kind.FACT, Kind.ATOM})


def check(items: Sequence[NewMemory]) -> tuple[NewMemory, ...]:
    """The items with control characters dropped, private words and secrets masked, names trimmed and times in UTC.

    Raises TooLarge or BadInput whose `field` points at the item ("/items/3/text").
    """
    if len(items) > LIMITS.batch_items:
        raise TooLarge(
            f"{len(items)} items in one batch; the limit is {LIMITS.batch_items}. Send them in several.", field="/items"
        )
    checked = tuple(_check(item, f"/items/{n}") for n, item in enumerate(items))
    seen: dict[str, int] = {}
    for n, item in enumerate(checked):
        if item.ref is None:
            continue
        if item.ref in seen:
            raise BadInput(f"Items {seen[item.ref]} and {n} carry the same ref “{item.ref}”.", field=f"/items/{n}/ref")
        seen[item.ref] = n
    return checked


def _check(item: NewMemory, at: str) -> NewMemory:
    if item.kind not in WRITABLE:
        raise BadInput(
            f"A {item.kind} is made by the memory itself; write a note, a fact or an atom.", field=f"{at}/kind"
        )
    if (item.kind is Kind.ATOM) is not (item.atom is not None):
        raise BadInput("An atom comes in PENMAN, and nothing else does.", field=f"{at}/kind")
    if item.confidence is not None and not 0 <= item.confidence <= 1:
        raise BadInput(f"Confidence lies between 0 and 1, not at {item.confidence}.", field=f"{at}/confidence")
    if item.kind is Kind.FACT and item.confidence is not None and item.confidence < LEAST_CONFIDENCE:
        raise BadInput(
            f"A fact is remembered from a confidence of {LEAST_CONFIDENCE:g} on; this one has {item.confidence:g}. "
            "Keep it as a note, which is neither compared nor believed.",
            field=f"{at}/confidence",
        )
    if item.valid_from and item.valid_to and as_utc(item.valid_to) < as_utc(item.valid_from):
        raise BadInput("valid_to lies before valid_from.", field=f"{at}/valid_to")
    moments: dict[str, Any] = {name: getattr(item, name) for name in moment_fields(NewMemory)}
    moments = {name: as_utc(at_time) if at_time else None for name, at_time in moments.items()}
    return replace(
        item,
        text=check_text(item.text, field=f"{at}/text"),
        title=clean_title(item.title, field=f"{at}/title"),
        ref=clean_name(item.ref, field=f"{at}/ref"),
        session=clean_name(item.session, field=f"{at}/session"),
        speaker=clean_name(item.speaker, field=f"{at}/speaker"),
        tags=clean_tags(item.tags, field=f"{at}/tags"),
        entities=tuple(name for raw in item.entities if (name := clean_name(raw, field=f"{at}/entities"))),
        quote=mask(clean(item.quote).strip()),
        when=clean(item.when).strip(),
        **moments,
    )
