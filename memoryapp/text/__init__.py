"""Helpers for language that several packages use."""
