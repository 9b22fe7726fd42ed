"""The Context Tree: curated markdown in nodes of a few kilobytes, reached by keywords.

Feeding it: a memory is routed to a node (`route`: tag, keyword, nearest, inbox), put into lines (`lines`), held beside
the lines of the node (`compare`), and merged, disputed or added (`retain`, over a `draft`). What waits for that is
`waiting`; which memory is behind which line, and which lines are stale, is `provenance`.

Arranging it: `edit`, `merge`, and `split` (`segmentation` finds where to cut), with `links` led anew; `keywords` are
suggested. All of them read and write nodes by `write` and `placement`.

Bringing in and taking out a bank: `bank_index` (over `json_document`), `bank_files`, `bank_diff`, `bank_import`; and
`index_patch`, `bank_export`. What an index last said of a node is `index_record`.
"""

from __future__ import annotations

from memoryapp.tree.bank_export import handed_out, last_handed_out, take
from memoryapp.tree.bank_files import unzip_files, zip_files
from memoryapp.tree.bank_import import Brought, bring
from memoryapp.tree.edit import change, grow, move, preview_remove, remove
from memoryapp.tree.keywords import suggest_keywords
from memoryapp.tree.merge import Merge, merge, preview_merge
from memoryapp.tree.provenance import Stale, behind, freshen, stale
from memoryapp.tree.retain import RetainedMemory, RetainResult, rehearse, retain
from memoryapp.tree.route import Route, route
from memoryapp.tree.split import Piece, Split, overfull, preview_split, split
from memoryapp.tree.waiting import Waiting, count_waiting, leave_out, left_out, let_in, waiting

__all__ = [
    "Brought",
    "Merge",
    "Piece",
    "RetainResult",
    "RetainedMemory",
    "Route",
    "Split",
    "Stale",
    "Waiting",
    "behind",
    "bring",
    "change",
    "count_waiting",
    "freshen",
    "grow",
    "handed_out",
    "last_handed_out",
    "leave_out",
    "left_out",
    "let_in",
    "merge",
    "move",
    "overfull",
    "preview_merge",
    "preview_remove",
    "preview_split",
    "rehearse",
    "remove",
    "retain",
    "route",
    "split",
    "stale",
    "suggest_keywords",
    "take",
    "unzip_files",
    "waiting",
    "zip_files",
]
