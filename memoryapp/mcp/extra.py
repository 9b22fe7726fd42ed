"""The tools behind the opt-in, for agents that look deeper or do more."""

from __future__ import annotations

from memoryapp.mcp.looking import LOOKING
from memoryapp.mcp.working import WORKING

EXTRA = LOOKING + WORKING
