"""docs/MCP.md says what is so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from memoryapp.domain.frame import CLOSING, OPENING, RULE
from memoryapp.interfaces.mcp.server import EXTRA, PINNED, PROMPT
from tests.live import ROOT
from tests.mcp.conftest import Place

TEXT = (ROOT / "docs/MCP.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    found = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return [block for word, block in found if word == language]


def test_every_tool_is_in_a_table_and_no_other() -> None:
    rows = [line.split("|")[1] for line in TEXT.splitlines() if line.startswith("| `")]
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert told == {tool.name for tool in PINNED + EXTRA}


def test_arguments_in_the_table_exist() -> None:
    for tool in PINNED:
        row = next(line for line in TEXT.splitlines() if line.startswith(f"| `{tool.name}`"))
        named = set(re.findall(r"`(\w+)`", row.split("|")[3]))
        assert named and named <= set(tool.takes.model_fields), tool.name


def test_the_frame_shown_is_the_frame() -> None:
    (shown,) = [block for block in blocks("") if OPENING in block]
    assert shown.splitlines()[:2] == [OPENING, RULE] and shown.splitlines()[-1] == CLOSING
    assert f"`{PROMPT}`" in TEXT


def test_settings_shown_can_be_read() -> None:
    told = [json.loads(block) for block in blocks("json")]
    servers = [one.get("mcpServers") or one["servers"] for one in told]  # VS Code has a word of its own
    assert [list(one) for one in servers] == [["palimpsest"]] * 3


def test_the_program_shown_runs(place: Place, tmp_path: Path) -> None:
    (program,) = blocks("python")
    ours = program.replace("http://127.0.0.1:8000/mcp", place.url).replace("pal_…", place.key)
    assert ours != program
    done = subprocess.run([sys.executable, "-c", ours], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "> Minsu lives in Busan." in done.stdout
    assert re.search(r"^[0-9a-f]{16}$", done.stdout, re.MULTILINE)
