"""Candidate facts from the turns of a conversation, by rules or by a language model."""
