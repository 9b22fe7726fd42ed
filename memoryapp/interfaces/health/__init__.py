"""Health, metrics and upkeep."""
