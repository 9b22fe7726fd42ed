"""The arms: each ranks the whole index by one kind of evidence, as raw scores by slot."""
