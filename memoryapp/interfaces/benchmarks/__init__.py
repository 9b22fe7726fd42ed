"""The figures that ship beside one's own run."""
