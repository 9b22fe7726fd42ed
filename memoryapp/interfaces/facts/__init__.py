"""Facts: listed, posted, tried out."""
