"""What agents said of memories, and what came of it."""
