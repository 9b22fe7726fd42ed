"""The command palette: where one can go and what one can do, from anywhere."""
