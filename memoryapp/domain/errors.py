"""One tree of errors. Raised early, caught at a door, and told to a person there.

PalimpsestError
├── BadInput            what was sent cannot be used (422)
│   ├── TooLarge        over a stated limit (413)
│   └── OutsideRoots    a path ingest may not read (403)
├── NotFound            no such memory, space, job … (404)
├── Stale               the thing was changed since it was read (412)
├── Clash               it cannot be done in the present state (409)
│   └── LostRace        another writer was quicker than this one (409)
├── NotAllowed          the role is not enough (403)
├── StoreError
│   ├── StoreLocked     another process holds the folder (503)
│   ├── StoreUnavailable  the engine cannot be reached (503)
│   ├── StoreTimeout    a statement ran past its limit (503)
│   ├── StoreFull       no room on the disk (503)
│   └── WriteConflict   two writes met and retries ran out (503)
├── EncoderError
│   ├── ModelMissing    no such model here (503)
│   ├── ModelUnreadable the files are there but do not load (503)
│   ├── ModelLoading    not loaded yet; come back (503)
│   └── EncodingFailed  a text could not be embedded (500)
├── LlmError            the chat model did not do it; where rules can, they do (503)
│   ├── LlmDown         not reached, refuses us, or is left alone for a while
│   ├── LlmSlow         no answer in time
│   ├── LlmRefused      it does not take this one request (502)
│   └── LlmNonsense     it answered, but not what was asked for (502)
└── Cancelled           the person asked the job to stop
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memoryapp.domain.fact import Cost


class PalimpsestError(Exception):
    """What happened, where, and what to do.

    `field` is a JSON pointer to the input at fault ("/items/3/text"), where there is one.
    """

    status = 500
    title = "Something went wrong"

    def __init__(self, detail: str, *, field: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.field = field


class BadInput(PalimpsestError):
    status = 422
    title = "Invalid input"


class TooLarge(BadInput):
    status = 413
    title = "Too large"


class OutsideRoots(BadInput):
    status = 403
    title = "Outside the allowed folders"


class NotFound(PalimpsestError):
    status = 404
    title = "Not found"


class Stale(PalimpsestError):
    """The caller's version is not the present one; `current` is the present version."""

    status = 412
    title = "Changed since you read it"

    def __init__(self, detail: str, *, current: int, field: str | None = None) -> None:
        super().__init__(detail, field=field)
        self.current = current


class Clash(PalimpsestError):
    """`address`: of what is in the way, below the API's root ("/entities/1a2b…"), where there is one."""

    status = 409
    title = "Not possible in the current state"

    def __init__(self, detail: str, *, field: str | None = None, address: str = "") -> None:
        super().__init__(detail, field=field)
        self.address = address


class LostRace(Clash):
    """The store refused a block: what it was made from was written, merged or removed since it was read."""


class NotAllowed(PalimpsestError):
    status = 403
    title = "Not allowed"


class StoreError(PalimpsestError):
    status = 503
    title = "The store did not answer"


class StoreLocked(StoreError):
    title = "The store is in use by another program"


class StoreUnavailable(StoreError):
    title = "The store cannot be reached"


class StoreTimeout(StoreError):
    title = "The store took too long"


class StoreFull(StoreError):
    title = "The disk is full"


class WriteConflict(StoreError):
    title = "Too many conflicting writes"


class EncoderError(PalimpsestError):
    status = 503
    title = "The embedding model is not usable"


class ModelMissing(EncoderError):
    title = "The embedding model is missing"


class ModelUnreadable(EncoderError):
    title = "The embedding model does not load"


class ModelLoading(EncoderError):
    title = "The embedding model is still loading"


class EncodingFailed(EncoderError):
    status = 500
    title = "A text could not be embedded"


class LlmError(PalimpsestError):
    """`cost` is what was spent all the same, None where nothing was."""

    status = 503
    title = "The chat model is not usable"

    def __init__(self, detail: str, *, cost: Cost | None = None, field: str | None = None) -> None:
        super().__init__(detail, field=field)
        self.cost = cost


class LlmDown(LlmError):
    title = "The chat model cannot be reached"


class LlmSlow(LlmError):
    title = "The chat model took too long"


class LlmRefused(LlmError):
    status = 502
    title = "The chat model rejected this request"


class LlmNonsense(LlmError):
    status = 502
    title = "The chat model gave an unexpected answer"


class Cancelled(PalimpsestError):
    status = 409
    title = "Cancelled"
