"""Golden queries and their runs."""
