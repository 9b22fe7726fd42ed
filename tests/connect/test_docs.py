"""docs/CONNECT.md says what is so."""

from __future__ import annotations

import re

from memoryapp.connect.agents import AGENTS
from memoryapp.connect.events import EVENTS, Act
from tests.live import ROOT

TEXT = (ROOT / "docs/CONNECT.md").read_text(encoding="utf-8")


def rows(head: str) -> list[list[str]]:
    lines = TEXT[TEXT.index(f"| {head} |") :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"\|", line)[1:-1]] for line in lines]


def test_every_agent_has_a_row_with_its_files_and_no_other() -> None:
    table = {row[0].strip("`"): row for row in rows("agent")}
    assert list(table) == list(AGENTS)
    for agent in AGENTS.values():
        _, mine, project, hooks = table[agent.id]
        assert agent.settings().name in mine, agent.id
        assert project == (f"`{agent.project}`" if agent.project else ""), agent.id
        assert bool(hooks) is (agent.id in EVENTS) is (agent.hooks is not None), agent.id


def test_every_hook_stands_where_its_act_does() -> None:
    acts = {
        "is given |": Act.BEGIN,
        "given with it |": Act.ASK,
        "new turns are kept |": Act.KEEP,
        "an episode |": Act.END,
    }
    for number, agent in enumerate(("claude-code", "codex", "gemini-cli"), start=1):
        told = {}
        for row in rows("when"):
            name = row[number].strip("`")
            act = next(act for end, act in acts.items() if f"{row[4]} |".endswith(end))
            if name:
                told[name] = act
        assert told == EVENTS[agent]
