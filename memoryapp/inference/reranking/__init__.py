"""Cross-encoders, which read two texts together."""
