"""Each agent, from a home folder in which it never was to one in which others have settings of their own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.connect import pipeline
from memoryapp.connect.agents import AGENTS, HOOK, NAME, Agent, hook_command, server_command, starts_same_hook, wishes
from memoryapp.connect.events import EVENTS
from memoryapp.connect.files import write_bytes
from memoryapp.connect.pipeline import Became, Step, Unusable, plan_connect, plan_disconnect, standings
from memoryapp.connect.settings_text import add_wishes, parse, remove_wishes
from memoryapp.domain.errors import BadInput, NotFound
from tests.connect.test_jsonc import objects

every_agent = pytest.mark.parametrize("agent", AGENTS.values(), ids=list(AGENTS))


@pytest.fixture
def data(home: Path) -> Path:
    folder = home.parent / "data"
    folder.mkdir(mode=0o700)
    return folder


def connect(data: Path, agent: Agent, **more: Any) -> list[Became]:
    project = more.pop("project", None)
    steps = plan_connect(data, agent, project=project, **{"space": "", "budget": None, "hooks": True} | more)
    pipeline.connect(data, agent, steps, project=project)
    return [step.became for step in steps]


def disconnect(data: Path, agent: Agent, project: Path | None = None) -> list[Became]:
    steps = plan_disconnect(data, agent, project=project)
    pipeline.disconnect(data, agent, steps)
    return [step.became for step in steps]


def everything(folder: Path) -> dict[str, bytes | None]:
    """Every file and folder below it."""
    return {str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes() for path in folder.rglob("*")}


def files_of(agent: Agent) -> set[Path]:
    return {agent.settings(), *([agent.hooks()] if agent.hooks else [])}


def others(agent: Agent, file: Path) -> str:
    """Settings of somebody who has other servers and other hooks, and says why."""
    if file.suffix == ".toml":
        return (
            '# mine\nmodel = "gpt"  # the good one\n\n[mcp_servers.other]\ncommand = "other"\n\n[profiles.x]\na = 1\n'
        )
    hook = '{"hooks": [{"type": "command", "command": "say done"}]}'
    key, _, inner = agent.key[0], agent.key[1:], '{"command": "other"}'
    return (
        "// mine\n{\n"
        '\t"theme": "dark", // the good one\n'
        f'\t"{key}": {{\n\t\t"other": {inner}, // do not touch\n\t}},\n'
        f'\t"hooks": {{"Stop": [{hook}]}},\n'
        "}\n"
    )


@every_agent
def test_from_a_clean_home_and_back_to_one(agent: Agent, home: Path, data: Path) -> None:
    before = everything(home)
    assert set(connect(data, agent)) == {Became.MADE}
    for file in files_of(agent):
        assert file.is_relative_to(home) and file.stat().st_mode & 0o777 == 0o600
    there: Any = parse(agent.settings(), agent.settings().read_text())
    for name in agent.key:
        there = there[name]
    assert list(there) == [NAME]
    command = there[NAME]["command"]
    words = command if isinstance(command, list) else [command, *there[NAME]["args"]]
    assert words == server_command(data)
    assert set(disconnect(data, agent)) == {Became.REMOVED}
    assert everything(home) == before


@every_agent
def test_beside_other_settings_with_comments_and_back_to_the_byte(agent: Agent, home: Path, data: Path) -> None:
    texts = {file: others(agent, file) for file in files_of(agent)}
    for file, text in texts.items():
        write_bytes(file, text.encode(), mode=0o640)
    before = everything(home)
    assert set(connect(data, agent)) == {Became.CHANGED}
    for file, text in texts.items():
        now = file.read_text()
        # Every line that was there is there, in its order; all else is ours.
        rest = iter(now.splitlines())
        assert all(
            any(line.rstrip(",}") in other for other in rest) for line in text.splitlines() if "hooks" not in line
        )
        assert "say done" in now or file.suffix == ".toml"
        assert file.stat().st_mode & 0o777 == 0o640
    assert set(disconnect(data, agent)) == {Became.RESTORED}
    assert everything(home) == before


@every_agent
def test_connecting_twice_is_connecting_once(agent: Agent, home: Path, data: Path) -> None:
    connect(data, agent)
    once = everything(home), everything(data)
    assert set(connect(data, agent)) == {Became.SAME}
    assert (everything(home), everything(data)) == once


@every_agent
def test_after_other_edits_only_our_entries_go(agent: Agent, home: Path, data: Path) -> None:
    file = agent.settings()
    connect(data, agent)
    if file.suffix == ".toml":
        file.write_text("# later\n" + file.read_text() + '\n[mcp_servers.later]\ncommand = "later"\n')
    else:
        now = json.loads(file.read_text())
        now[agent.key[0]]["later"] = {"command": "later"}
        file.write_text("// later\n" + json.dumps(now, indent=4))
    assert Became.CHANGED in disconnect(data, agent)
    text = file.read_text()
    assert text.startswith(("# later", "// later")) and NAME not in text and str(HOOK) not in text
    assert parse(file, text)[agent.key[0]] == {"later": {"command": "later"}}
    assert plan_disconnect(data, agent, project=None) == []


@every_agent
def test_connecting_anew_after_other_edits_changes_our_entries_alone(agent: Agent, home: Path, data: Path) -> None:
    file = agent.settings()
    connect(data, agent)
    file.write_text(("# later\n" if file.suffix == ".toml" else "// later\n") + file.read_text())
    connect(data, agent, space="work")
    text = file.read_text()
    assert "later" in text and "work" in text and text.count(f'"{NAME}"') + text.count(f".{NAME}]") == 1
    disconnect(data, agent)
    assert "later" in file.read_text() and NAME not in file.read_text()


@every_agent
@pytest.mark.parametrize(
    "broken", [b'{"a": ', b"\xff\xfe\x00", b"[1, 2]", b"= ="], ids=["cut", "bytes", "list", "sign"]
)
def test_a_file_that_is_not_what_it_should_be_is_left_alone(
    agent: Agent, broken: bytes, home: Path, data: Path
) -> None:
    for file in files_of(agent):
        if file.suffix == ".toml" and broken == b"[1, 2]":
            broken = b"[1, 2"
        write_bytes(file, broken)
        before = everything(home)
        with pytest.raises(Unusable, match="was left alone") as refused:
            connect(data, agent)
        assert NAME in refused.value.block or str(HOOK) in refused.value.block
        assert everything(home) == before and not (data / "connect" / "changes.json").exists()
        file.unlink()


@every_agent
def test_an_entry_of_our_name_that_we_did_not_make_is_left_alone(agent: Agent, home: Path, data: Path) -> None:
    file = agent.settings()
    value: Any = {"command": "mine"}
    for name in reversed((*agent.key, NAME)):
        value = {name: value}
    write_bytes(file, (tomlkit.dumps(value) if file.suffix == ".toml" else json.dumps(value)).encode())
    before = everything(home)
    with pytest.raises(Unusable, match="another"):
        connect(data, agent)
    assert everything(home) == before


@every_agent
def test_in_a_project(agent: Agent, home: Path, data: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    if not agent.project:
        with pytest.raises(BadInput, match="no file of servers in a project"):
            connect(data, agent, project=project)
        return
    connect(data, agent, project=project, space="work")
    assert everything(home) == {} and '"work"' in (project / agent.project).read_text()
    assert (project / agent.project).stat().st_mode & 0o777 == 0o644
    assert disconnect(data, agent) == []  # of the person's own there is none
    disconnect(data, agent, project)
    assert everything(project) == {}


@pytest.mark.parametrize("name", EVENTS)
def test_hooks_are_one_group_at_each_of_the_agents_events(name: str, home: Path, data: Path) -> None:
    agent = AGENTS[name]
    assert agent.hooks is not None
    connect(data, agent, budget=700)
    hooks = json.loads(agent.hooks().read_text())["hooks"]
    assert list(hooks) == list(EVENTS[name])
    for (group,) in hooks.values():
        (hook,) = group["hooks"]
        words = shlex.split(hook["command"])
        assert words[1:4] == ["-I", "-S", str(HOOK)] and words[-2:] == ["--budget", "700"]
        assert hook["timeout"] == (10_000 if name == "gemini-cli" else 10)
    connect(data, agent, hooks=False)
    assert "hooks" not in json.loads(agent.hooks().read_text() if agent.hooks().exists() else "{}")


def test_a_hook_that_somebody_put_beside_ours_stays(home: Path, data: Path) -> None:
    agent = AGENTS["claude-code"]
    assert agent.hooks is not None
    connect(data, agent)
    file = agent.hooks()
    now = json.loads(file.read_text())
    now["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    now["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "say more"}]})
    file.write_text(json.dumps(now))
    disconnect(data, agent)
    assert json.loads(file.read_text()) == {
        "hooks": {
            "Stop": [
                {"hooks": [{"type": "command", "command": "say done"}]},
                {"hooks": [{"type": "command", "command": "say more"}]},
            ]
        }
    }


def test_after_the_program_was_moved_its_old_hooks_go_and_another_memorys_stay(home: Path, data: Path) -> None:
    agent = AGENTS["claude-code"]
    assert agent.hooks is not None
    connect(data, agent)
    file, written = agent.hooks(), data / "connect" / "changes.json"
    for path in (file, written):  # as if all of it had been made by a program that lay elsewhere
        path.write_text(path.read_text().replace(str(HOOK), "/old/hook.py"))
    now = json.loads(file.read_text())
    other = {"hooks": [{"type": "command", "command": hook_command(data.parent / "other", agent.id)}]}
    now["hooks"]["Stop"].insert(0, other)
    file.write_text(json.dumps(now))
    connect(data, agent)
    assert "/old/hook.py" not in file.read_text()
    disconnect(data, agent)
    assert json.loads(file.read_text()) == {"hooks": {"Stop": [other]}}


def test_a_link_stays_a_link(home: Path, data: Path) -> None:
    agent, file = AGENTS["cursor"], AGENTS["cursor"].settings()
    kept = home / "dotfiles" / "mcp.json"
    write_bytes(kept, b'{"mcpServers": {}}')
    file.parent.mkdir()
    file.symlink_to(kept)
    connect(data, agent)
    assert file.is_symlink() and NAME in kept.read_text()
    disconnect(data, agent)
    assert file.is_symlink() and kept.read_text() == '{"mcpServers": {}}'


def test_a_file_that_somebody_removed_is_not_made_again(home: Path, data: Path) -> None:
    agent = AGENTS["cursor"]
    connect(data, agent)
    agent.settings().unlink()
    assert disconnect(data, agent) == [Became.SAME]
    assert not agent.settings().exists() and standings(data)[list(AGENTS).index("cursor")].files == ()


def test_a_file_that_changed_since_it_was_looked_at_is_not_written_over(home: Path, data: Path) -> None:
    agent = AGENTS["cursor"]
    steps = plan_connect(data, agent, project=None, space="", budget=None, hooks=True)
    write_bytes(agent.settings(), b"{}")
    with pytest.raises(BadInput, match="a moment ago"):
        pipeline.connect(data, agent, steps, project=None)
    assert agent.settings().read_bytes() == b"{}"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads and writes anything")
def test_a_file_that_cannot_be_read_or_written_is_left_alone(home: Path, data: Path) -> None:
    agent = AGENTS["cursor"]
    write_bytes(agent.settings(), b"{}", mode=0)
    with pytest.raises(Unusable, match="Permission denied"):
        connect(data, agent)
    agent.settings().chmod(0o600)
    agent.settings().parent.chmod(0o500)
    with pytest.raises(Unusable, match="Permission denied"):
        connect(data, agent)
    assert agent.settings().read_bytes() == b"{}"


def test_what_is_written_down_but_unreadable_stops_both(home: Path, data: Path) -> None:
    agent = AGENTS["cursor"]
    connect(data, agent)
    (data / "connect" / "changes.json").write_text("{")
    for act in (connect, disconnect):
        with pytest.raises(BadInput, match=r"changes\.json cannot be read"):
            act(data, agent)


def test_the_diff_is_what_changes(home: Path, data: Path) -> None:
    agent = AGENTS["cursor"]
    write_bytes(agent.settings(), b'{\n  "mcpServers": {}\n}\n')
    (step,) = plan_connect(data, agent, project=None, space="", budget=None, hooks=True)
    assert isinstance(step, Step) and '+    "palimpsest": {' in step.diff and '-  "mcpServers": {}' in step.diff
    assert agent.settings().read_bytes() == b'{\n  "mcpServers": {}\n}\n' and everything(data) == {}


def test_agents_are_installed_where_their_folder_is(home: Path, data: Path) -> None:
    assert len(AGENTS) >= 12 and not any(one.installed for one in standings(data))
    for agent in AGENTS.values():
        agent.folder.mkdir(parents=True, exist_ok=True)
    assert all(one.installed and one.files == () for one in standings(data))
    connect(data, AGENTS["codex"])
    (codex,) = (one for one in standings(data) if one.agent.id == "codex")
    assert codex.files == (home / ".codex/config.toml", home / ".codex/hooks.json")


def test_folders_that_the_agents_own_variables_name(home: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(home / "codex"))
    for name in ("claude-code", "codex"):
        connect(data, AGENTS[name])
    assert sorted(path for path, content in everything(home).items() if content) == [
        "claude/.claude.json",
        "claude/settings.json",
        "codex/config.toml",
        "codex/hooks.json",
    ]


def test_an_agent_nobody_knows_is_answered_with_those_there_are() -> None:
    with pytest.raises(NotFound, match="claude-code"):
        pipeline.agent_named("clawd")


def test_the_server_is_started_as_the_program_is(data: Path) -> None:
    assert server_command(data, "work") == [
        sys.executable, str(HOOK.parents[2] / "manage.py"), "mcp", "--data", str(data), "--space", "work",
    ]  # fmt: skip


def test_the_line_of_a_hook_is_known_again_and_can_be_run(tmp_path: Path) -> None:
    line = hook_command(tmp_path / "a folder", "codex")
    more = hook_command(tmp_path / "a folder", "codex", 700)
    assert starts_same_hook(more, line) and starts_same_hook(line, more) and not starts_same_hook("say done", line)
    assert not starts_same_hook(hook_command(tmp_path / "a folder 2", "codex"), line)
    done = subprocess.run(line, shell=True, input=b"{}", capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(objects, st.sampled_from([None, 2, "\t"]), st.sampled_from(["claude-code", "zed", "opencode", "gemini-cli"]))
def test_of_any_settings_all_that_is_not_ours_is_there_before_and_after(
    value: dict[str, Any], indent: int | str | None, name: str
) -> None:
    agent = AGENTS[name]
    text = json.dumps(value, indent=indent).encode()
    wanted = wishes(agent, Path("/data"))
    file = wanted[-1].file
    mine = [wish for wish in wanted if wish.file == file]
    new = add_wishes(file, text, mine)
    back = remove_wishes(file, new, mine, text)
    assert parse(file, back.decode()) == value
    for wish in mine:
        assert parse(file, new.decode())[wish.path[0]]
