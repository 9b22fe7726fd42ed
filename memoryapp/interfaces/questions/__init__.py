"""Plans with a name."""
