"""The Context Tree: curated markdown in nodes of a few kilobytes, reached by keywords."""

from __future__ import annotations

from memoryapp.tree.behind import behind
from memoryapp.tree.bring import bring
from memoryapp.tree.brought import Brought
from memoryapp.tree.change import change
from memoryapp.tree.grow import grow
from memoryapp.tree.merge import Merge, merge, preview_merge
from memoryapp.tree.move import move
from memoryapp.tree.packed import unzipped, zipped
from memoryapp.tree.pieces import Piece
from memoryapp.tree.remove import preview_remove, remove
from memoryapp.tree.retain import Retained, rehearse, retain
from memoryapp.tree.route import Route, route
from memoryapp.tree.settle import Kept
from memoryapp.tree.split import Split, overfull, preview_split, split
from memoryapp.tree.stale import Stale, freshen, stale
from memoryapp.tree.suggest import suggest_keywords
from memoryapp.tree.take import handed_out, last_handed_out, take
from memoryapp.tree.waiting import Waiting, count_waiting, leave_out, left_out, let_in, waiting

__all__ = [
    "Brought",
    "bring",
    "handed_out",
    "last_handed_out",
    "take",
    "unzipped",
    "zipped",
    "Merge",
    "Piece",
    "Split",
    "change",
    "grow",
    "merge",
    "move",
    "overfull",
    "preview_merge",
    "preview_remove",
    "preview_split",
    "remove",
    "split",
    "suggest_keywords",
    "Kept",
    "Retained",
    "Route",
    "Stale",
    "Waiting",
    "behind",
    "count_waiting",
    "freshen",
    "leave_out",
    "left_out",
    "let_in",
    "rehearse",
    "retain",
    "route",
    "stale",
    "waiting",
]
