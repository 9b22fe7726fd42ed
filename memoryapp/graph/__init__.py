"""The entity graph: what is related to what, which names are one, and how it is looked at.

Written: memories are read for relations (`relate`, `resolver`), `duplicates` are found (`name_similarity`,
`known_names`) and merged (`merge`), and a person corrects all of it (`edit`, `hierarchy`). Merging moves nothing, so
`canonical` tells which entity stands for which.

Read: every view begins with a `snapshot`. `proximity` tells what is near what, `edges`, `layout` and `scene` draw it;
`overview`, `path`, `card`, `listing`, `name_search` and `export` show it, and `community_map` draws the whole.
"""

from memoryapp.graph.card import card
from memoryapp.graph.community_map import draw
from memoryapp.graph.duplicates import embed_names, find_alike
from memoryapp.graph.edit import (
    add_entity,
    add_relation,
    change_relation,
    change_relations,
    decide_entities,
    decide_entity,
    edit_entity,
    hold_relation,
    refuse_relation,
    refuse_relations,
    retype,
    saying_the_same,
)
from memoryapp.graph.export import graphml
from memoryapp.graph.hierarchy import put_under, take_from_under
from memoryapp.graph.listing import listing
from memoryapp.graph.merge import MergePreview, merge, not_alike, part, perhaps_alike, preview_merge, put_again
from memoryapp.graph.name_search import around_query
from memoryapp.graph.overview import community, overview
from memoryapp.graph.path import path
from memoryapp.graph.relate import RelationReading, relate
from memoryapp.graph.scene import neighbourhood

__all__ = [
    "MergePreview",
    "RelationReading",
    "add_entity",
    "add_relation",
    "around_query",
    "card",
    "change_relation",
    "change_relations",
    "community",
    "decide_entities",
    "decide_entity",
    "draw",
    "edit_entity",
    "embed_names",
    "find_alike",
    "graphml",
    "hold_relation",
    "listing",
    "merge",
    "neighbourhood",
    "not_alike",
    "overview",
    "part",
    "path",
    "perhaps_alike",
    "preview_merge",
    "put_again",
    "put_under",
    "refuse_relation",
    "refuse_relations",
    "relate",
    "retype",
    "saying_the_same",
    "take_from_under",
]
