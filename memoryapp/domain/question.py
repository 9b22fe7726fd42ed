"""An open question: what an agent asked and found nothing clear for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.identity import derived_id

LONGEST = 500  # characters that are kept


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """`times`: how often it was asked; `by`: who asked last. One that was `dismissed` is no longer shown by itself."""

    id: str
    text: str
    times: int
    by: str
    first_at: datetime
    last_at: datetime
    dismissed: bool = False


def question_id(text: str) -> str:
    """The same for the same words, whatever their case, blanks and closing marks."""
    return derived_id("question", " ".join(text.casefold().split()).rstrip("?.!？。 "))
