from __future__ import annotations

from datetime import timedelta

import pytest

from memoryapp.domain.conflict import Outcome, Scope, resolve
from memoryapp.domain.memory import Kind, State
from tests.samples import NOON, a_memory

LATER = NOON + timedelta(days=20)
SEOUL = a_memory("Mina lives in Seoul.", kind=Kind.FACT, occurred_at=NOON, sessions=("monday",))
BUSAN = a_memory("Mina moved to Busan.", kind=Kind.FACT, occurred_at=LATER, sessions=("friday",))
NOW = LATER + timedelta(hours=1)


def test_keeping_supersedes_the_incoming_one_without_its_ever_having_held() -> None:
    done = resolve(SEOUL, BUSAN, Outcome.KEEP, now=NOW)
    assert done.existing == SEOUL
    assert done.incoming.state is State.SUPERSEDED and done.incoming.valid_to == BUSAN.occurred_at
    assert done.superseded == ((SEOUL.id, BUSAN.id),)


def test_replacing_ends_the_existing_one_where_the_incoming_one_begins() -> None:
    done = resolve(SEOUL, BUSAN, Outcome.REPLACE, now=NOW)
    assert (done.existing.state, done.existing.valid_to) == (State.SUPERSEDED, LATER)
    assert (done.incoming.state, done.incoming.valid_from) == (State.HELD, LATER)
    assert done.superseded == ((BUSAN.id, SEOUL.id),)


def test_replacing_leaves_an_end_that_was_known_to_be_earlier() -> None:
    ended = a_memory("Mina lives in Seoul.", kind=Kind.FACT, valid_to=NOON + timedelta(days=5))
    assert resolve(ended, BUSAN, Outcome.REPLACE, now=NOW).existing.valid_to == NOON + timedelta(days=5)


def test_both_hold_each_in_its_scope() -> None:
    done = resolve(SEOUL, BUSAN, Outcome.BOTH, now=NOW, scope=Scope("weekdays", "weekends"))
    assert (done.existing.state, done.incoming.state) == (State.HELD, State.HELD)
    assert done.existing.tags == ("weekdays",) and done.incoming.tags == ("weekends",)
    assert not done.superseded and done.existing.valid_to is None


def test_both_hold_at_different_times() -> None:
    done = resolve(SEOUL, BUSAN, Outcome.BOTH, now=NOW, scope=Scope(ended_at=LATER))
    assert done.existing.valid_to == LATER == done.incoming.valid_from
    assert done.existing.state is State.HELD


def test_a_merge_says_the_new_words_and_is_confirmed_by_the_incoming_one() -> None:
    done = resolve(SEOUL, BUSAN, Outcome.MERGE, now=NOW, text="Mina lived in Seoul and moved to Busan.")
    assert done.existing.text == "Mina lived in Seoul and moved to Busan."
    assert (done.existing.reinforcements, done.existing.reinforced_at) == (1, NOW)
    assert done.existing.sessions == ("monday", "friday")
    assert done.incoming.state is State.SUPERSEDED


def test_neither_puts_both_aside() -> None:
    done = resolve(SEOUL, BUSAN, Outcome.NEITHER, now=NOW)
    assert {done.existing.state, done.incoming.state} == {State.ARCHIVED} and not done.superseded


@pytest.mark.parametrize("outcome", list(Outcome))
def test_no_outcome_touches_ids_versions_or_where_the_words_came_from(outcome: Outcome) -> None:
    done = resolve(SEOUL, BUSAN, outcome, now=NOW, text="x")
    for before, after in ((SEOUL, done.existing), (BUSAN, done.incoming)):
        assert (before.id, before.version, before.origin, before.created_at) == (
            after.id,
            after.version,
            after.origin,
            after.created_at,
        )
