"""A space as of an instant: an index of what stood then, in the words of then, and a clock that stands there.

Known by then is what was learned by then. What tells when it happened counts as known from then on, so that a talk or a
log that was brought in late answers as of its own time; a section that came into a file which was read before does not,
nor does what somebody said later of an earlier day. What was deleted since is there for whoever may read deleted words.

Asked by the time of validity it is instead what was true at the instant, as it is known today: in the words of today,
with what was learned since of that day, and without what has turned out never to have been so.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.change import Revision
from memoryapp.domain.errors import EncoderError
from memoryapp.domain.filters import AsOfBy, Filters
from memoryapp.domain.memory import Kind, Memory, State, index_text
from memoryapp.index import SearchIndex, View
from memoryapp.index.draft import Draft
from memoryapp.index.roster import HELD, KINDS, Roster, true_at
from memoryapp.inference.embedding.batch import encode_in_batches
from memoryapp.spaces.space import Space
from memoryapp.store import lineage, memories, revisions, turns
from memoryapp.store.revisions import memory_fields, stepped_back
from memoryapp.store.write import plain

KEPT = 2  # instants of all spaces whose index stays in memory
_DELETED_AT_ONCE = 500
_PATIENCE = 30.0  # seconds that a model which is still loading is waited for
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PastIndex:
    """What a search or a list reads of a space as of an instant; see index.SearchIndex. `then`: the memories that have
    changed since, as they stood. Nothing is written to it."""

    serial: int
    present: Any  # the SearchIndex that it was made of
    content: int  # of the present one, by which it was made
    published: View
    then: Mapping[str, Memory]
    engine: str = "past"

    @property
    def version(self) -> int:
        return self.published.version

    @property
    def roster(self) -> Roster:
        return self.published.roster

    def refresh(self) -> int:
        return self.published.version

    def view(self) -> View:
        return self.published

    def rows(self, found: Mapping[str, Memory]) -> dict[str, Memory]:
        """The memories as they stood then."""
        return {key: self.then.get(key, memory) for key, memory in found.items()}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.published, name)


_kept: OrderedDict[tuple[Any, ...], PastIndex] = OrderedDict()
_making = threading.Lock()


def space_at(space: Space, at: datetime | None, by: AsOfBy = AsOfBy.RECORDED) -> Space:
    """The space as it stood at `at`, its parents too; the space itself for None, and where it stands there already.
    Costs a copy of the index the first time an instant is asked for. Raises StoreError."""
    if at is None or space.at is not None:
        return space
    parent = None if space.parent is None else space_at(space.parent, at, by)
    index = cast(SearchIndex, _index_at(space, at, by))
    return replace(space, index=index, clock=lambda: at, parent=parent, at=at, by=by)


def rows_at(space: Space, found: Mapping[str, Memory]) -> dict[str, Memory]:
    """Memories that were read from the store, as they stood at the space's instant."""
    return space.index.rows(found) if isinstance(space.index, PastIndex) else dict(found)


def forget(space: str | None = None) -> None:
    """Drops what is kept of a space's past, or of every space's."""
    with _making:
        for key in [key for key in _kept if space in (None, key[0])]:
            del _kept[key]


def as_it_stood(memory: Memory, later: Sequence[Revision]) -> Memory:
    """The memory before these revisions of it, the oldest first; the one that created it is not stepped over."""
    if not later:
        return memory
    values: dict[str, Any] = {name: plain(getattr(memory, name)) for name in Memory.__dataclass_fields__}
    for revision in reversed(later):
        if revision.act != "create":
            values = stepped_back(values, revision)
    return replace(memory, **memory_fields(values))


def _index_at(space: Space, at: datetime, by: AsOfBy) -> PastIndex:
    space.index.refresh()
    valid = by is AsOfBy.VALID
    key = (space.name, at, by, space.reads_deleted, space.index.serial)
    with _making:
        known = _kept.get(key)
        if known is not None and _is_still_valid(space, known, None if valid else at):
            _kept.move_to_end(key)
            return known
        made = _kept[key] = _true(space, at) if valid else _make_past_index(space, at)
        _kept.move_to_end(key)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        return made


def _is_still_valid(space: Space, known: PastIndex, at: datetime | None) -> bool:
    """Whether nothing was written since that the past has to know of: a memory that was erased or deleted, or one that
    tells of a time before the instant; with None anything at all."""
    if known.content == space.index.view().content:
        return True
    if at is None:
        return False
    written = space.index.written_since(known.content)
    if written is None or len(written) > _DELETED_AT_ONCE:
        return False
    there = memories.get_many(space.db, sorted(written))
    for key in written:
        memory, slot = there.get(key), known.roster.slot(key)
        if memory is None or (memory.state is State.DELETED and slot is not None):
            return False
        if slot is None and min(memory.created_at, memory.occurred_at or memory.created_at) <= at:
            return False
    return True


