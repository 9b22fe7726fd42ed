"""Chat endpoints: the only package that asks language models.

Importing it is cheap: the SDK comes with the first asking. Everything that can go wrong is an LlmError.
"""

from __future__ import annotations

from memoryapp.inference.llm.ask import ParsedReply, ask, write
from memoryapp.inference.llm.endpoint import Endpoint
from memoryapp.inference.llm.message import DATA_RULE, Message, as_material, system, user
from memoryapp.inference.llm.model import ChatModel, ModelState, chat_model

__all__ = [
    "DATA_RULE",
    "ChatModel",
    "Endpoint",
    "Message",
    "ModelState",
    "ParsedReply",
    "as_material",
    "ask",
    "chat_model",
    "system",
    "user",
    "write",
]
