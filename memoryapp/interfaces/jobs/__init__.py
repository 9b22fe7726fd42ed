"""Background work: progress, reports, cancel and retry."""
