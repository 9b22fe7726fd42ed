"""Sources: folders, files and uploads."""
