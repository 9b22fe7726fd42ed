"""Episodes, and the summaries' operations."""
