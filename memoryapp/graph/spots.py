"""The drawn map of a space: where every entity stands in it and to which community it belongs, read once a drawing."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping

from memoryapp.spaces import Space
from memoryapp.store import layout
from memoryapp.store.layout import Spot

# The map's own row, no entity: its id is no hexadecimal number. `x` tells when the map was drawn, in epoch seconds.
DRAWN = "drawn"
ALONE = -1  # the community of those that nothing joins to anything
_KEPT = 4  # spaces; a map of 50,000 entities takes some 10 MB
_maps: OrderedDict[str, tuple[int, float, Mapping[str, Spot]]] = OrderedDict()
_lock = threading.Lock()


def spots_of(space: Space) -> Mapping[str, Spot]:
    """By entity id; empty where no map was drawn yet. One question to the store as long as no other map was drawn."""
    stamp = drawn_at(space)
    if stamp is None:
        return {}
    with _lock:
        kept = _maps.get(space.name)
        if kept is not None and kept[:2] == (space.index.serial, stamp):
            _maps.move_to_end(space.name)
            return kept[2]
    found = layout.read(space.db)
    found.pop(DRAWN, None)
    _remember(space, stamp, found)
    return found


def drawn_at(space: Space) -> float | None:
    """When the map was drawn, in epoch seconds; None where there is none."""
    found = layout.read(space.db, [DRAWN]).get(DRAWN)
    return None if found is None else found.x


def keep(space: Space, spots: Mapping[str, Spot], *, at: float) -> None:
    """Writes a newly drawn map. The row that says so comes last, so that nobody keeps half a map for a whole one."""
    layout.write(space.db, {**spots, DRAWN: Spot(at, 0.0, ALONE)})
    _remember(space, at, spots)


def _remember(space: Space, stamp: float, spots: Mapping[str, Spot]) -> None:
    with _lock:
        _maps[space.name] = (space.index.serial, stamp, spots)
        while len(_maps) > _KEPT:
            _maps.popitem(last=False)
