"""The same index without its dead slots and without words, names and postings that nothing uses any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from memoryapp.index.columns import Column, Columns, Names
from memoryapp.index.draft import FULL_SPEC, Draft
from memoryapp.index.lineage import Lineage
from memoryapp.index.links import Chain, Edges, Links, Seats
from memoryapp.index.namings import Namings
from memoryapp.index.postings import Segment, Vocabulary, sorted_segment
from memoryapp.index.register import Register
from memoryapp.index.roster import NAMED
from memoryapp.index.vectors import Vectors, rows
from memoryapp.index.view import OFFSETS, near_column

D = TypeVar("D", bound=Draft)
Slots = NDArray[np.intp]
Ints = NDArray[np.int32]
WASTE = 0.2  # share of dead slots, or of dead edges, from which sweeping them out is worth its cost
_FEW = 1_000


def compact_draft(draft: D) -> D:
    """A new draft with the living slots of a published one, in their order. Takes over what the old one kept besides;
    the old one is not to be written to any more."""
    roster = draft.roster()
    alive = roster.alive
    keep = np.flatnonzero(alive)
    new = np.full(len(alive) + 1, -1, dtype=np.int32)  # old slot → new slot; the last place is for −1
    new[keep] = np.arange(len(keep), dtype=np.int32)
    fresh = type(draft)()
    columns = {name: column[keep] for name, column in roster.columns.items()}
    for offset in OFFSETS:
        columns[near_column(offset)] = new[columns[near_column(offset)]]
    for name in NAMED:
        fresh.names[name], columns[name] = _compact_names(draft.names[name], columns[name])
    fresh.columns = Columns(FULL_SPEC, arrays=columns)
    fresh.ids = [roster.ids[slot] for slot in keep.tolist()]
    fresh.slot_of = {key: slot for slot, key in enumerate(fresh.ids)}
    fresh.vocabulary, fresh.segments = _words(draft.vocabulary, draft.segments, alive, new)
    fresh.vectors = _vectors(draft.vectors, keep)
    fresh.phrases = draft.phrases.kept(keep)
    _graph(draft, fresh, new)
    fresh.lineage = Lineage(draft.lineage.edges, draft.lineage.away)
    fresh.resting = draft.resting
    fresh.last = draft.last
    return fresh


def is_wasteful(draft: Draft) -> bool:
    """Whether so many slots are dead that writing all anew is worth its time."""
    return any(dead > max(WASTE * n, _FEW) for dead, n in _dead_counts(draft))


def has_leavings(draft: Draft) -> bool:
    """Whether anything of what was taken out is still kept."""
    return any(dead for dead, _ in _dead_counts(draft))


def _dead_counts(draft: Draft) -> list[tuple[int, int]]:
    """(rows that nothing lives in, all rows) of memories and of each kind of edge."""
    edges = [(one.dead, one.n) for one in (draft.links, draft.edges, draft.chain)]
    return [(draft.columns.n - len(draft.slot_of), draft.columns.n), *edges]


def _compact_names(names: Names, codes: Ints) -> tuple[Names, Ints]:
    used, (renumbered,) = _renumber(codes)
    return Names(_pick_names(names, used)), renumbered


def _words(
    vocabulary: Vocabulary, segments: tuple[Segment, ...], alive: NDArray[np.bool_], new: NDArray[np.int32]
) -> tuple[Vocabulary, tuple[Segment, ...]]:
    if not segments:
        return Vocabulary(), ()
    keys = np.concatenate([segment.keys() for segment in segments])
    slots = np.concatenate([segment.slots for segment in segments])
    counts = np.concatenate([segment.counts for segment in segments])
    keep = alive[slots]
    used, keys = np.unique(keys[keep], return_inverse=True)
    terms = list(vocabulary.numbers)
    fresh = Vocabulary([terms[number] for number in used.tolist()])
    return fresh, (sorted_segment(keys.astype(np.int32), new[slots[keep]], counts[keep]),)


def _vectors(vectors: Vectors, keep: Slots) -> Vectors:
    blocks = vectors.publish()
    return Vectors.of(rows(blocks, keep)) if blocks else Vectors()


def _graph(draft: Draft, fresh: Draft, new: Ints) -> None:
    """The edges that are there, the entities, memories and words that they speak of, and no others. `new`: the new
    slot of each old one."""
    links, edges, chain = (_living_rows(one) for one in (draft.links.edges, draft.edges.columns, draft.chain.columns))
    ids = [key for key, alive in zip(draft.edges.ids, draft.edges.columns.get("alive").tolist(), strict=True) if alive]
    named, vectors = draft.namings.everything()
    known = [code for code, entity in enumerate(draft.register.entities) if entity is not None]
    entities, (links["entity"], edges["subject"], edges["object"], named) = _renumber(
        links["entity"], edges["subject"], edges["object"], named, besides=known
    )
    memories, (links["memory"], edges["fact"], chain["later"], chain["earlier"]) = _renumber(
        links["memory"], edges["fact"], chain["later"], chain["earlier"]
    )
    roles, (links["role"],) = _renumber(links["role"])
    types, (edges["type"],) = _renumber(edges["type"])
    labels, (edges["label"],) = _renumber(edges["label"])
    keys = _pick_names(draft.register.codes, entities)
    fresh.register = Register.of(zip(keys, (draft.register.entities[code] for code in entities), strict=True))
    fresh.seats = Seats(_pick_names(draft.seats.memories, memories), new[draft.seats.publish()[memories]])
    fresh.links = Links(fresh.register, fresh.seats, edges=links, roles=_pick_names(draft.links.roles, roles))
    fresh.edges = Edges(
        fresh.register,
        fresh.seats,
        columns=edges,
        ids=ids,
        types=_pick_names(draft.edges.types, types),
        labels=_pick_names(draft.edges.labels, labels),
    )
    fresh.chain = Chain(fresh.seats, columns=chain)
    fresh.namings = Namings(fresh.register, (named, vectors))


def _living_rows(columns: Columns) -> dict[str, Column]:
    """Rows of edges that are not gone."""
    return {name: columns.get(name)[columns.get("alive")] for name in columns.spec}


def _renumber(*codes: Ints, besides: Sequence[int] = ()) -> tuple[list[int], list[Ints]]:
    """(the codes in use, in order; the given arrays with each code replaced by its place among them). −1 stays."""
    spoken = np.concatenate([*codes, np.array(besides, dtype=np.int32)])
    used = np.unique(spoken[spoken >= 0])
    new = np.full(int(used.max(initial=-1)) + 2, -1, dtype=np.int32)  # the last place is for −1
    new[used] = np.arange(len(used), dtype=np.int32)
    return used.tolist(), [new[one] for one in codes]


def _pick_names(names: Names, codes: Sequence[int]) -> list[Any]:
    return [names.names[code] for code in codes]
