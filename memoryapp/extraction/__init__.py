"""Text in, what it speaks of out: names of entities, and the references that join memories to them."""
