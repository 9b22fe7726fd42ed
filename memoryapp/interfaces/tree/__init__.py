"""The Context Tree."""
