"""The search lab: plans side by side, why not."""
