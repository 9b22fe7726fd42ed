"""Markdown and plain text cut into sections, linked, and kept in step with their source."""

from __future__ import annotations

from memoryapp.ingest.pipeline import ingest

__all__ = ["ingest"]
