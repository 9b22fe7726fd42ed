from __future__ import annotations

from dataclasses import replace

import pytest

from memoryapp.domain.errors import Clash, NotFound, Stale
from memoryapp.domain.golden import Profile
from memoryapp.store import profiles
from memoryapp.store.database import Database
from tests.samples import NOON

CAREFUL = Profile("careful", "hybrid;vector=1.4", "물 \u2028 note", "mara", NOON, NOON)


def test_a_profile_is_read_as_it_was_written(db: Database) -> None:
    assert profiles.every(db) == () and profiles.find(db, "careful") is None and profiles.count(db) == 0
    bold = replace(CAREFUL, name="bold")
    profiles.save(db, CAREFUL)
    profiles.save(db, bold)
    assert profiles.every(db) == (bold, CAREFUL) and profiles.count(db) == 2
    assert profiles.find(db, "careful") == CAREFUL == profiles.get(db, "careful")
    with pytest.raises(NotFound, match="nobody"):
        profiles.get(db, "nobody")


def test_each_version_is_written_over_the_one_before_alone(db: Database) -> None:
    profiles.save(db, CAREFUL)
    with pytest.raises(Clash) as clash:
        profiles.save(db, replace(CAREFUL, plan="rrf"))
    second = replace(CAREFUL, plan="rrf", version=2)
    profiles.save(db, second)
    with pytest.raises(Stale) as stale:
        profiles.save(db, replace(CAREFUL, plan="vector", version=2))
    assert (clash.value.field, stale.value.current) == ("/name", 2)
    assert profiles.get(db, "careful") == second


def test_what_is_deleted_is_handed_back(db: Database) -> None:
    profiles.save(db, CAREFUL)
    with pytest.raises(Stale) as stale:
        profiles.delete(db, "careful", version=2)
    assert stale.value.current == 1 and profiles.count(db) == 1
    assert profiles.delete(db, "careful", version=1) == CAREFUL
    with pytest.raises(NotFound):
        profiles.delete(db, "careful")
