"""The graph explorer, and atoms."""
