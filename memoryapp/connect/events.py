"""At which of an agent's hooks what is done. Standard library alone."""

from __future__ import annotations

from enum import StrEnum


class Act(StrEnum):
    BEGIN = "begin"  # what is known is given at the start of a session
    ASK = "ask"  # what a message calls up is given with it
    KEEP = "keep"  # new turns are kept
    END = "end"  # new turns are kept, and the session ends


EVENTS = {
    "claude-code": {
        "SessionStart": Act.BEGIN,
        "UserPromptSubmit": Act.ASK,
        "Stop": Act.KEEP,
        "PreCompact": Act.KEEP,
        "SessionEnd": Act.END,
    },
    "codex": {"SessionStart": Act.BEGIN, "UserPromptSubmit": Act.ASK, "Stop": Act.KEEP},
    "gemini-cli": {"SessionStart": Act.BEGIN, "BeforeAgent": Act.ASK, "AfterAgent": Act.KEEP, "SessionEnd": Act.END},
}