def _make_past_index(space: Space, at: datetime) -> PastIndex:
    present = space.index.view()
    draft = space.index.copy()
    roster = draft.roster()
    later = _known_later(space, roster, at)
    stood = roster.mask(Filters(as_of=at), now=at) & ~later
    # What such a fact took the place of was still believed.
    replaced = lineage.replaced_by_any(space.db, [roster.ids[slot] for slot in np.flatnonzero(later).tolist()])
    known = np.zeros(roster.n, dtype=np.bool_)
    known[roster.slots(sorted(replaced))] = True
    stood |= known & (np.fmin(roster.created, roster.occurred) <= at.timestamp()) & ~later
    changed = [roster.ids[slot] for slot in np.flatnonzero(stood & (roster.updated > at.timestamp())).tolist()]
    found = memories.get_many(space.db, changed)
    gone = _deleted_since(space, at) if space.reads_deleted else {}
    since = revisions.of_memories_since(space.db, [*found, *gone], at)
    then = {key: as_it_stood(memory, since.get(key, ())) for key, memory in found.items()}
    back = {key: as_it_stood(memory, since.get(key, ())) for key, memory in gone.items()}
    then |= {key: memory for key, memory in back.items() if memory.state is State.HELD}
    for slot in np.flatnonzero(roster.alive & ~stood).tolist():
        draft.take_out(roster.ids[slot])
    for memory in then.values():
        draft.put_memory(memory)
    _embed(space, draft, [one for key, one in then.items() if key in gone or index_text(one) != index_text(found[key])])
    return PastIndex(space.index.next_serial(), space.index, present.content, draft.publish(present.version), then)


def _true(space: Space, at: datetime) -> PastIndex:
    """What was true at the instant. To the index it was held then, whenever it was learned, whatever became of it."""
    present = space.index.view()
    draft = space.index.copy()
    roster = draft.roster()
    true = true_at(roster, at)
    for slot in _never_held(space, roster, np.flatnonzero(true & (roster.state != HELD)).tolist()):
        true[slot] = False
    known = np.fmin(roster.created, roster.occurred) <= at.timestamp()
    odd = [roster.ids[slot] for slot in np.flatnonzero(true & ((roster.state != HELD) | ~known)).tolist()]
    then = {
        key: replace(memory, state=State.HELD, ended_at=None)
        for key, memory in memories.get_many(space.db, odd).items()
    }
    for slot in np.flatnonzero(roster.alive & ~true).tolist():
        draft.take_out(roster.ids[slot])
    for memory in then.values():
        draft.put_memory(replace(memory, created_at=min(memory.created_at, at)))
    return PastIndex(space.index.next_serial(), space.index, present.content, draft.publish(present.version), then)


def _never_held(space: Space, roster: Roster, superseded: Sequence[int]) -> list[int]:
    """Slots, of these, of what lost against a belief that was there before it: it has turned out not to have been so
    (see domain.conflict)."""
    losers = {roster.ids[slot]: slot for slot in superseded}
    found = []
    for stands, loser in lineage.superseding(space.db, sorted(losers)):
        winner, slot = roster.slot(stands), losers[loser]
        if winner is not None and roster.created[winner] < roster.created[slot]:
            found.append(slot)
    return found


def _known_later(space: Space, roster: Roster, at: datetime) -> Mask:
    """Of what was learned after the instant and tells of a time before it: what somebody said after it, and what came
    after it into a file that was there before."""
    moment, later = at.timestamp(), np.zeros(roster.n, dtype=np.bool_)
    late = roster.alive & (roster.created > moment) & (roster.occurred <= moment)
    sections = np.flatnonzero(late & (roster.kind == KINDS.index(Kind.SECTION)) & (roster.place >= 0))
    if sections.size:
        first = np.full(int(roster.place.max()) + 1, np.inf)
        placed = roster.alive & (roster.place >= 0)
        np.minimum.at(first, roster.place[placed], roster.created[placed])
        later[sections] = first[roster.place[sections]] < roster.created[sections]
    facts = {roster.ids[n]: n for n in np.flatnonzero(late & (roster.kind == KINDS.index(Kind.FACT))).tolist()}
    found = memories.get_many(space.db, list(facts))
    said = turns.get_many(space.db, sorted({one.origin.turn for one in found.values() if one.origin.turn}))
    for key, memory in found.items():
        turn = said.get(memory.origin.turn or "")
        later[facts[key]] = turn is not None and turn.at > at
    return later


def _deleted_since(space: Space, at: datetime) -> dict[str, Memory]:
    """Memories that were known at the instant and have been deleted after it, by id."""
    found: dict[str, Memory] = {}
    before = None
    while True:
        page = memories.in_state(space.db, State.DELETED, before=before, limit=_DELETED_AT_ONCE)
        since = [one for one in page if one.updated_at > at]
        found |= {one.id: one for one in since if min(one.created_at, one.occurred_at or one.created_at) <= at}
        if len(page) < _DELETED_AT_ONCE or len(since) < len(page):
            return found
        before = (page[-1].updated_at, page[-1].id)


def _embed(space: Space, draft: Draft, reworded: Sequence[Memory]) -> None:
    """Words of then have no vector in the store: they are embedded again. Without a model they are found by words."""
    if not reworded or space.encoder.error is not None:
        return
    try:
        encoded = encode_in_batches(space.encoder.get(_PATIENCE), [index_text(memory) for memory in reworded])
    except EncoderError:
        return
    failed = {row for row, _ in encoded.failed}
    for row, memory in enumerate(reworded):
        draft.put_vector(memory.id, None if row in failed else encoded.vectors[row])
