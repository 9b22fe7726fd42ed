"""The Context Tree, one step a file."""

from __future__ import annotations

# Feeding it: route (tag → keyword → nearest → inbox) → told in lines (said) → beside the lines of the node (compare) →
# merged, against one of them, or a line more (settle) → written in one run (retain). What waits: waiting. What was held
# and is no longer: stale, freshen. Which memory is behind which line: behind.

# Arranging it: grow, change, move, merge (join), remove. Splitting: taken apart at its headings (blocks, cut) → cut
# where least is torn apart (alike) → named (pieces, suggest) → written, with the links to it led anew (links): split.

# Brought in: an index of whatever shape (spelled, bank, entry) → its files found (leaves) → each beside the node
# that is held (weigh) → written (plan, bring). Taken out: the index with what changed put right (claim, patch, contain)
# → take.
