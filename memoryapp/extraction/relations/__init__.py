"""Relations that texts state, and the names in them, by rules or by a language model."""
