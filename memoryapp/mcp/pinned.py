"""The nine tools that every agent is given. Their names are a promise: prompts and permissions name them."""

from __future__ import annotations

from memoryapp.mcp.correcting import FORGET, UPDATE_MEMORY
from memoryapp.mcp.deciding import LIST_CONFLICTS, RESOLVE_CONFLICT
from memoryapp.mcp.feedback import GIVE_FEEDBACK
from memoryapp.mcp.preparing import CONTEXT
from memoryapp.mcp.recalling import GET_MEMORY, RECALL
from memoryapp.mcp.remembering import REMEMBER

PINNED = (REMEMBER, RECALL, GET_MEMORY, UPDATE_MEMORY, FORGET, CONTEXT, LIST_CONFLICTS, RESOLVE_CONFLICT, GIVE_FEEDBACK)
