"""What the engine is sent and answers: the results of every statement, decoded, or the error that is the cause, as one
of ours.

The SDK writes and reads CBOR (RFC 8949) in Python, which took most of a question for many rows; `cbor2` writes three
and reads five times as fast. What is no part of a row is left to the SDK, whole.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import cbor2
from surrealdb import AsyncEmbeddedSurrealConnection, Null, RecordID
from surrealdb.cbor import CBORTag
from surrealdb.connections.utils_mixin import mapped_engine_errors
from surrealdb.data.cbor import decode as sdk_decode
from surrealdb.data.cbor import encode as sdk_encode
from surrealdb.data.cbor import tag_decoder
from surrealdb.data.types.null import NullType
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

from memoryapp.domain.errors import BadInput, LostRace, Stale, StoreError, StoreTimeout, StoreUnavailable

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
        return _statement_error(text.removeprefix("An error occurred: "))
    if isinstance(error, AlreadyExistsError) or " already contains " in text:
        return LostRace(f"It is already there: {text}")
    if isinstance(error, NotFoundError) and error.record_id is not None:
        return LostRace(f"It refers to what is no longer there: {text}")
    if isinstance(error, TransportTimeoutError) or (isinstance(error, QueryError) and error.is_timed_out):
        return StoreTimeout(_SLOW)
    if isinstance(error, (TransportError, OSError)):
        return unreachable(url, error)
    if text.startswith(("Found ", "Couldn't coerce value")):
        return BadInput(f"The store refused a value: {text}")
    return StoreError(f"The store refused a statement: {text}")


def _statement_error(text: str) -> Exception:
    kind, _, rest = text.partition(":")
    if kind == "stale":
        version, _, record = rest.partition(":")
        return Stale(
            f"Memory {record} was changed since you read it. Read it again and repeat your change.",
            current=int(version) if version.isdigit() else 0,
        )
    return LostRace(rest) if kind == "clash" else StoreError(f"The store refused a statement: {text}")


# Tags: https://surrealdb.com/docs/surrealdb/integration/cbor
_NONE, _TABLE, _RECORD, _MOMENT, _SPAN = 6, 7, 8, 12, 14
_NULL = b"\xf6"  # NULL, and what the tag of NONE holds
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOTHING = object()
_DEEPEST = 128  # levels of what is sent; the engine takes fewer
_record_of = RecordID._unchecked


class Engine(AsyncEmbeddedSurrealConnection):
    """The SDK's handle of an embedded store, whose questions are written and read here."""

    async def query_raw(  # type: ignore[override]  # the embedded engine knows no sessions and no open transactions
        self, query: str, vars: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        sent = encode_cbor({"id": "", "method": "query", "params": [query, vars or {}]})
        with mapped_engine_errors("query"):
            answer = await self._db.execute(sent)
        response = decode_cbor(answer)
        return response if isinstance(response, dict) else {}


class _UnknownValue(Exception):
    """Something that no row holds."""


def encode_cbor(value: Any) -> bytes:
    """As the SDK's own `encode`, byte by byte. Raises ValueError or TypeError for what no engine takes."""
    within = _Depth()
    writers = _WRITERS | {dict: within.write_map, list: within.write_array, tuple: within.write_array}
    try:
        return cbor2.dumps(value, encoders=writers, timezone=UTC, default=_refuse_value)
    except (_UnknownValue, cbor2.CBOREncodeError):
        return sdk_encode(value)


class _Depth:
    """How deep what is being written lies within lists and objects: cbor2 ends the process where it is endless."""

    def __init__(self) -> None:
        self._levels = 0

    def write_map(self, encoder: cbor2.CBOREncoder, value: Any) -> None:
        self._enter()
        encoder.encode_map(value)
        self._levels -= 1

    def write_array(self, encoder: cbor2.CBOREncoder, value: Any) -> None:
        self._enter()
        encoder.encode_array(value)
        self._levels -= 1

    def _enter(self) -> None:
        self._levels += 1
        if self._levels > _DEEPEST:
            raise ValueError(f"it has more than {_DEEPEST} levels of lists and objects within each other")


def decode_cbor(data: bytes) -> Any:
    """As the SDK's own `decode`, but that a moment without nanoseconds is a plain datetime."""
    nones = 0

    def none(value: Any, immutable: bool) -> None:
        nonlocal nones
        nones += 1

    try:
        value = cbor2.loads(data, tag_hook=_refuse_other_tag, semantic_decoders=_TAGS | {_NONE: none})
        if nones == data.count(_NULL):  # none of these bytes is a NULL, which reads as None, too
            return value
        return _with_nulls(
            cbor2.loads(data, tag_hook=_refuse_other_tag, semantic_decoders=_TAGS | {_NONE: _decode_none})
        )
    except (_UnknownValue, cbor2.CBORDecodeError, ValueError):
        return sdk_decode(data)


def _decode_none(value: Any, immutable: bool) -> Any:
    return _NOTHING


def _with_nulls(value: Any) -> Any:
    """NONE as None, NULL as Null, where the one was read as _NOTHING and the other as None."""
    if isinstance(value, dict):
        return {name: _with_nulls(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_with_nulls(one) for one in value]
    if value is None:
        return Null
    return None if value is _NOTHING else value


def _record(value: Any, immutable: bool) -> Any:
    table, key = value
    if not isinstance(key, str) and (not isinstance(key, list) or not all(isinstance(part, str) for part in key)):
        raise _UnknownValue
    return _record_of(table, key)


def _moment(value: Any, immutable: bool) -> Any:
    seconds, rest = (*value, 0, 0)[:2]
    if rest % 1_000:
        return tag_decoder(None, CBORTag(_MOMENT, value))  # type: ignore[arg-type]
    return _EPOCH + timedelta(0, seconds, rest // 1_000)


def _by_sdk(tag: int) -> Any:
    return lambda value, immutable: tag_decoder(None, CBORTag(tag, value))  # type: ignore[arg-type]


def _refuse_other_tag(tag: Any, immutable: bool) -> Any:
    raise _UnknownValue


def _refuse_tag(value: Any, immutable: bool) -> Any:
    raise _UnknownValue


def _write_int(encoder: cbor2.CBOREncoder, value: int) -> None:
    if not -(2**63) <= value < 2**63:
        raise _UnknownValue  # the SDK says it in words
    encoder.encode_int(value)


def _refuse_value(encoder: cbor2.CBOREncoder, value: Any) -> None:
    raise _UnknownValue


# The last ones cbor2 writes otherwise than the SDK.
_WRITERS: dict[type, Any] = {
    type(None): lambda encoder, _: encoder.write(b"\xc6" + _NULL),
    NullType: lambda encoder, _: encoder.write(_NULL),
    RecordID: lambda encoder, record: encoder.encode(cbor2.CBORTag(_RECORD, [record.table_name, record.id])),
    int: _write_int,
} | dict.fromkeys((set, frozenset, date, Decimal, Fraction, complex, re.Pattern), _refuse_value)

# Of the other tags, cbor2 knows some that the SDK reads otherwise.
_TAGS = dict.fromkeys((*range(64), 100, 258, 260, 261, 1004, 43000, 55799), _refuse_tag) | {
    _TABLE: _by_sdk(_TABLE),
    _RECORD: _record,
    _MOMENT: _moment,
    _SPAN: _by_sdk(_SPAN),
}
