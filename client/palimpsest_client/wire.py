"""Between our steps and httpx: what a call is as a request, and what a response or a failure is as an answer."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any, ParamSpec, TypeVar

import httpx

from palimpsest_client.call import Call
from palimpsest_client.connection import Answer, Connection

P = ParamSpec("P")
F = TypeVar("F", bound=Callable[..., Any])


def request_of(link: Connection, call: Call[Any]) -> dict[str, Any]:
    """The arguments of httpx's `request`."""
    found: dict[str, Any] = {
        "method": call.method,
        "url": link.url + call.address,
        "headers": link.headers | call.headers,
        "params": dict(call.query),
    }
    if call.upload is not None:
        found |= {"files": {"upload": call.upload}, "data": dict(call.json or {})}
    elif call.json is not None:
        found["json"] = call.json
    return found


def answered(response: httpx.Response) -> Answer:
    return Answer(response.status_code, response.content, dict(response.headers))


def lost(error: httpx.TransportError) -> Answer:
    """Nothing came back: not reached, cut off, or too late."""
    return Answer(0, lost=str(error) or type(error).__name__)


def shown_as(source: Callable[..., Any], method: F, *, leaves_out: int) -> F:
    """`method` with the name, the words and the parameters of what it was made of, as `help` shows them. `leaves_out`
    of its first parameters are not the caller's."""
    own = list(signature(source).parameters.values())[leaves_out:]
    method.__name__ = method.__qualname__ = source.__name__
    method.__doc__ = source.__doc__
    client = Parameter("self", Parameter.POSITIONAL_ONLY)
    method.__signature__ = Signature([client, *own])  # type: ignore[attr-defined]
    return method
