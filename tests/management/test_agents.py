from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memoryapp.accounts.keys import authenticate_key, revoke_key
from memoryapp.accounts.models import ApiKey
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import NotAllowed
from memoryapp.management.agents import finder, key_for_agents


@pytest.fixture
def folder(tmp_path: Path, settings: Any, db: None) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def test_agents_on_this_machine_have_one_key_for_each_role(folder: Path) -> None:
    curators = key_for_agents(Role.CURATOR)
    assert key_for_agents(Role.CURATOR) == curators != key_for_agents(Role.WRITER)
    key = authenticate_key(curators)
    assert key is not None
    assert (key.role, key.agent, key.space, key.local) == ("curator", "stdio", None, False)
    assert (folder / "mcp-curator.key").stat().st_mode & 0o777 == 0o600


def test_a_key_that_was_revoked_stays_so_until_its_file_is_removed(folder: Path) -> None:
    key = authenticate_key(key_for_agents(Role.CURATOR))
    assert key is not None
    revoke_key(key)
    with pytest.raises(NotAllowed, match=r"was revoked. Remove .*mcp-curator\.key"):
        key_for_agents(Role.CURATOR)
    (folder / "mcp-curator.key").unlink()
    assert authenticate_key(key_for_agents(Role.CURATOR)) is not None


def test_a_key_that_the_database_does_not_know_is_made_anew(folder: Path) -> None:
    old = key_for_agents(Role.READER)
    ApiKey.objects.all().delete()
    new = key_for_agents(Role.READER)
    assert new != old and authenticate_key(new) is not None
    (folder / "mcp-reader.key").write_text("")
    assert authenticate_key(key_for_agents(Role.READER)) is not None


def test_where_nothing_runs_nothing_is_found(folder: Path) -> None:
    assert finder("pal_x_y", patience=0)() is None
