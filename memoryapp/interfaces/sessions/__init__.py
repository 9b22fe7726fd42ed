"""Sessions and their turns."""
