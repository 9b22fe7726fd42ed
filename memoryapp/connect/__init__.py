"""Wiring agents to this memory: entries in their own settings, and what they run at their hooks. The hook's part
(`hook.py` and what it imports) is standard library alone, so that an agent never waits for more than Python's start."""
