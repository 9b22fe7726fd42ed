"""What is written and read here is what the SDK writes and reads, whatever it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from surrealdb import Duration, Null, RecordID, Table
from surrealdb.cbor import CBORTag
from surrealdb.data.cbor import decode, encode
from surrealdb.data.types.datetime import PreciseDatetime

from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import State
from memoryapp.store.database import Database
from memoryapp.store.engine import decode_cbor, encode_cbor

MOMENT = 12  # a tag: [seconds, nanoseconds], as the engine sends it
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
numbers = st.integers(-(2**63), 2**63 - 1)
moments = st.builds(
    lambda seconds, rest: CBORTag(MOMENT, [seconds, rest][: 2 if rest else 1]),
    st.integers(-10_000_000_000, 10_000_000_000),
    st.one_of(st.just(0), st.integers(0, 999_999_999), st.integers(0, 999_999).map(lambda micro: micro * 1_000)),
)
records = st.builds(RecordID, st.sampled_from(["memory", "references"]), st.one_of(texts, st.lists(texts, max_size=3)))
plain = st.one_of(
    st.none(),
    st.booleans(),
    numbers,
    st.floats(allow_nan=False),
    st.floats(allow_nan=False, width=16),
    texts,
    st.binary(max_size=40),
    st.just(Null),
    moments,
    records,
    st.uuids(),
    st.decimals(allow_nan=False),
    st.builds(Table, st.just("memory")),
    st.builds(Duration.parse, st.integers(0, 10**6), st.integers(0, 10**9 - 1)),
)
values = st.recursive(
    plain,
    lambda inner: st.one_of(st.lists(inner, max_size=30), st.dictionaries(texts, inner, max_size=30)),
    max_leaves=60,
)


sent_moments = st.one_of(
    st.datetimes(timezones=st.one_of(st.none(), st.just(UTC), st.timezones())),
    st.builds(PreciseDatetime.from_seconds_and_nanos, st.integers(0, 10**10), st.integers(0, 10**9 - 1)),
)
sent_plain = st.one_of(
    plain.filter(lambda value: not isinstance(value, CBORTag)),
    sent_moments,
    st.floats(),
    st.sampled_from(State),
    st.sets(numbers, max_size=3),
    st.frozensets(texts, max_size=3),
    st.integers(2**63, 2**70),
    st.just("\ud800"),
    st.just(object()),
)
sent_values = st.recursive(
    sent_plain,
    lambda inner: st.one_of(
        st.lists(inner, max_size=30),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(texts, inner, max_size=30),
    ),
    max_leaves=60,
)


@given(sent_values)
def test_every_value_is_written_as_the_sdk_writes_it(value: Any) -> None:
    assert _outcome(encode_cbor, value) == _outcome(encode, value)


@pytest.mark.parametrize("levels", [129, 100_000])
@pytest.mark.parametrize("within", [lambda inner: {"a": inner}, lambda inner: [inner], lambda inner: (inner,)])
def test_what_is_nested_without_end_is_refused_in_words(db: Database, levels: int, within: Any) -> None:
    value: Any = "deep"
    for _ in range(levels):
        value = within(value)
    with pytest.raises(BadInput, match="128 levels"):
        db.query("RETURN $value_sent", value_sent=value)


@given(values)
def test_every_answer_is_read_as_the_sdk_reads_it(value: Any) -> None:
    sent = encode({"id": "1", "result": [{"status": "OK", "result": value}]})
    assert _told(decode_cbor(sent)) == _told(decode(sent))


# Without simple values, which no engine sends: two libraries print theirs in two ways.
no_answers = st.binary(max_size=60).filter(lambda sent: not set(sent) & {*range(0xE0, 0xF4), 0xF7, 0xF8})


@given(no_answers)
def test_what_is_no_answer_fails_as_it_does_with_the_sdk(sent: bytes) -> None:
    assert _outcome(decode_cbor, sent) == _outcome(decode, sent)


def test_lists_of_a_length_that_is_not_said_before_are_left_to_the_sdk() -> None:
    assert decode_cbor(b"\xbf\x61a\x9f\x01\xbf\x61b\x61c\xff\xff\xff") == {"a": [1, {"b": "c"}]}


def test_a_moment_keeps_its_nanoseconds() -> None:
    exact, finer = (decode_cbor(encode(CBORTag(MOMENT, [1_700_000_000, rest]))) for rest in (5_000, 5_001))
    assert exact == finer == datetime.fromtimestamp(1_700_000_000, UTC) + timedelta(microseconds=5)
    assert finer.nanosecond == 1
    assert encode(finer) == encode(decode(encode(CBORTag(MOMENT, [1_700_000_000, 5_001]))))


@pytest.mark.parametrize("value", [None, Null, True, 1.5, -3, "가", b"\xf6", [], {}, [1, [2]], {"a": {"b": None}}])
def test_the_engine_gives_back_what_it_was_sent(db: Database, value: Any) -> None:
    assert db.query("RETURN $value_sent", value_sent=value) == [value]


def _told(value: Any) -> Any:
    """With the types beside the values, for 1 == 1.0 == True, and what makes two moments one written alike."""
    if isinstance(value, datetime):
        return "at", value, getattr(value, "nanosecond", 0), value.utcoffset()
    if isinstance(value, RecordID):
        return "record", value.table_name, _told(value.id)
    if isinstance(value, dict):
        return {key: _told(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_told(inner) for inner in value]
    return type(value).__name__, repr(value)


def _outcome(read: Any, sent: Any) -> Any:
    try:
        return _told(read(sent))
    except Exception as error:
        return type(error).__name__
