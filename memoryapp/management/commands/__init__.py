"""The commands, a module each; Django finds them by its name."""
