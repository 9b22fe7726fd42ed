"""`manage.py bench`: how well and how fast the memory finds, on public sets that are not part of the project."""
