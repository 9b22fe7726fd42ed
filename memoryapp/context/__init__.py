"""What an agent is given for a message: summaries, facts and episodes within a budget of tokens."""

from __future__ import annotations

from memoryapp.context.found import Item, Layer, LayerName, PromptContext
from memoryapp.context.layers import Near, episodes_near
from memoryapp.context.pipeline import prompt_context
from memoryapp.context.traces import trace_context

__all__ = ["Item", "Layer", "LayerName", "Near", "PromptContext", "episodes_near", "prompt_context", "trace_context"]
