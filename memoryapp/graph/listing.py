"""The list of entities: filtered, sorted and cut into pages over the index's columns."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import Entity, EntityState
from memoryapp.domain.errors import BadInput
from memoryapp.domain.scene import EntityPage, EntityRow
from memoryapp.graph.name_search import PLACES, Book, book_of, fold, rank
from memoryapp.graph.snapshot import Bools, Codes, Snapshot, snapshot_of
from memoryapp.spaces import Space

SORTS = {
    "memories": "named most first",
    "links": "best joined first",
    "newest": "last named first",
    "name": "by name",
}
MOST = 200
_NEVER = 1e12  # what no memory names comes behind all that one names
Keys = NDArray[np.float64]


def listing(
    space: Space,
    *,
    text: str = "",
    types: Sequence[str] = (),
    state: EntityState | None = None,
    orphans: bool = False,
    sort: str = "memories",
    after: str | None = None,
    limit: int = 50,
) -> EntityPage:
    """A page of entities below the cursor `after`. Merged ones are found by their names and shown as the one that
    stands for them; refused ones only where that state is asked for. Known ones come first, then mere proposals.

    `text`: a part of a name or an alias; the names that begin with it come first. `orphans`: those that no held memory
    refers to. Raises BadInput for an unknown sort, a limit out of bounds or a foreign cursor.
    """
    if sort not in SORTS:
        raise BadInput(f"“{sort[:40]}” is no order. Known: {', '.join(SORTS)}.", field="/sort")
    if not 1 <= limit <= MOST:
        raise BadInput(f"A page has 1 to {MOST} entities.", field="/limit")
    ground = snapshot_of(space)
    book = book_of(ground)
    keep = _of_state(ground, state) & _of_types(ground, types) & ground.spoken_of
    if orphans:
        keep = keep & (ground.memories == 0)
    match = book.match(text)
    if match is not None:
        keep = keep & (match < len(PLACES))
    codes = np.flatnonzero(keep)
    tier = np.zeros(len(codes), dtype=np.int64) if match is None else match[codes]
    tier = 2 * tier + ~ground.known[codes]
    latest = _latest_mentions(ground) if sort == "newest" else None
    key = _keys(ground, book, sort, latest)[codes]
    order = np.lexsort((book.by_id[codes], -key, tier))
    codes, tier, key = codes[order], tier[order], key[order]
    begin = 0 if not after else _begin(after, sort, tier, key, book.by_id[codes], book)
    shown = codes[begin : begin + limit]
    end = begin + len(shown)
    more = ""
    if len(shown) and end < len(codes):
        more = _cursor(sort, tier[end - 1], key[end - 1], ground.entity(int(codes[end - 1])))
    return EntityPage(items=tuple(_rows(ground, shown, latest)), total=len(codes), next=more or None)


# ── what passes


def _of_state(ground: Snapshot, state: EntityState | None) -> Bools:
    if state is None:
        return ground.standing & ~_left_over(ground)
    if state is EntityState.REFUSED:
        return np.array([e is not None and e.state is state for e in ground.entities], dtype=np.bool_)
    standing = ground.standing & ~_left_over(ground)
    return standing & np.array([e is not None and e.state is state for e in ground.entities], dtype=np.bool_)


def _left_over(ground: Snapshot) -> Bools:
    """Names that were given by hand and taken back by an undo: proposals that were never seen in a text."""
    entities = ground.entities
    back = [e is not None and e.state is EntityState.PROPOSED and not e.sightings and e.version > 1 for e in entities]
    left: Bools = np.array(back, dtype=np.bool_) & (ground.memories == 0)
    return left


def _of_types(ground: Snapshot, types: Sequence[str]) -> Bools:
    if not types:
        return np.ones(ground.size, dtype=np.bool_)
    wanted = set(types)
    return np.array([e is not None and str(e.type) in wanted for e in ground.entities], dtype=np.bool_)


# ── order and pages


def _keys(ground: Snapshot, book: Book, sort: str, latest: Keys | None) -> Keys:
    """A number an entity; greater is earlier in the list."""
    if sort == "name":
        return -book.by_name.astype(np.float64)
    if latest is not None:
        created = np.array([e.created_at.timestamp() if e else 0.0 for e in ground.entities])
        return np.where(np.isnan(latest), created - _NEVER, latest)
    return (ground.memories if sort == "memories" else ground.links).astype(np.float64)


def _latest_mentions(ground: Snapshot, codes: Codes | None = None) -> Keys:
    """When the newest held memory came that refers to each entity, epoch seconds, NaN where none does, (E,)."""
    by_entity, happened = ground.by_entity, ground.named_at
    newest = np.full(ground.size, -np.inf)
    if codes is not None:
        for code in codes.tolist():
            slots = ground.slots_of(code)
            newest[code] = happened[slots].max() if len(slots) else -np.inf
    else:
        columns = np.repeat(np.arange(ground.size), np.diff(by_entity.indptr))
        counts = ground.held[by_entity.indices]
        np.maximum.at(newest, columns[counts], happened[by_entity.indices[counts]])
    return np.where(np.isinf(newest), np.nan, newest)


def _cursor(sort: str, tier: int, key: float, entity: Entity) -> str:
    told = fold(entity.name) if sort == "name" else repr(float(key))
    return f"{int(tier)}~{entity.id}~{told}"


def _begin(cursor: str, sort: str, tier: NDArray[np.int64], key: Keys, ids: NDArray[np.int64], book: Book) -> int:
    """Where in the list the page after a cursor begins: the entity may have moved or gone since."""
    damaged = BadInput("This page's address is damaged. Start again from the first page.", field="/after")
    try:
        place, entity, told = cursor.split("~", 2)
        at, where = int(place), -rank(book.spelled, told) if sort == "name" else float(told)
    except ValueError:
        raise damaged from None
    if np.isnan(where):
        raise damaged
    mine = rank(book.ids, entity)
    ahead = (tier < at) | ((tier == at) & ((key > where) | ((key == where) & (ids <= mine))))
    return int(np.count_nonzero(ahead))


def _rows(ground: Snapshot, codes: Codes, latest: Keys | None) -> list[EntityRow]:
    newest = _latest_mentions(ground, codes) if latest is None else latest
    return [
        EntityRow(
            ground.entity(code),
            int(ground.memories[code]),
            int(ground.links[code]),
            None if np.isnan(newest[code]) else datetime.fromtimestamp(float(newest[code]), UTC),
        )
        for code in codes.tolist()
    ]
