"""Moving everything in and out, and lists as files."""
