"""Makes the packaged weights; not in the wheel. README.md has the commands."""
