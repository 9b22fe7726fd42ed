"""Consolidation: previews, digests, rollback, marker words."""
