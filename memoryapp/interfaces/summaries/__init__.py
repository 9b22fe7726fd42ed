"""Category summaries."""
