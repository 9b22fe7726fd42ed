"""Addresses in mem0's shape, so that its own client (`mem0ai` 2.2) can point here: see docs/MEM0.md."""
