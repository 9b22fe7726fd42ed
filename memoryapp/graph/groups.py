"""Which super-node each entity belongs to: the community it has on the drawn map, or one found just now."""

from __future__ import annotations

import threading
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from memoryapp.graph.communities import communities, weighted
from memoryapp.graph.ground import Codes, Ground, ground_of
from memoryapp.graph.reach import bonds
from memoryapp.graph.spots import ALONE, spots_of

MOST = 60  # super-nodes, what is left over included
OTHER = ALONE  # the number of what is left over: small communities, and what is in none
_NOT_ON_MAP = -2
_STALE = 3  # the map is no use once so many times the entities that came since are more than all there are
_KEPT = 4
_found: OrderedDict[tuple[str, int, int], NDArray[np.int64]] = OrderedDict()
_lock = threading.Lock()

Numbers = NDArray[np.int64]


def grouped(ground: Ground) -> tuple[Numbers, tuple[str, ...]]:
    """The super-node of each entity by code, (E,): its community, or OTHER; and what there is to say about it.

    Who came after the map was drawn belongs to the community that most of its neighbours belong to.
    """
    spots = spots_of(ground.space)
    drawn = (spots.get(entity.id) if entity is not None else None for entity in ground.entities)
    group = np.fromiter((_NOT_ON_MAP if spot is None else spot.community for spot in drawn), np.int64, ground.size)
    new = np.flatnonzero((group == _NOT_ON_MAP) & ground.standing)
    notes: tuple[str, ...] = ()
    if len(new) * _STALE > np.count_nonzero(ground.standing):
        group = _just_now(ground)
        notes = ("There is no map of this graph yet, or an old one: these are the communities of this moment.",)
    else:
        group[group == _NOT_ON_MAP] = OTHER
        group[new] = _joining(ground, new, group)
    sizes = np.bincount(group[ground.standing & (group >= 0)])
    if np.count_nonzero(sizes) >= MOST:
        kept = np.lexsort((np.arange(len(sizes)), -sizes))[: MOST - 1]
        group = np.where(np.isin(group, kept), group, OTHER)
    return group, notes


def _just_now(ground: Ground) -> Numbers:
    """Communities of the graph as it is now, whatever instant is looked at, so that they stay the same beside it."""
    key = (ground.space.name, ground.space.index.serial, ground.view.content)
    with _lock:
        known = _found.get(key)
    if known is None:
        now = ground if ground.as_of is None else ground_of(ground.space)
        known = communities(weighted(now), now.standing)[: ground.size]
        with _lock:
            _found[key] = known
            while len(_found) > _KEPT:
                _found.popitem(last=False)
    return known.copy()


def _joining(ground: Ground, new: Codes, group: Numbers) -> Numbers:
    if not len(new):
        return np.zeros(0, dtype=np.int64)
    count = max(int(group.max(initial=0)) + 1, 1)
    members = np.flatnonzero(group >= 0)
    into = csr_matrix((np.ones(len(members)), (members, group[members])), shape=(ground.size, count))
    named = csr_matrix(ground.pattern.T)[new] @ (ground.pattern @ into)
    votes = csr_matrix(named + bonds(ground, ground.present)[new] @ into)
    best = np.asarray(votes.argmax(axis=1)).ravel()
    return np.where(np.diff(votes.indptr) > 0, best, OTHER)
