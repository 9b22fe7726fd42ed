"""What the engine answers: the results of every statement, or the error that is the cause, as one of ours."""

from __future__ import annotations

from typing import Any

from surrealdb.errors import (
    AlreadyExistsError,
    NotFoundError,
    QueryError,
    SurrealError,
    ThrownError,
    TransportError,
    TransportTimeoutError,
    parse_query_error,
    parse_rpc_error,
)

from memoryapp.domain.errors import BadInput, Clash, Stale, StoreError, StoreTimeout, StoreUnavailable

_SLOW = "The store took too long over one statement. Narrow the request, or try again."


def results(answer: dict[str, Any]) -> list[Any]:
    """One result a statement. Raises the error that made the others fail: in a transaction the engine marks the
    statements around it as “not executed”, the ones before it too."""
    if answer.get("error") is not None:
        raise parse_rpc_error(answer["error"])
    failed = [parse_query_error(entry) for entry in answer["result"] if entry["status"] == "ERR"]
    if failed:
        raise next((error for error in failed if not _follows_from_another(error)), failed[0])
    return [entry["result"] for entry in answer["result"]]


def _follows_from_another(error: SurrealError) -> bool:
    """A commit that fails by itself is marked so too, and alone says why."""
    marked = isinstance(error, QueryError) and (error.is_not_executed or error.is_cancelled)
    return marked and not str(error).startswith("Cannot COMMIT: ")


def is_conflict(error: BaseException) -> bool:
    """Two transactions wrote the same record: the engine kept the first and asks for the second again."""
    return isinstance(error, QueryError) and error.is_transaction_conflict


def unreachable(address: str, error: BaseException) -> StoreUnavailable:
    return StoreUnavailable(f"The store at {address} cannot be reached or opened: {error}")


def plain_error(error: BaseException, *, url: str) -> Exception:
    """The engine's error as one of ours. A block that refuses throws `stale:<version>:<id>` or `clash:<sentence>`."""
    text = str(error)
    if isinstance(error, ThrownError):
        return _thrown(text.removeprefix("An error occurred: "))
    if isinstance(error, AlreadyExistsError) or " already contains " in text:
        return Clash(f"It is already there: {text}")
    if isinstance(error, NotFoundError) and error.record_id is not None:
        return Clash(f"It refers to what is no longer there: {text}")
    if isinstance(error, TransportTimeoutError) or (isinstance(error, QueryError) and error.is_timed_out):
        return StoreTimeout(_SLOW)
    if isinstance(error, (TransportError, OSError)):
        return unreachable(url, error)
    if text.startswith(("Found ", "Couldn't coerce value")):
        return BadInput(f"The store refused a value: {text}")
    return StoreError(f"The store refused a statement: {text}")


def _thrown(text: str) -> Exception:
    kind, _, rest = text.partition(":")
    if kind == "stale":
        version, _, record = rest.partition(":")
        return Stale(
            f"Memory {record} was changed since you read it. Read it again and repeat your change.",
            current=int(version) if version.isdigit() else 0,
        )
    return Clash(rest) if kind == "clash" else StoreError(f"The store refused a statement: {text}")
