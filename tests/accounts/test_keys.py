from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryapp.accounts.keys import (
    authenticate_key,
    create_key,
    create_local_key,
    revoke_key,
    role_of_key,
    rotate_key,
)
from memoryapp.accounts.models import ApiKey, Space
from memoryapp.accounts.people import set_active
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput


def test_a_fresh_key_is_recognised(space: Space) -> None:
    key, text = create_key("agent", role=Role.WRITER, space=space)
    assert text.startswith(f"pal_{key.prefix}_")
    assert authenticate_key(text) == key
    assert authenticate_key(f"  {text}\n") == key


def test_a_name_is_kept_without_what_no_server_keeps(space: Space) -> None:
    key, _ = create_key("my\x00 agent", role=Role.WRITER, space=space, agent="\x00scribe\ud800")
    assert (key.name, key.agent) == ("my agent", "scribe")
    with pytest.raises(BadInput):
        create_key("\x00", role=Role.WRITER, space=space)


def test_the_secret_is_stored_nowhere(space: Space) -> None:
    key, text = create_key("agent", role=Role.WRITER, space=space)
    secret = text.split("_", 2)[2]
    row = ApiKey.objects.filter(pk=key.pk).values().get()
    assert not [name for name, value in row.items() if secret in str(value)]


@pytest.mark.parametrize(
    "spoil", ["{}x", "x{}", "pal_{}", "pal", "", "pal__", "pal_00000000_", "a b c", "💥_1_2", "\ud800_a_b"]
)
def test_what_is_no_key_opens_nothing(space: Space, spoil: str) -> None:
    _, text = create_key("agent", role=Role.WRITER, space=space)
    assert authenticate_key(spoil.format(text)) is None


def test_the_secret_of_another_key_opens_nothing(space: Space) -> None:
    first, text = create_key("one", role=Role.READER, space=space)
    second, _ = create_key("two", role=Role.ADMIN, space=space)
    assert authenticate_key(text.replace(first.prefix, second.prefix)) is None


def test_a_revoked_key_opens_nothing_and_can_be_revoked_again(space: Space) -> None:
    key, text = create_key("agent", role=Role.WRITER, space=space)
    revoke_key(key)
    first = key.revoked_at
    revoke_key(key)
    assert authenticate_key(text) is None
    assert key.revoked_at == first


def test_a_rotated_key_keeps_its_rights_under_a_new_secret(space: Space) -> None:
    key, old = create_key("agent", role=Role.CURATOR, space=space, agent="scribe")
    rotated, new = rotate_key(key)
    assert authenticate_key(old) is None
    assert authenticate_key(new) == rotated
    assert (rotated.name, rotated.role, rotated.space, rotated.agent) == ("agent", "curator", space, "scribe")


def test_the_keys_of_a_person_who_is_shut_out_open_nothing(ada: User, bob: User, space: Space) -> None:
    _, text = create_key("agent", role=Role.READER, space=space, created_by=bob)
    set_active(bob, False)
    assert authenticate_key(text) is None
    set_active(bob, True)
    assert authenticate_key(text) is not None


def test_only_an_administrator_makes_a_key_for_every_space(ada: User, bob: User) -> None:
    with pytest.raises(BadInput) as caught:
        create_key("agent", role=Role.READER, created_by=bob)
    assert caught.value.field == "/space"
    assert create_key("agent", role=Role.READER, created_by=ada)[0].space is None


def test_a_key_reaches_its_own_space_only(space: Space, other: Space, ada: User) -> None:
    here, _ = create_key("here", role=Role.WRITER, space=space)
    everywhere, _ = create_key("everywhere", role=Role.READER, created_by=ada)
    assert (role_of_key(here, space), role_of_key(here, other)) == (Role.WRITER, None)
    assert role_of_key(everywhere, other) is Role.READER


@pytest.mark.parametrize("name", ["", "   ", "x" * 101])
def test_a_key_needs_a_name_of_sensible_length(space: Space, name: str) -> None:
    with pytest.raises(BadInput):
        create_key(name, role=Role.READER, space=space)


def test_the_last_use_is_written_at_most_once_a_minute(space: Space) -> None:
    key, text = create_key("agent", role=Role.READER, space=space)
    authenticate_key(text)
    used = ApiKey.objects.get(pk=key.pk).last_used_at
    assert used is not None
    with CaptureQueriesContext(
        connection,
    ) as queries:
        authenticate_key(text)
    assert [q["sql"] for q in queries if q["sql"].startswith("UPDATE")] == []
    ApiKey.objects.filter(pk=key.pk).update(last_used_at=timezone.now() - timedelta(minutes=2))
    authenticate_key(text)
    again = ApiKey.objects.get(pk=key.pk).last_used_at
    assert again is not None and again >= used


def test_there_is_one_local_key_at_a_time(ada: User) -> None:
    _, first = create_local_key(ada)
    _, second = create_local_key(ada)
    assert authenticate_key(first) is None
    found = authenticate_key(second)
    assert found is not None and found.role == "admin" and found.space is None
