"""What a look finds, and what to do about errors that name no remedy of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from django.db import DatabaseError

from memoryapp.domain.errors import EncoderError, PalimpsestError, StoreLocked, StoreUnavailable
from memoryapp.program import program_name

Level = Literal["ok", "warn", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`level`: ok, warn (works, but look) or bad (does not work). `fix`: what to do where it is not ok."""

    name: str
    level: Level
    told: str
    fix: str = ""

    def as_json(self) -> dict[str, str]:
        return asdict(self)


Look = Callable[[], Iterator[Finding]]
_FIXES: tuple[tuple[type[PalimpsestError], str], ...] = (
    (StoreLocked, "Stop the process that is named, or name another folder: --data DIR"),
    (StoreUnavailable, "Start SurrealDB, or correct MEMORY_STORE_URL, MEMORY_STORE_USER and MEMORY_STORE_PASSWORD."),
    (EncoderError, "Name a model that is here: MEMORY_ENCODER, or the space's settings."),
    (
        PalimpsestError,
        f"The log of the app says more; a backup can be restored into a new space: {program_name()} restore",
    ),
)


def findings_of(look: Look) -> Iterator[Finding]:
    """What a look finds. One that fails is a finding itself, so that the next ones still look."""
    name = look.__name__.replace("_", " ").strip().capitalize()
    try:
        yield from look()
    except PalimpsestError as error:
        yield Finding(name, "bad", error.detail, next(fix for kind, fix in _FIXES if isinstance(error, kind)))
    except DatabaseError as error:
        told = f"the database of people, keys and jobs fails: {error}"
        yield Finding(name, "bad", told, "See that its folder is writable and not full, or correct DATABASE_URL.")
    except OSError as error:
        yield Finding(name, "bad", str(error), "See that it is there, and yours to read and write.")
