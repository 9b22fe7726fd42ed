"""People, keys, sign-in."""
