"""Facts that nobody has looked at."""
