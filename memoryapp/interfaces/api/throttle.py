"""How often one caller may ask: a bucket of tokens each, filled steadily, in this process's memory.

The limit guards a person's machine against a runaway loop; it is not a quota, so each process counts for itself.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings

from memoryapp.interfaces.api.problems import TooOften

DEFAULT_RATE = 300.0  # requests a second; MEMORY_RATE_LIMIT, 0 = no limit
BURST_SECONDS = 4.0
FAILURES_A_SECOND = 5.0  # requests without a valid key, per address
MOST_CALLERS = 10_000


@dataclass(slots=True)
class Bucket:
    tokens: float
    filled_at: float


@dataclass(frozen=True, slots=True)
class Standing:
    """How a caller stands: `left` of `limit` requests, and the seconds until it has all of them again."""

    limit: int
    left: int
    full_in: int

    def headers(self) -> dict[str, str]:
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.left),
            "RateLimit-Reset": str(self.full_in),
        }


class Buckets:
    """One bucket a caller, the least recently seen forgotten first. `rate` tokens a second, `burst` seconds' worth."""

    def __init__(self, *, burst: float = BURST_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._clock = clock
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, caller: str, *, rate: float) -> float:
        """Takes one token. Returns 0.0, or the seconds until there is one again."""
        if rate <= 0:
            return 0.0
        most = max(rate * self._burst, 1.0)
        with self._lock:
            now = self._clock()
            bucket = self._buckets.pop(caller, None) or Bucket(most, now)
            bucket.tokens = min(bucket.tokens + (now - bucket.filled_at) * rate, most)
            bucket.filled_at = now
            self._buckets[caller] = bucket
            while len(self._buckets) > MOST_CALLERS:
                self._buckets.popitem(last=False)
            if bucket.tokens < 1.0:
                return (1.0 - bucket.tokens) / rate
            bucket.tokens -= 1.0
            return 0.0

    def standing(self, caller: str, *, rate: float) -> Standing | None:
        """None without a limit."""
        if rate <= 0:
            return None
        most = max(rate * self._burst, 1.0)
        with self._lock:
            now = self._clock()
            bucket = self._buckets.get(caller)
            tokens = min(bucket.tokens + (now - bucket.filled_at) * rate, most) if bucket else most
        return Standing(int(most), int(tokens), math.ceil((most - tokens) / rate))

    def clear(self) -> None:
        with self._lock:
            self._buckets.clear()


buckets = Buckets()


def count_request(caller: str) -> None:
    """Raises TooOften when this caller has used up its share for now."""
    _count(caller, rate=_rate())


def standing_of(caller: str) -> Standing | None:
    """What is left to this caller, for the headers of the answer; None without a limit."""
    return buckets.standing(caller, rate=_rate())


def _rate() -> float:
    return float(getattr(settings, "RATE_LIMIT", DEFAULT_RATE))


def count_failure(address: str) -> None:
    """Counts a request whose key was not valid. Raises TooOften instead of letting it guess on."""
    _count(f"failures {address}", rate=FAILURES_A_SECOND)


def _count(caller: str, *, rate: float) -> None:
    wait = buckets.take(caller, rate=rate)
    if wait:
        raise TooOften(wait=max(1, math.ceil(wait)))
