"""The nodes a page of the tree shows: as they are, or those that were held at an instant, in the words of then."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from datetime import datetime

from memoryapp import review
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.node import ROOT, Node
from memoryapp.retrieve.trees import trees
from memoryapp.spaces import Space
from memoryapp.store import memories, nodes
from memoryapp.store.nodes import Outline


def outline_of(space: Space, as_of: datetime | None = None) -> tuple[Outline, ...]:
    """Every node but the root, in order of their paths. Search keeps the same outlines, so that those of a large tree
    are read from the store once."""
    space.index.refresh()
    view = space.index.view()
    standing = view.roster.mask(Filters(kinds=(Kind.NODE,), as_of=as_of), now=space.clock())
    tree = trees.of(space, view, standing)
    return tuple(one for one in tree.outlines if one.path != ROOT) if tree else ()


def node_of(space: Space, path: str, as_of: datetime | None = None) -> Node | None:
    """None where no node stood there."""
    if as_of is None:
        return nodes.at(space.db, path)
    found = next((one for one in outline_of(space, as_of) if one.path == path), None)
    return Node(_then(space, memories.get(space.db, found.id), as_of)) if found else None


def path_in(address: str) -> str:
    """A path as an address has it: composed, without slashes at its ends."""
    return unicodedata.normalize("NFC", address).strip("/")


def _then(space: Space, memory: Memory, as_of: datetime) -> Memory:
    """The node in the words it had then."""
    layers = review.history(space, memory.id)
    layer = next((one for one in layers if one.revision.at <= as_of), layers[-1] if layers else None)
    return replace(memory, text=layer.text, title=layer.title) if layer else memory
