"""Text in, the relations it states and the names in it out: by rules, or by a language model."""
