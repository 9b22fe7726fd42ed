"""Tags and filters that the templates load: `human` (numbers and times) and `parts` (the look's small pieces)."""
