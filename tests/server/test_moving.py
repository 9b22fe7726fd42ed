"""From one's own machine to a server, by the commands of docs/SCALING.md."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from tests.live import manage
from tests.server.processes import PASSWORD, USER, bridge, free_port

pytestmark = [pytest.mark.server, pytest.mark.long]


def rows(file: Path) -> list[str]:
    """The lines of a backup after its head, which tells when it was made."""
    return gzip.decompress(file.read_bytes()).decode().splitlines()[1:]


# Each command as it is typed, in two processes instead of five: starting one is what takes the time.
AT_HOME = """
from django.core.management import call_command as manage
manage("remember", "The heron stands at the weir. 가치관")
manage("backup", "{first}")
"""
AT_THE_SERVER = """
from django.core.management import call_command as manage
manage("restore", "{first}", "--space", "default")
manage("backup", "{second}")
manage("recall", "where is the heron?")
"""


def test_a_backup_of_the_embedded_mode_restored_into_server_mode_is_the_same_line_for_line(tmp_path: Path) -> None:
    home, served = tmp_path / "home", tmp_path / "served"
    home.mkdir()
    served.mkdir()
    files = {"first": tmp_path / "default.palimpsest.gz", "second": tmp_path / "again.palimpsest.gz"}
    made = manage("shell", "-c", AT_HOME.format(**files), data=home)
    assert made.returncode == 0, made.stderr
    for file in (*home.glob("people.sqlite3*"), home / "secret.key"):
        shutil.copy(file, served)
    with bridge(tmp_path, port := free_port()):
        server = {
            "MEMORY_STORE_URL": f"ws://127.0.0.1:{port}/rpc",
            "MEMORY_STORE_USER": USER,
            "MEMORY_STORE_PASSWORD": PASSWORD,
        }
        taken = manage("shell", "-c", AT_THE_SERVER.format(**files), data=served, **server)
    assert taken.returncode == 0, taken.stderr
    assert "The heron stands at the weir. 가치관" in taken.stdout
    assert rows(files["second"]) == rows(files["first"]) and len(rows(files["first"])) > 4
