"""The agents that can be connected: where each keeps its settings, how an entry reads there, and what it is told to
start: the memory's server, and its hook. The places are those that the agents' own documentation names;
docs/CONNECT.md lists them.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoryapp.connect.events import EVENTS
from memoryapp.program import program_words

HOOK = Path(__file__).with_name("hook.py")
_BUDGET = " --budget "
NAME = "palimpsest"  # of our entry among an agent's servers
Shape = Callable[[list[str]], dict[str, Any]]
_HOOK_SECONDS = 10  # after which an agent stops waiting for a hook that hangs; ours gives up long before
_CODE = ("Code", "User")
_EXTENSION = (*_CODE, "globalStorage")
_OF_CODE = "Reload the window of VS Code, and it finds the memory."


def server_command(data: Path, space: str = "") -> list[str]:
    """Return the words that start the server over stdio. `space`: always this one, whatever folder the agent is in."""
    return [*program_words(), "mcp", "--data", str(data), *(["--space", space] if space else [])]


def hook_command(data: Path, agent: str, budget: int | None = None) -> str:
    """Return the shell line of the hook. Python starts without site-packages: it costs the agent milliseconds."""
    words = [sys.executable, "-I", "-S", str(HOOK), "--data", str(data), "--agent", agent]
    return shlex.join(words) + (f"{_BUDGET}{budget}" if budget else "")


def starts_same_hook(line: str, ours: str) -> bool:
    """Return whether a line of some settings starts the hook that `ours` starts, whatever budget it gives it."""
    bare = ours.partition(_BUDGET)[0]
    return line == bare or line.startswith(f"{bare} ")


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to stand in a file: `value` at `path`, or (`element`) as one more element of the array there."""

    file: Path
    path: tuple[str, ...]
    value: Any
    element: bool = False


@dataclass(frozen=True, slots=True)
class Agent:
    """`settings`: the file of its servers for this person, `project`: the one within a project's folder ("" where it
    has none). `hooks`: the same for hooks. `home`: the folder whose being there means that the agent is installed,
    where that is not the folder of `settings`."""

    id: str
    title: str
    settings: Callable[[], Path]
    home: Callable[[], Path] | None = None
    project: str = ""
    key: tuple[str, ...] = ("mcpServers",)
    shape: Shape | None = None
    hooks: Callable[[], Path] | None = None
    project_hooks: str = ""
    next: str = "Start it anew, and it finds the memory."

    @property
    def folder(self) -> Path:
        return self.home() if self.home else self.settings().parent

    @property
    def is_installed(self) -> bool:
        return self.folder.is_dir()


def _command_entry(words: list[str]) -> dict[str, Any]:
    return {"command": words[0], "args": words[1:]}


def _stdio(words: list[str]) -> dict[str, Any]:
    return {"type": "stdio", **_command_entry(words)}


def _local_entry(words: list[str]) -> dict[str, Any]:
    return {"type": "local", **_command_entry(words), "tools": ["*"]}


def _one_list(words: list[str]) -> dict[str, Any]:
    return {"type": "local", "command": words, "enabled": True}


def _home(*steps: str) -> Callable[[], Path]:
    return lambda: Path.home().joinpath(*steps)


def _config(*steps: str) -> Callable[[], Path]:
    """Below ~/.config, or wherever XDG_CONFIG_HOME says."""
    return lambda: Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config").joinpath(*steps)


def _application(*steps: str) -> Callable[[], Path]:
    """Where desktop programs keep their settings."""
    if sys.platform == "darwin":
        return _home("Library", "Application Support", *steps)
    return _config(*steps)


def _named_by(variable: str, otherwise: Callable[[], Path], *steps: str) -> Callable[[], Path]:
    """Below the folder that an environment variable names, where it is set."""
    return lambda: Path(os.environ[variable]).expanduser().joinpath(*steps) if os.environ.get(variable) else otherwise()


def _first_there(*files: Callable[[], Path]) -> Callable[[], Path]:
    """The first of the files that is there, else the last one."""
    return lambda: next((file() for file in files if file().exists()), files[-1]())


