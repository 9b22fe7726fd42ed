"""What can go wrong, told so that a program can act on it and a person can read it.

PalimpsestError     the service said no: its status, its sentence, the field at fault
├── NotReached      it gave no answer, however often it was asked (status 0)
├── NotUnderstood   it answered, but not in the shape that this client knows (status 0)
├── JobFailed       a job that was waited for failed or was cancelled (status 0)
└── NotSetUp        no address or no key was given (status 0)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ADVICE = {
    401: "Give a valid key, or set MEMORY_KEY: `palimpsest key --role writer` makes one.",
    403: "Use a key whose role is enough for this, and that opens this space.",
    404: "Check the id, the name and the space; what was purged does not come back.",
    409: "Read it again: in its present state this cannot be done.",
    412: "Read it again, make your change to what it says now, and send that version (`current`).",
    413: "Send less at once.",
    415: "Send JSON, or a file as the form field `upload`.",
    422: "Correct the field that is named in `field`.",
    429: "Ask less often, or give the client more `retries`.",
    503: "Ask again in a moment; the app may still be starting.",
}
UNEXPECTED = "Look into the app's log: it tells what happened there."


class PalimpsestError(Exception):
    """The service said no.

    `status` is the HTTP status, `title` and `detail` its own words, `field` a JSON pointer to the input at fault or the
    name of a parameter ("" where none is), `advice` what to do, `current` the present version where yours is stale.
    """

    def __init__(
        self,
        detail: str,
        *,
        status: int = 0,
        title: str = "",
        kind: str = "",
        field: str = "",
        current: int | None = None,
        advice: str = "",
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.title = title
        self.detail = detail
        self.kind = kind
        self.field = field
        self.current = current
        self.advice = advice or ADVICE.get(status, UNEXPECTED)

    def __str__(self) -> str:
        where = f" (at {self.field})" if self.field and self.field not in self.detail else ""
        return f"{self.detail}{where}"


class NotReached(PalimpsestError):
    """No answer came."""


class NotUnderstood(PalimpsestError):
    """The answer has not the shape that it should have."""


class NotSetUp(PalimpsestError):
    """There is no address or no key to ask with."""


class JobFailed(PalimpsestError):
    """A job ended without being done. `job` is all that it tells of itself."""

    def __init__(self, detail: str, *, job: Any) -> None:
        super().__init__(detail, advice="Read the job's report; `retry_job` does what is left.")
        self.job = job


def refusal(status: int, problem: Mapping[str, Any] | None) -> PalimpsestError:
    """An answer that says no, as an error. `problem` is its body by RFC 9457, None where it has none."""
    told = problem or {}
    title = str(told.get("title") or f"Status {status}")
    return PalimpsestError(
        str(told.get("detail") or f"Palimpsest answered with status {status}."),
        status=status,
        title=title,
        kind=str(told.get("type") or "").rpartition("#")[2],
        field=str(told.get("field") or ""),
        current=told.get("current"),
    )
