"""One call of the JSON API: what every tool does. Roles, limits, audit and inheritance hold there, and so hold here."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

import httpx

from memoryapp.program import program_name

API = "/api/v1"
PATIENCE = httpx.Timeout(120.0, connect=5.0)  # seconds; a first search may wait for the model
Send = Callable[..., Awaitable[httpx.Response]]

_WHAT_TO_DO = {
    401: "Give the agent a valid key.",
    404: "Take ids from recall, list_conflicts or an earlier answer.",
    412: "get_memory tells how it stands now.",
    413: "Send less, or in parts.",
    422: "Correct this and call again.",
    429: "Wait a moment, then call again.",
    503: "Wait a few seconds, then call again.",
}
_LACKING = (
    "A writer remembers and proposes; a curator corrects and decides. Leave it to a person, or ask them for a key of "
    "that role."
)
_UNSAID = re.compile(r"[^\w.@:+ -]", re.ASCII)


class ApiError(Exception):
    """The API said no. `sentence` is its own, `advice` what the agent can do about it."""

    def __init__(self, sentence: str, *, status: int = 0, advice: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.status = status
        self.advice = advice or _WHAT_TO_DO.get(status, "")


@dataclass(frozen=True, slots=True)
class Api:
    """`send` makes a request with the caller's key and space. `agent`: who asks, beneath the key's own name. `purges`:
    whoever runs this door lets agents erase for good. `session`: what tells this caller from others."""

    send: Send
    agent: str = ""
    purges: bool = False
    session: str = ""

    def named(self, agent: str) -> Api:
        """The same caller under this name, unless it has given one itself."""
        return self if self.agent else replace(self, agent=agent)

    async def ask(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: dict[str, Any] | None = None,
        version: int | None = None,
    ) -> Any:
        """The answer's JSON; `path` is below /api/v1. `version`: change only what stands at it. Raises Refused."""
        headers = {"X-Agent-ID": said} if (said := _UNSAID.sub("", self.agent)[:80]) else {}
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        try:
            answer = await self.send(method, API + path, json=json, params=params, headers=headers)
        except httpx.HTTPError as error:
            said = str(error) or type(error).__name__
            raise ApiError(
                f"Palimpsest does not answer: {said}.", advice=f"Ask a person to start it: {program_name()} up"
            ) from None
        except UnicodeEncodeError:
            raise ApiError("The words cannot be sent: they are not UTF-8.", status=422) from None
        if not answer.is_success:
            raise refusal(answer)
        return answer.json() if answer.content else None


def refusal(answer: httpx.Response) -> ApiError:
    """What a problem says, as one sentence that names the field."""
    said = field = None
    try:
        problem = answer.json()
        said, field = problem.get("detail") or problem.get("title"), problem.get("field")
    except (ValueError, AttributeError):
        pass
    sentence = str(said or f"Palimpsest answered {answer.status_code} {answer.reason_phrase}.")
    if field and str(field).strip("/") not in sentence:
        sentence += f" (at {str(field).strip('/')})"
    # A path that may not be read is refused with 403 too, and no other key would help there.
    lacking = answer.status_code == 403 and "takes the role" in sentence
    return ApiError(sentence, status=answer.status_code, advice=_LACKING if lacking else "")


def segment(said: str) -> str:
    """An id or a name as one step of an address. Raises Refused for what would lead to another."""
    if said.strip() in ("", ".", ".."):
        raise ApiError(f"“{said}” is no id and no name.", status=422)
    return quote(said.strip().encode("utf-8", "replace"), safe="")


def without_empty(**fields: Any) -> dict[str, Any]:
    """Only what was said: a null or an empty list says no more than leaving the field out."""
    return {name: value for name, value in fields.items() if value is not None and value != []}
