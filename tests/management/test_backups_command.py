"""`manage.py backups`: those that the heartbeat keeps, listed, restored into a new space, removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.live import manage


@pytest.mark.slow
def test_they_are_taken_listed_restored_and_removed_without_an_app(tmp_path: Path) -> None:
    assert manage("remember", "The heron stands in the reeds.", data=tmp_path).returncode == 0
    taken = manage("heartbeat", "--run", "backup", "--json", data=tmp_path)
    assert taken.returncode == 0, taken.stderr
    name = json.loads(taken.stdout)["job"]["report"]["file"]
    listed = manage("backups", data=tmp_path)
    assert listed.returncode == 0 and f"1 in {tmp_path / 'backups' / 'default'}" in listed.stdout
    assert listed.stdout.rstrip().endswith(name)
    restored = manage("backups", "restore", name, "--into", "again", data=tmp_path)
    assert restored.returncode == 0, restored.stderr
    assert restored.stdout == f"Space “again”: 1 memory with all that belongs to it, from {name}.\n"
    again = manage("backups", "restore", name, "--into", "again", data=tmp_path)
    assert again.returncode == 1 and "already a space called again" in again.stderr
    assert f"{name} would be removed." in manage("backups", "remove", name, "--dry-run", data=tmp_path).stdout
    assert f"{name} is removed." in manage("backups", "remove", name, data=tmp_path).stdout
    assert "None is older than a purge." in manage("backups", "remove-purged", data=tmp_path).stdout
