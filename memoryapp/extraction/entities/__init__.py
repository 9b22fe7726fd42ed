"""Names in texts: candidates, known names and how they are recognised, references from memories to entities."""
