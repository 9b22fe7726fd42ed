"""A memory's history adds up to what it is: a revision for every version, each going on where the one before ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from memoryapp.domain.memory import Kind
from memoryapp.integrity.finding import Whole
from memoryapp.store import integrity
from memoryapp.store.integrity import Held, Step

# Not kept in revisions' fields, but beside them: edges that came and went with the change.
_EDGES = {"references", "superseded_by"}
_NOTHING = object()


def standing(whole: Whole) -> Iterator[tuple[str, str]]:
    """Since when a memory is not held is known of those that are not held, and of no others."""
    for one in whole.held.values():
        if (one.state == "held") == (one.ended_at is not None):
            told = (
                "is held and says since when it is not"
                if one.state == "held"
                else "does not say since when it is not held"
            )
            yield f"memory:{one.key}", told


def broken_chains(whole: Whole) -> Iterator[tuple[str, str]]:
    seen = set()
    for key, steps in groupby(integrity.steps(whole.space.db), key=lambda step: step.key):
        one = whole.held.get(key)
        if one is None:
            continue  # purged meanwhile, or its revision is of a reference
        seen.add(key)
        told = _told(one, [step for step in steps if step.version > 0])
        if told:
            yield f"memory:{key}", told
    for key in whole.held.keys() - seen:
        if whole.held[key].kind == Kind.TURN:
            continue  # it came as it was said; its turn tells when, and by whom
        yield f"memory:{key}", "has no revision: nobody can say where it came from"


def _told(one: Held, steps: Sequence[Step]) -> str:
    versions = [step.version for step in steps]
    first = 2 if one.kind == Kind.TURN else 1
    if sorted(set(versions)) != list(range(first, one.version + 1)):
        return f"is at version {one.version}, and its revisions are of {_listed(versions)}"
    values: dict[str, Any] = {}
    for step in steps:
        for name, was in step.before.items():
            if name not in _EDGES and values.get(name, _NOTHING) not in (_NOTHING, was):
                return f"changed “{name}” in version {step.version} from a value that it did not have"
        values |= {name: now for name, now in step.after.items() if name not in _EDGES}
    if values.get("state", one.state) != one.state:
        return f"is {one.state}, and its last revision that tells of it says {values['state']}"
    return ""


def _listed(versions: Sequence[int]) -> str:
    return ", ".join(map(str, versions[:12])) + (" …" if len(versions) > 12 else "") or "none"
