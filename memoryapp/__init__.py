"""Palimpsest: a memory for AI agents that a person can see into and correct."""
