"""The graph as it is written, one step a file: words are read for relations (hear → resolve → weave), names become
vectors, those that may be one are found, and a person merges, parts, corrects and joins."""

from __future__ import annotations

from memoryapp.graph.by_hand import add_relation, change_relation, hold_relation, refuse_relation
from memoryapp.graph.edit import add_entity, edit_entity
from memoryapp.graph.hierarchy import put_under, take_from_under
from memoryapp.graph.merge import MergePreview, merge, preview_merge
from memoryapp.graph.names import embed_names
from memoryapp.graph.part import not_alike, part
from memoryapp.graph.propose import find_alike
from memoryapp.graph.relate import Related, relate

__all__ = [
    "MergePreview",
    "Related",
    "add_entity",
    "add_relation",
    "change_relation",
    "edit_entity",
    "embed_names",
    "find_alike",
    "hold_relation",
    "merge",
    "not_alike",
    "part",
    "preview_merge",
    "put_under",
    "refuse_relation",
    "relate",
    "take_from_under",
]
