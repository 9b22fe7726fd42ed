"""Facts, names, relations and atoms read out of text, and the references that join memories to entities."""
