"""Each plan's last run of golden queries, and the warning where one got worse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from memoryapp.lab.regress import Latest, latest
from memoryapp.spaces import Space
from memoryapp.store import golden
from memoryapp.web.golden_figures import Figure, fell_told, figures_of


@dataclass(frozen=True, slots=True)
class LastRun:
    """`fell`: “MRR fell by 0.103, nDCG@5 by 0.052” where it got worse, else ""."""

    id: str
    plan: str
    at: datetime
    figures: list[Figure]
    fell: str

    @property
    def worse(self) -> bool:
        return bool(self.fell)

    @property
    def href(self) -> str:
        return reverse("golden-run-page", args=[self.id])


_KNOWN: dict[str, tuple[tuple[str, ...], list[LastRun]]] = {}  # by space: its last runs, and what was told of them


def last_runs_of(space: Space) -> list[LastRun]:
    """Those that got worse first, then the one run last. A run never changes, so that the same last runs are worked out
    once: a page must not read every outcome anew."""
    keys = golden.last_runs(space.db)
    known = _KNOWN.get(space.name)
    if known is None or known[0] != keys:
        known = (keys, _read(latest(space)) if keys else [])
        _KNOWN[space.name] = known
    return known[1]


def warnings_of(space: Space) -> list[LastRun]:
    """The plans whose last run got worse: what Home warns of."""
    return [one for one in last_runs_of(space) if one.worse]


def _read(found: Sequence[Latest]) -> list[LastRun]:
    told = [
        LastRun(
            id=one.run.id,
            plan=one.run.plan,
            at=one.run.at,
            figures=figures_of(one.run, one.change),
            fell=fell_told(one.change) if one.change and one.worse else "",
        )
        for one in found
    ]
    return sorted(told, key=lambda one: not one.worse)
