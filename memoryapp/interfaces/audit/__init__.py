"""Runs and the changes that they made, with undo."""
