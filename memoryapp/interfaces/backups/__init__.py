"""Backups: kept, taken, restored, removed."""
