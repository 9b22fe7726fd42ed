"""What a running program tells whoever keeps it running: its log, and its numbers. Never what is remembered in it."""

from __future__ import annotations

from memoryapp.observability.context import log_fields, note, work

__all__ = ["log_fields", "note", "work"]
