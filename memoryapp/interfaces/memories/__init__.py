"""Memories: lists, one, writing and editing."""
