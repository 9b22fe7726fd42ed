"""Turns of a conversation in, candidate facts out: by rules, or by a language model."""
