"""Where a chat model answers, how it wants to be asked, and the line to it.

Servers differ in what they take; each is asked for the most, and in a simpler manner where it refuses. Answers end in
time and in size.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx

if TYPE_CHECKING:
    from openai import OpenAI


_NOT_UNDERSTOOD = (400, 415, 422, 501)
_ABOUT_FORM = re.compile(r"response_format|json_schema|json_object|grammar|structured")


class Mode(StrEnum):
    """How JSON is asked for. The schema is told in words as well: not every server shows it to its model."""

    SCHEMA = "schema"  # the server holds the model to the schema
    OBJECT = "object"  # the server holds it to some JSON
    PLAIN = "plain"  # nobody does; the JSON is cut out of the answer


_NEXT = {Mode.SCHEMA: Mode.OBJECT, Mode.OBJECT: Mode.PLAIN}


@dataclass(frozen=True, slots=True)
class Manner:
    """`limit` is the parameter that bounds the answer: newer OpenAI models refuse the name that all others know.
    `temperature`: whether it may be set to 0, for the same answer to the same question."""

    mode: Mode = Mode.SCHEMA
    limit: str = "max_tokens"
    temperature: bool = True

    def parameters(self, *, max_tokens: int, schema: dict[str, Any] | None) -> dict[str, Any]:
        """What a request carries beside model and messages. `schema` is None where prose is wanted."""
        sent: dict[str, Any] = {self.limit: max_tokens}
        if self.temperature:
            sent["temperature"] = 0
        if schema is not None and self.mode is Mode.SCHEMA:
            named = {"name": "answer", "strict": True, "schema": schema}
            sent["response_format"] = {"type": "json_schema", "json_schema": named}
        elif schema is not None and self.mode is Mode.OBJECT:
            sent["response_format"] = {"type": "json_object"}
        return sent


def simpler(manner: Manner, *, status: int, complaint: str, structured: bool) -> Manner | None:
    """The manner to try after this refusal; None where it was not about the manner, or nothing simpler is left."""
    said = complaint.lower()
    if status not in _NOT_UNDERSTOOD and not (status >= 500 and _ABOUT_FORM.search(said)):
        return None
    if "max_completion_tokens" in said and manner.limit == "max_tokens":
        return replace(manner, limit="max_completion_tokens")
    if "temperature" in said and manner.temperature:
        return replace(manner, temperature=False)
    if structured and manner.mode in _NEXT:
        return replace(manner, mode=_NEXT[manner.mode])
    return None


TRIES = 3  # of one request, where what went wrong may pass
ANSWER_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`timeout` bounds one asking in seconds, all tries and the repair together. Prices are for a million tokens, in
    whatever currency the installation counts. `manner` is what is tried first; what works is learned."""

    url: str  # up to and with /v1
    name: str  # of the model there
    key: str = field(default="", repr=False)
    timeout: float = ANSWER_SECONDS
    price_in: float = 0.0
    price_out: float = 0.0
    tries: int = TRIES
    manner: Manner = field(default_factory=Manner)

    @property
    def label(self) -> str:
        return f"{self.name} at {self.url}"


def fault_of(endpoint: Endpoint) -> str:
    """What keeps it from being asked at all and what to do, in words for a person; empty where nothing does. Never
    repeats the key."""
    try:
        address = urlsplit(endpoint.url)
        complete = address.scheme in ("http", "https") and bool(address.hostname) and (address.port or 1) > 0
    except ValueError:
        return "MEMORY_LLM_URL is no address. Write it as http://host:port/v1."
    if address.username or address.password:
        return "MEMORY_LLM_URL holds a key. Leave it out of the address and set MEMORY_LLM_KEY instead."
    if not complete:
        return "MEMORY_LLM_URL is not set to an address. Write it as http://host:port/v1."
    if not endpoint.name:
        return "No chat model is named. Set MEMORY_LLM_MODEL to a name that the endpoint knows."
    if not (endpoint.key.isascii() and endpoint.key.isprintable()):
        return "The key of the chat model has characters no key has. Copy MEMORY_LLM_KEY anew."
    if not endpoint.timeout > 0:
        return "MEMORY_LLM_TIMEOUT is not a number of seconds above 0."
    return ""


_CONNECT_SECONDS = 5.0
_LARGEST_ANSWER = 4 * 1024 * 1024  # bytes; more is cut off, and then is no JSON any more


def connect(endpoint: Endpoint) -> OpenAI:
    """Return a client for the endpoint; nothing is sent yet. Only our own settings count: what the SDK would take from
    the environment (another key, organisation or address) belongs to other programs."""
    from openai import OpenAI  # over a second of import, which a start without a chat model need not pay

    logging.getLogger("openai").setLevel(logging.WARNING)  # its debug log holds whole conversations
    client = OpenAI(
        base_url=endpoint.url,
        api_key=endpoint.key or "none",
        max_retries=0,  # say.py tries again itself, within one time for all tries
        # No redirects: one would carry the texts to where nobody sent them.
        http_client=httpx.Client(follow_redirects=False, event_hooks={"response": [_limit_time]}),
    )
    client.organization = client.project = None
    return client


def patience(seconds: float) -> httpx.Timeout:
    """A whole answer within so many seconds; whether anybody is there shows sooner."""
    return httpx.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS))


class _TimedStream(httpx.SyncByteStream):
    """httpx counts its read timeout anew with each byte: a server that trickles would never be too slow."""

    def __init__(self, stream: httpx.SyncByteStream, *, until: float) -> None:
        self._stream = stream
        self._until = until

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for part in self._stream:
            if time.monotonic() > self._until:
                raise httpx.ReadTimeout("the answer did not end in time")
            size += len(part)
            if size > _LARGEST_ANSWER:
                return
            yield part

    def close(self) -> None:
        self._stream.close()


def _limit_time(response: httpx.Response) -> None:
    seconds = response.request.extensions.get("timeout", {}).get("read")
    if seconds is not None and isinstance(response.stream, httpx.SyncByteStream):
        response.stream = _TimedStream(response.stream, until=time.monotonic() + seconds)
