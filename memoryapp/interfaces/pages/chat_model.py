"""The chat model of the settings."""

from __future__ import annotations

from django.conf import settings

from memoryapp.inference.llm import ChatModel, chat_model


def the_model() -> ChatModel | None:
    """None where none is set up."""
    return chat_model(**settings.LLM)
