"""Two entities that may be one: a finding that waits for a person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memoryapp.domain.identity import derived_id


class AlikeStatus(StrEnum):
    WAITING = "waiting"
    MERGED = "merged"
    REFUSED = "refused"  # a person said they are two; never proposed again


@dataclass(frozen=True, slots=True)
class Alike:
    """`one` is the entity that would stay. `score` 0–1; `reason` in words for the page."""

    id: str
    one: str
    other: str
    reason: str
    score: float
    status: AlikeStatus
    created_at: datetime


def alike_id(one: str, other: str) -> str:
    """The same for a pair either way round."""
    return derived_id("alike", *sorted((one, other)))
