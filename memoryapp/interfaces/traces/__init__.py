"""What agents asked, what they were given, and how that ended."""
