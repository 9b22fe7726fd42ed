from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memoryapp.accounts.keys import authenticate_key, create_key, revoke_key
from memoryapp.accounts.models import ApiKey
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import NotAllowed, NotFound
from memoryapp.management.agents import finder, key_for_agents, keys_of_earlier_versions
from memoryapp.management.commands.mcp import Command


@pytest.fixture
def folder(tmp_path: Path, settings: Any, db: None) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


def test_agents_on_this_machine_have_one_key_for_each_role(folder: Path) -> None:
    curators = key_for_agents(Role.CURATOR, "default")
    assert key_for_agents(Role.CURATOR, "default") == curators != key_for_agents(Role.WRITER, "default")
    key = authenticate_key(curators)
    assert key is not None
    assert key.space is not None and key.space.name == "default"
    assert (key.role, key.agent, key.local) == ("curator", "stdio", False)
    assert (folder / "mcp-curator-default.key").stat().st_mode & 0o777 == 0o600


def test_a_key_opens_one_space_and_every_one_only_on_request(folder: Path) -> None:
    for role, space in ((Role.WRITER, "default"), (Role.CURATOR, None)):
        key = authenticate_key(key_for_agents(role, space))
        assert key is not None and key.role == role.value
        assert (key.space.name if key.space else None) == space
    with pytest.raises(NotFound, match="nowhere"):
        key_for_agents(Role.WRITER, "nowhere")


def test_an_agent_is_a_writer_of_one_space_unless_more_is_asked_for() -> None:
    said = Command().create_parser("manage.py", "mcp").parse_args([])
    assert (said.role, said.all_spaces, said.allow_purge) == ("writer", False, False)


def test_keys_of_earlier_versions_are_pointed_out(folder: Path) -> None:
    key_for_agents(Role.WRITER, "default")
    assert keys_of_earlier_versions() == []
    old, text = create_key("old", role=Role.CURATOR)
    (folder / "mcp-curator.key").write_text(f"{text}\n")
    assert keys_of_earlier_versions() == [str(folder / "mcp-curator.key")]
    revoke_key(old)
    assert keys_of_earlier_versions() == []


def test_a_key_that_was_revoked_stays_so_until_its_file_is_removed(folder: Path) -> None:
    key = authenticate_key(key_for_agents(Role.CURATOR, "default"))
    assert key is not None
    revoke_key(key)
    with pytest.raises(NotAllowed, match=r"was revoked. Remove .*mcp-curator-default\.key"):
        key_for_agents(Role.CURATOR, "default")
    (folder / "mcp-curator-default.key").unlink()
    assert authenticate_key(key_for_agents(Role.CURATOR, "default")) is not None


def test_a_key_that_the_database_does_not_know_is_made_anew(folder: Path) -> None:
    old = key_for_agents(Role.READER, "default")
    ApiKey.objects.all().delete()
    new = key_for_agents(Role.READER, "default")
    assert new != old and authenticate_key(new) is not None
    (folder / "mcp-reader-default.key").write_text("")
    assert authenticate_key(key_for_agents(Role.READER, "default")) is not None


def test_where_nothing_runs_nothing_is_found(folder: Path) -> None:
    assert finder("pal_x_y", patience=0)() is None
