"""The test of a space's encoder as the doors ask for it, and what the last one found: the report of its job."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime

from memoryapp.accounts.models import Space
from memoryapp.domain.change import Actor
from memoryapp.jobs.models import OPEN, Job, Status
from memoryapp.jobs.pipeline import submit

KIND = "encoder"
_LOOKED_AT = 20  # jobs


@dataclass(frozen=True, slots=True)
class EncoderTrial:
    """`languages`: ISO 639-1 codes. `query_ms`: milliseconds for one question."""

    model: str
    dimension: int
    max_tokens: int
    languages: list[str]
    texts_a_second: float
    query_ms: float

    @property
    def told(self) -> str:
        """In words for a person."""
        speed = f"{self.texts_a_second:,.0f} texts a second, {self.query_ms:,.0f} ms for a question"
        return f"{self.model}: {self.dimension} dimensions, {speed}."


def submit_encoder_trial(row: Space, *, actor: Actor) -> Job:
    """The job that tests the encoder; the one that is at it already, where there is one."""
    begun = Job.objects.filter(kind=KIND, space=row.name, status__in=OPEN).first()
    return begun or submit(KIND, space=row.name, arguments={}, actor=actor, subject=f"encoder-trial:{row.name}")


def last_trial(row: Space) -> tuple[EncoderTrial, datetime] | None:
    """What the last test of the space's present encoder found, and when; None where it was not tested."""
    done = Job.objects.filter(kind=KIND, space=row.name, status=Status.DONE).order_by("-finished_at")
    for job in done[:_LOOKED_AT]:
        report = job.report or {}
        if report.get("model") == row.encoder and job.finished_at:
            return EncoderTrial(**{one.name: report[one.name] for one in fields(EncoderTrial)}), job.finished_at
    return None
