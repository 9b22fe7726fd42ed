"""Settings of a space, and the spaces."""
