"""What a space does by itself."""
