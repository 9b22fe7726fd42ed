"""How a call becomes an answer, told as steps that either client carries out: send this, wait so long.

Nothing in here opens a socket or sleeps, so both clients share every rule of trying again.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

from palimpsest_client.call import Call
from palimpsest_client.errors import NotReached, NotSetUp, NotUnderstood, refusal
from palimpsest_client.reading import read

T = TypeVar("T")
FIRST_PAUSE = 0.5  # seconds before the second try; doubled before each one after
LONGEST_PAUSE = 30.0  # seconds; a service that asks for more is not waited for
BUSY = (429, 502, 503, 504)
OF_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Send:
    """One try at a call."""

    call: Call[Any]


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Answer:
    """What came back. `lost` says why nothing did; `status` is 0 then."""

    status: int
    content: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    lost: str = ""


Step: TypeAlias = "Send | Pause"
Steps: TypeAlias = "Generator[Step, Answer | None, T]"


@dataclass(frozen=True)
class Connection:
    """Where Palimpsest is, and who asks. `space` names one of those that the key opens, `agent` tells the agents of one
    key apart in the history, `retries` is how often a call is sent again when it is not answered."""

    url: str
    key: str = field(repr=False)
    space: str = ""
    agent: str = ""
    retries: int = 4

    @property
    def headers(self) -> dict[str, str]:
        found = {"Authorization": f"Bearer {self.key}", "X-Space": self.space, "X-Agent-ID": self.agent}
        return {name: value for name, value in found.items() if value}

    @property
    def trusts_environment(self) -> bool:
        """Whether HTTP_PROXY and its like are heeded: never for this machine, which no proxy reaches."""
        return urlsplit(self.url).hostname not in OF_THIS_MACHINE

    def ask(self, call: Call[T]) -> Steps[T]:
        """Sends a call until it is answered. Every write carries a key, so that a second try cannot do it twice. Raises
        PalimpsestError."""
        unsure = False  # whether an earlier try may have arrived
        for tried in range(self.retries + 1):
            answer = yield Send(call)
            assert answer is not None
            again = answer.lost or answer.status in BUSY or (unsure and _still_at_work(answer))
            pause = _pause(answer, tried)
            if not again or tried == self.retries or pause is None:
                return _read(call, answer, self.url)
            unsure = unsure or bool(answer.lost) or answer.status in (502, 504)
            yield Pause(pause)
        raise AssertionError("The last try returns or raises.")


def connect(url: str | None, key: str | None, *, space: str, agent: str, retries: int) -> Connection:
    """A connection to what is named, else to MEMORY_URL with MEMORY_KEY. Raises NotSetUp."""
    url = (url or os.environ.get("MEMORY_URL", "")).strip().rstrip("/").removesuffix("/api/v1")
    key = (key or os.environ.get("MEMORY_KEY", "")).strip()
    if not url.startswith(("http://", "https://")):
        raise NotSetUp("There is no address.", advice="Give a URL, or set MEMORY_URL=http://127.0.0.1:8000.")
    if not key:
        raise NotSetUp(
            "There is no key.", advice="Give one, or set MEMORY_KEY; `palimpsest key --role writer` makes one."
        )
    return Connection(url, key, space=space, agent=agent, retries=max(retries, 0))


def _still_at_work(answer: Answer) -> bool:
    """The first try arrived after all, and is not finished: the same key will get its answer."""
    return answer.status == 409 and "Idempotency-Key" in str(_problem(answer).get("detail"))


def _pause(answer: Answer, tried: int) -> float | None:
    """Seconds until the next try: what the service asks for, else twice as long each time, and never the same for two
    clients. None: it asks for more than is worth waiting."""
    asked = next((value for name, value in answer.headers.items() if name.lower() == "retry-after"), "")
    if asked.strip().isdigit():
        return float(asked) if float(asked) <= LONGEST_PAUSE else None
    longer: float = FIRST_PAUSE * 2**tried
    return min(longer, LONGEST_PAUSE) * random.uniform(0.75, 1.25)


def _read(call: Call[T], answer: Answer, url: str) -> T:
    if answer.lost:
        raise NotReached(
            f"Palimpsest at {url} does not answer: {answer.lost}.", advice="Start it (`./run`), or correct MEMORY_URL."
        )
    if not 200 <= answer.status < 300:
        raise refusal(answer.status, _problem(answer))
    if call.into is not None:
        return b""  # type: ignore[return-value]
    try:
        value = json.loads(answer.content)
    except ValueError:
        raise NotUnderstood(f"{url} answered with something that is no JSON.", advice="Correct MEMORY_URL.") from None
    return read(call.gives, value)


def _problem(answer: Answer) -> dict[str, Any]:
    try:
        found = json.loads(answer.content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
