"""`connect` and `disconnect` as a person types them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memoryapp.connect.agents import AGENTS
from memoryapp.connect.app import key_file
from memoryapp.connect.files import write_bytes
from memoryapp.connect.places import Place, place_of, table_with
from memoryapp.domain.errors import BadInput
from memoryapp.management.commands.mcp import _space_of_this_folder
from tests.live import manage

Done = subprocess.CompletedProcess[str]


class Shell:
    """A terminal in a project's folder, of somebody who has Claude Code and Cursor."""

    def __init__(self, home: Path) -> None:
        self.home, self.data, self.project = home, home.parent / "data", home / "projects" / "hangang"
        self.project.mkdir(parents=True)
        for name in (".claude", ".cursor"):
            (home / name).mkdir()

    def __call__(self, *words: str, code: int = 0) -> Done:
        done = manage(*words, data=self.data, folder=self.project, timeout=120)
        assert done.returncode == code, done.stderr
        return done


@pytest.fixture
def shell(home: Path) -> Shell:
    return Shell(home)


def test_without_an_agent_it_lists_them_and_makes_nothing(shell: Shell) -> None:
    told = shell("connect").stdout
    assert [line.split()[0] for line in told.splitlines()[: len(AGENTS)]] == list(AGENTS)
    assert "cursor          Cursor              installed\n" in told and "This folder: space “default”." in told
    rows = {one["agent"]: one for one in json.loads(shell("connect", "--json").stdout)}
    assert rows["cursor"]["installed"] and not rows["zed"]["installed"] and rows["cursor"]["files"] == []
    assert not (shell.data / "people.sqlite3").exists()


def test_one_line_wires_an_agent_and_one_takes_it_back(shell: Shell) -> None:
    dry = shell("connect", "--all", "--dry-run").stdout
    assert '+    "palimpsest": {' in dry and not (shell.data / "connect").exists()
    told = shell("connect", "--all").stdout
    assert "Claude Code: ~/.claude.json was made." in told and "Cursor: ~/.cursor/mcp.json was made." in told
    key = key_file(shell.data, "default")  # where hooks look for it
    assert key.read_text().startswith("pal_") and key.stat().st_mode & 0o777 == 0o600
    assert "connected: ~/.claude.json, ~/.claude/settings.json" in shell("connect").stdout
    assert "is as it should be" in shell("connect", "cursor").stdout
    rows = json.loads(shell("disconnect", "--all", "--json").stdout)
    assert [row["became"] for row in rows] == ["removed"] * 3
    assert [path for path in shell.home.rglob("*") if path.is_file()] == []
    assert "was not connected" in shell("disconnect", "cursor", code=1).stderr


def test_a_broken_file_is_left_alone_with_the_block_to_paste_and_the_others_are_wired(shell: Shell) -> None:
    broken = shell.home / ".claude.json"
    broken.write_text('{"half": ')
    done = shell("connect", "--all", code=1)
    assert broken.read_text() == '{"half": ' and "Cursor: ~/.cursor/mcp.json was made." in done.stdout
    said, _, block = done.stderr.partition("\n")
    assert str(broken) in said and "line 1 is no JSON" in said
    assert json.loads(block)["mcpServers"]["palimpsest"]["command"]


def test_a_folder_has_a_space_of_its_own_or_is_off(shell: Shell) -> None:
    assert "no space called hangang" in shell("connect", "--space", "hangang", code=1).stderr
    shell("spaces", "create", "hangang")
    told = shell("connect", "claude-code", "--space", "hangang").stdout
    assert "In ~/projects/hangang and below, talks belong to space “hangang”." in told
    assert place_of(shell.data, shell.project / "deep" / "below") == Place("hangang")
    assert place_of(shell.data, shell.home) == Place()
    assert (shell.data / "mcp-writer-hangang.key").exists()
    assert "hooks are off" in shell("connect", "--off").stdout
    assert place_of(shell.data, shell.project) == Place("hangang", off=True)
    assert "This folder: hooks are off." in shell("connect").stdout
    assert "space “default”" in shell("connect", "--on").stdout
    assert place_of(shell.data, shell.project) == Place()


def test_tools_are_started_in_the_space_of_their_folder(
    home: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = home / "data"
    file, content = table_with(home / "data", home / "work", Place("hangang"))
    write_bytes(file, content)
    for folder, space in ((home / "work" / "deep", "hangang"), (home / "elsewhere", "default")):
        folder.mkdir(parents=True)
        monkeypatch.chdir(folder)
        assert _space_of_this_folder() == space
    file.write_text("{")
    with pytest.raises(BadInput, match=r"folders\.json cannot be read"):
        _space_of_this_folder()


def test_in_a_project_the_entry_names_its_space(shell: Shell) -> None:
    shell("spaces", "create", "hangang")
    shell("connect", "cursor", "--project", "--space", "hangang")
    entry = json.loads((shell.project / ".cursor" / "mcp.json").read_text())["mcpServers"]["palimpsest"]
    assert entry["args"][-2:] == ["--space", "hangang"] and not (shell.home / ".cursor" / "mcp.json").exists()
    shell("disconnect", "cursor", "--project")
    assert not (shell.project / ".cursor").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("connect", "clawd"), "There is no agent “clawd”"),
        (("connect", "cursor", "--all"), "not both"),
        (("connect", "windsurf", "--project"), "no file of servers in a project"),
        (("connect", "cursor", "--budget", "0"), "1 at least"),
        (("connect", "--on", "--space", "default"), "--on takes back"),
        (("disconnect",), "Name an agent"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(shell: Shell, words: tuple[str, ...], why: str) -> None:
    done = shell(*words, code=1)
    assert why in done.stderr and len(done.stderr.splitlines()) == 1 and done.stdout == ""


def test_where_no_agent_is_installed_all_of_them_are_none(shell: Shell) -> None:
    for name in (".claude", ".cursor"):
        shutil.rmtree(shell.home / name)
    assert "No agent" in shell("connect", "--all", code=1).stderr


def test_what_hooks_could_not_do_is_shown(shell: Shell) -> None:
    log = shell.data / "connect" / "hook.log"
    log.parent.mkdir(parents=True)
    log.write_text("\n".join(f"2026-11-20 10:00:0{n} codex: problem {n}" for n in range(5)) + "\n")
    told = shell("connect").stdout
    assert "problem 4" in told and "problem 2" in told and "problem 1" not in told
