"""The arms: each ranks the whole index by one kind of evidence. In: a question. Out: raw scores by slot."""
