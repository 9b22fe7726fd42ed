"""A chat model as the rooms above hold it: where it answers, what was learned of it, how it fares, what it has cost.

After failures in a row its endpoint is left alone for a while, so that a dead server costs each turn nothing; then one
caller tries it again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from memoryapp.domain.clock import Clock, utc_now
from memoryapp.domain.errors import LlmDown
from memoryapp.domain.fact import Cost
from memoryapp.inference.llm.endpoint import ANSWER_SECONDS, Endpoint, connect, fault_of

if TYPE_CHECKING:
    from openai import OpenAI


FAILURES = 3  # in a row
REST = timedelta(seconds=60)
ChatStatus = Literal["untried", "ok", "failing", "down"]


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """`since` is when the failures in a row began, `again_at` when it is asked again if it is left alone now.
    `problem` is the last one, kept after it has passed."""

    tried: bool = False
    failures: int = 0
    since: datetime | None = None
    again_at: datetime | None = None
    problem: str = ""
    problem_at: datetime | None = None


class Breaker:
    """Safe to use from several threads."""

    def __init__(self, *, clock: Clock, failures: int = FAILURES, rest: timedelta = REST) -> None:
        self._clock = clock
        self._most = failures
        self._rest = rest
        self._fared = ModelStatus()
        self._lock = threading.Lock()

    @property
    def fared(self) -> ModelStatus:
        return self._fared

    def resting_until(self) -> datetime | None:
        """None: ask it. When a rest is over one caller is let through, and the others wait one more rest: it may
        still be down, and each would find that out by its own timeout."""
        with self._lock:
            until, now = self._fared.again_at, self._clock()
            if until is None:
                return None
            if now < until:
                return until
            self._fared = replace(self._fared, again_at=now + self._rest)
            return None

    def worked(self) -> None:
        with self._lock:
            self._fared = ModelStatus(tried=True, problem=self._fared.problem, problem_at=self._fared.problem_at)

    def failed(self, problem: str) -> None:
        with self._lock:
            now, many = self._clock(), self._fared.failures + 1
            self._fared = ModelStatus(
                tried=True,
                failures=many,
                since=self._fared.since or now,
                again_at=now + self._rest if many >= self._most else None,
                problem=problem,
                problem_at=now,
            )


@dataclass(frozen=True, slots=True)
class ModelState:
    """For the health page. `status`: untried, ok, failing (the last asking failed) or down (left alone until
    `again_at`). `since` is when failing began; `problem` is the last one and may be over. `spent` is since the start
    of this process."""

    name: str
    url: str
    status: ChatStatus
    mode: str  # schema, object or plain: how JSON is asked for
    since: datetime | None = None
    again_at: datetime | None = None
    problem: str = ""
    problem_at: datetime | None = None
    spent: Cost = field(default_factory=Cost)


class ChatModel:
    """One endpoint and its model. Safe to use from several threads; connects at the first asking."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        clock: Clock = utc_now,
        sleep: Callable[[float], None] = time.sleep,
        failures: int = FAILURES,
        rest: timedelta = REST,
    ) -> None:
        self.endpoint = endpoint
        self.name = endpoint.name
        self.manner = endpoint.manner
        self.sleep = sleep
        self.breaker = Breaker(clock=clock, failures=failures, rest=rest)
        self.fault = fault_of(endpoint)
        self._spent = Cost()
        self._client: OpenAI | None = None
        self._lock = threading.Lock()

    def client(self) -> OpenAI:
        """Return the line to the endpoint, made at the first call. Raises LlmDown where the settings name none that
        could be asked."""
        if self.fault:
            raise LlmDown(self.fault)
        with self._lock:
            if self._client is None:
                self._client = connect(self.endpoint)
            return self._client

    def charge(self, cost: Cost) -> None:
        with self._lock:
            self._spent += cost

    def price_of(self, *, tokens_in: int, tokens_out: int) -> float:
        """In the currency of the configured prices."""
        return (tokens_in * self.endpoint.price_in + tokens_out * self.endpoint.price_out) / 1_000_000

    def state(self) -> ModelState:
        """How it fares now, without asking it."""
        fared = self.breaker.fared
        status: ChatStatus
        if self.fault:
            status = "down"
        elif fared.failures:
            status = "down" if fared.again_at else "failing"
        else:
            status = "ok" if fared.tried else "untried"
        return ModelState(
            name=self.name,
            url="" if self.fault else self.endpoint.url,  # a faulty address may hold a key
            status=status,
            mode=self.manner.mode.value,
            since=fared.since,
            again_at=fared.again_at,
            problem=self.fault or fared.problem,
            problem_at=fared.problem_at,
            spent=self._spent,
        )


@lru_cache(maxsize=16)
def chat_model(
    *,
    url: str = "",
    name: str = "",
    key: str = "",
    timeout: float = ANSWER_SECONDS,
    price_in: float = 0.0,
    price_out: float = 0.0,
) -> ChatModel | None:
    """The chat model of these settings, the same one for the same settings; None where neither address nor name is set.
    Half-set or wrong settings give a model whose state says what is wrong and which raises LlmDown when asked."""
    if not url and not name:
        return None
    return ChatModel(Endpoint(url=url, name=name, key=key, timeout=timeout, price_in=price_in, price_out=price_out))
