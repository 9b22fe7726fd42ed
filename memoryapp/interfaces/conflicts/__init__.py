"""Conflicts: the queue, a case, its decision."""
