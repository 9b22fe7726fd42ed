"""The entity graph: what is related to what, which names are one, and how it is looked at."""

from memoryapp.graph.again import perhaps_alike, put_again
from memoryapp.graph.around import around_query
from memoryapp.graph.card import card
from memoryapp.graph.draw import draw
from memoryapp.graph.export import graphml
from memoryapp.graph.listing import listing
from memoryapp.graph.neighbourhood import neighbourhood
from memoryapp.graph.overview import community, overview
from memoryapp.graph.path import path
from memoryapp.graph.pipeline import (
    MergePreview,
    Related,
    add_entity,
    add_relation,
    change_relation,
    edit_entity,
    embed_names,
    find_alike,
    hold_relation,
    merge,
    not_alike,
    part,
    preview_merge,
    put_under,
    refuse_relation,
    relate,
    take_from_under,
)
from memoryapp.graph.several import (
    change_relations,
    decide_entities,
    decide_entity,
    refuse_relations,
    retype,
    saying_the_same,
)

__all__ = [
    "MergePreview",
    "Related",
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
