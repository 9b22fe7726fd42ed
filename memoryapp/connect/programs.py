"""What agents are told to start: the memory's server, and its hook."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from memoryapp.program import program_words

HOOK = Path(__file__).with_name("hook.py")
_BUDGET = " --budget "


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