AGENTS: dict[str, Agent] = {
    one.id: one
    for one in (
        Agent(
            "claude-code",
            "Claude Code",
            home=_named_by("CLAUDE_CONFIG_DIR", _home(".claude")),
            settings=_named_by("CLAUDE_CONFIG_DIR", _home(".claude.json"), ".claude.json"),
            project=".mcp.json",
            shape=_stdio,
            hooks=_named_by("CLAUDE_CONFIG_DIR", _home(".claude", "settings.json"), "settings.json"),
            project_hooks=".claude/settings.local.json",
        ),
        Agent(
            "claude-desktop",
            "Claude Desktop",
            settings=_application("Claude", "claude_desktop_config.json"),
        ),
        Agent(
            "codex",
            "Codex",
            settings=_named_by("CODEX_HOME", _home(".codex", "config.toml"), "config.toml"),
            project=".codex/config.toml",
            key=("mcp_servers",),
            hooks=_named_by("CODEX_HOME", _home(".codex", "hooks.json"), "hooks.json"),
            project_hooks=".codex/hooks.json",
            next="Start it anew, and trust the hooks when it asks (`/hooks` shows them).",
        ),
        Agent(
            "cursor",
            "Cursor",
            settings=_home(".cursor", "mcp.json"),
            project=".cursor/mcp.json",
        ),
        Agent(
            "vscode",
            "VS Code",
            settings=_application(*_CODE, "mcp.json"),
            project=".vscode/mcp.json",
            key=("servers",),
            shape=_stdio,
            next=_OF_CODE,
        ),
        Agent(
            "windsurf",
            "Windsurf",
            settings=_home(".codeium", "windsurf", "mcp_config.json"),
        ),
        Agent(
            "cline",
            "Cline",
            home=_application(*_EXTENSION, "saoudrizwan.claude-dev"),
            settings=_application(*_EXTENSION, "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json"),
            next=_OF_CODE,
        ),
        Agent(
            "roo-code",
            "Roo Code",
            home=_application(*_EXTENSION, "rooveterinaryinc.roo-cline"),
            settings=_application(*_EXTENSION, "rooveterinaryinc.roo-cline", "settings", "mcp_settings.json"),
            project=".roo/mcp.json",
            next=_OF_CODE,
        ),
        Agent(
            "kilo-code",
            "Kilo Code",
            home=_application(*_EXTENSION, "kilocode.kilo-code"),
            settings=_application(*_EXTENSION, "kilocode.kilo-code", "settings", "mcp_settings.json"),
            next=_OF_CODE,
        ),
        Agent(
            "zed",
            "Zed",
            settings=_home(".config", "zed", "settings.json")
            if sys.platform == "darwin"
            else _config("zed", "settings.json"),
            key=("context_servers",),
        ),
        Agent(
            "opencode",
            "OpenCode",
            settings=_first_there(_config("opencode", "opencode.jsonc"), _config("opencode", "opencode.json")),
            project="opencode.json",
            key=("mcp",),
            shape=_one_list,
        ),
        Agent(
            "gemini-cli",
            "Gemini CLI",
            settings=_home(".gemini", "settings.json"),
            project=".gemini/settings.json",
            hooks=_home(".gemini", "settings.json"),
            project_hooks=".gemini/settings.json",
        ),
        Agent(
            "qwen-code",
            "Qwen Code",
            settings=_home(".qwen", "settings.json"),
            project=".qwen/settings.json",
        ),
        Agent(
            "copilot-cli",
            "GitHub Copilot CLI",
            settings=_home(".copilot", "mcp-config.json"),
            shape=_local_entry,
        ),
        Agent(
            "kiro",
            "Kiro",
            home=_home(".kiro"),
            settings=_home(".kiro", "settings", "mcp.json"),
            project=".kiro/settings/mcp.json",
        ),
        Agent(
            "crush",
            "Crush",
            settings=_config("crush", "crush.json"),
            project="crush.json",
            key=("mcp",),
            shape=_stdio,
        ),
        Agent(
            "lm-studio",
            "LM Studio",
            settings=_home(".lmstudio", "mcp.json"),
        ),
    )
}


def wishes(
    agent: Agent,
    data: Path,
    *,
    project: Path | None = None,
    space: str = "",
    budget: int | None = None,
    hooks: bool = True,
) -> list[Wish]:
    """Return what is to stand in the agent's files, or with `project` in those of that folder. `space` is written into
    the entry; `budget`: tokens that hooks give with a message."""
    settings = project / agent.project if project else agent.settings()
    shape = agent.shape or _command_entry
    wanted = [Wish(settings, (*agent.key, NAME), shape(server_command(data, space)))]
    if hooks and agent.hooks:
        file = project / agent.project_hooks if project else agent.hooks()
        command = hook_command(data, agent.id, budget)
        wanted += [Wish(file, ("hooks", event), _hook(agent.id, command), element=True) for event in EVENTS[agent.id]]
    return wanted


def _hook(agent: str, command: str) -> dict[str, Any]:
    timeout = _HOOK_SECONDS * (1000 if agent == "gemini-cli" else 1)  # which counts in milliseconds
    return {"hooks": [{"type": "command", "command": command, "timeout": timeout}]}
