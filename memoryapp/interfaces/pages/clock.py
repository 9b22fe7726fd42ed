"""The clock of the pages: the instant as of which they are read, which stands in their address; and what one sets it
by: the life of the space, day by day, and the days one is most likely to ask for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
from django.http import QueryDict
from django.utils import timezone

from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import AsOfBy
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.filters import MOVING, moment_of, reading_of
from memoryapp.spaces import Space

NAMES = ("as_of", "as_of_by")  # of the parameters
RECORDED = frozenset({AsOfBy.RECORDED})
EITHER = frozenset(AsOfBy)
_FIRST_YEAR = 1900
_BARS = 120
_HEIGHT = 24.0
_LEAST = 2.0
_FEW = 0.02  # of all memories
_UNITS = {"day": 86_400, "hour": 3_600, "minute": 60}  # steps of the scrubber, in seconds
_FEWEST = 2  # steps that are worth a scrubber of that unit
_BACK = {"Yesterday": 1, "A week ago": 7, "A month ago": 30}


@dataclass(frozen=True, slots=True)
class PageClock:
    """`by`: whether what was believed at `at` is shown, or what was true then."""

    at: datetime
    by: AsOfBy = AsOfBy.RECORDED

    @property
    def valid(self) -> bool:
        return self.by is AsOfBy.VALID

    @property
    def parameters(self) -> dict[str, str]:
        """What an address says it by; in UTC, so that it is the same instant for whoever is sent it."""
        told = {"as_of": f"{self.at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='minutes')}Z"}
        if self.at.second or self.at.microsecond:
            told["as_of"] = self.at.astimezone(UTC).isoformat().replace("+00:00", "Z")
        return told | ({"as_of_by": self.by.value} if self.valid else {})

    @property
    def query(self) -> str:
        return urlencode(self.parameters, safe=":")


def clock_of(asked: QueryDict, *, now: datetime) -> PageClock | None:
    """The clock that an address sets, None for now. Raises BadInput for what is no instant, or is still to come."""
    at = moment_of(asked, "as_of")
    if at is None:
        return None
    if at.year < _FIRST_YEAR:
        raise BadInput(f"Choose a day after the year {_FIRST_YEAR}.", field="as_of")
    if at > now:
        raise BadInput(f"{human.moment(at)} is still to come. Choose an earlier time.", field="as_of")
    return PageClock(at, reading_of(asked))


def is_set_in(address: str) -> bool:
    """Whether a page at this address is one of the past."""
    return any(one.strip() for one in parse_qs(urlsplit(address).query).get("as_of", ()))


@dataclass(frozen=True, slots=True)
class Choice:
    label: str
    detail: str
    href: str
    on: bool


@dataclass(frozen=True, slots=True)
class Life:
    """From the first memories of a space to now. `bars`: how many came, as the outline of a drawing 300 × 24; `step` of
    `steps`: where the scrubber stands, each step a `unit` long, from the start of the first. `told` says the same."""

    first: datetime
    bars: str
    unit: str
    begin: datetime
    steps: int
    step: int
    told: str


@dataclass(frozen=True, slots=True)
class ClockForm:
    """What the clock is set with, for the page at `action`. `typed`: what stands in its field, with what is wrong with
    it in `problem`."""

    action: str
    typed: str
    most: str
    by: AsOfBy
    kept: list[tuple[str, str]]
    choices: list[Choice]
    life: Life | None
    problem: str = ""


def form_of(
    space: Space,
    clock: PageClock | None,
    action: str,
    asked: Mapping[str, Iterable[str]],
    *,
    now: datetime,
    problem: str = "",
) -> ClockForm:
    """`action`, `asked`: the page that is shown at the instant, and its parameters by name. Raises StoreError."""
    space.index.refresh()
    life = life_of(space, clock, now=now)
    typed = f"{timezone.localtime(clock.at):%Y-%m-%dT%H:%M}" if clock else "".join(list(asked.get("as_of", ()))[-1:])
    kept = [(n, v) for n, values in asked.items() if n not in (*NAMES, *MOVING) for v in values if v]
    page = f"{action}?{urlencode(kept)}&" if kept else f"{action}?"
    return ClockForm(
        action=action,
        typed=typed[:60],
        most=f"{timezone.localtime(now):%Y-%m-%dT%H:%M}",
        by=clock.by if clock else AsOfBy.RECORDED,
        kept=kept,
        choices=_choices(space, clock, life, page, now=now) if life else [],
        life=life,
        problem=problem,
    )


def life_of(space: Space, clock: PageClock | None, *, now: datetime) -> Life | None:
    """None where nothing came yet, or all within the last minutes, so that there is nothing to go back to."""
    roster = space.index.roster
    came = np.fmin(roster.created, roster.occurred)[roster.alive]  # as the past is reckoned: index.roster
    came = came[~np.isnan(came)]
    if not came.size:
        return None
    first = datetime.fromtimestamp(_first(came, now.timestamp()), UTC)
    span = (now - first).total_seconds()
    unit = next((name for name, long in _UNITS.items() if span >= _FEWEST * long), "")
    if not unit:
        return None
    begin = _floor(first, unit)
    steps = math.ceil((now - begin).total_seconds() / _UNITS[unit])
    counts, _ = np.histogram(came, bins=min(steps, _BARS), range=(begin.timestamp(), now.timestamp()))
    at = min(max(clock.at, begin), now) if clock else now
    step = round((at - begin).total_seconds() / _UNITS[unit]) if clock else steps
    most = int(counts.max())
    told = f"{human.count_text(len(came), 'memory', 'memories')} since {human.day(first)}, at most {human.number(most)}"
    return Life(first, _outline(counts), unit, begin, steps, min(step, steps), f"{told} at once.")


def _first(came: np.ndarray, now: float) -> float:
    """When the scrubber begins: a few that tell of a day long before all others would leave these no room. Those days
    can be typed."""
    first, early = float(came.min()), float(np.quantile(came, _FEW, method="lower"))
    return early if (now - early) * 2 < now - first else first


def _floor(at: datetime, unit: str) -> datetime:
    """The start of its day, hour or minute where the reader is."""
    local = timezone.localtime(at).replace(second=0, microsecond=0)
    return local.replace(hour=0, minute=0) if unit == "day" else local.replace(minute=0) if unit == "hour" else local


def _outline(counts: np.ndarray) -> str:
    """Bars as one path. One day on which everything was read in would flatten all others: heights go by the root."""
    wide = 300 / len(counts)
    bar = max(wide - 1, 0.5)
    tall = np.maximum(np.sqrt(counts / max(int(counts.max()), 1)) * _HEIGHT, _LEAST)
    drawn = [
        f"M{n * wide:.1f} {_HEIGHT:g}v-{tall[n]:.1f}h{bar:.1f}v{tall[n]:.1f}z" for n in np.flatnonzero(counts).tolist()
    ]
    return "".join(drawn)


def _choices(space: Space, clock: PageClock | None, life: Life, page: str, *, now: datetime) -> list[Choice]:
    """Days that lie in the life of the space: so long ago, at this time of day; and before its last change. `page`: the
    address that takes the clock at its end."""
    days = {label: now.replace(second=0, microsecond=0) - timedelta(days=n) for label, n in _BACK.items()}
    roster = space.index.roster
    changed = datetime.fromtimestamp(float(np.nanmax(roster.updated[roster.alive])), UTC)
    last = timezone.localtime(min(changed, now)).replace(hour=0, minute=0, second=0, microsecond=0)
    days[f"Before the changes of {human.short_day(last)}"] = last
    by = clock.by if clock else AsOfBy.RECORDED
    return [
        Choice(label, human.moment(at), page + PageClock(at, by).query, clock is not None and clock.at == at)
        for label, at in days.items()
        if at > life.first
    ]
