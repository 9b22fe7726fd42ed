from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryapp.accounts import keys
from memoryapp.accounts.keys import create_key, key_with_prefix
from memoryapp.accounts.models import ApiKey, Space
from memoryapp.accounts.roles import Role


@pytest.fixture
def prefix(space: Space, ada: User) -> str:
    return create_key("agent", role=Role.WRITER, space=space, created_by=ada)[0].prefix


def known(prefix: str) -> ApiKey:
    found = key_with_prefix(prefix)
    assert found is not None
    return found


def test_a_key_that_is_as_before_takes_one_question(prefix: str) -> None:
    first = known(prefix)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        again = known(prefix)
        assert again.space is not None and again.created_by is not None
        assert (again, again.space, again.created_by) == (first, first.space, first.created_by)
        assert (again.name, again.space.settings, again.created_by.username) == ("agent", {}, "ada")
    assert len(asked) == 1


def test_what_anybody_writes_to_the_key_its_space_or_its_maker_is_seen_at_once(
    prefix: str, space: Space, ada: User
) -> None:
    known(prefix)
    Space.objects.filter(pk=space.pk).update(settings={"top_k": 3}, encoder="hashing")
    told = known(prefix).space
    assert told is not None and (told.settings, told.encoder) == ({"top_k": 3}, "hashing")
    User.objects.filter(pk=ada.pk).update(is_active=False)
    maker = known(prefix).created_by
    assert maker is not None and not maker.is_active
    ApiKey.objects.filter(prefix=prefix).update(role=Role.READER.value, revoked_at=timezone.now())
    assert known(prefix).role == Role.READER and known(prefix).revoked_at is not None
    ada.delete()
    assert known(prefix).created_by is None
    ApiKey.objects.filter(prefix=prefix).delete()
    assert key_with_prefix(prefix) is None


def test_what_one_caller_does_to_its_objects_no_other_sees(prefix: str) -> None:
    mine = known(prefix)
    for key in (mine, known(prefix)):
        assert key.space is not None and key.created_by is not None
        key.role = Role.ADMIN.value
        key.space.settings["top_k"] = 99
        key.space.name = "elsewhere"
        key.created_by.is_superuser = False
    other = known(prefix)
    assert other.space is not None and other.created_by is not None
    assert (other.role, other.space.settings, other.space.name) == ("writer", {}, "notes")
    assert other.created_by.is_superuser


def test_no_more_keys_are_kept_than_may_be(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "KEPT", 2)
    keys._made.clear()
    prefixes = [create_key(f"agent {n}", role=Role.READER, space=space)[0].prefix for n in range(3)]
    assert [known(prefix).name for prefix in prefixes] == ["agent 0", "agent 1", "agent 2"]
    assert list(keys._made) == prefixes[1:]
    assert known(prefixes[0]).name == "agent 0"
