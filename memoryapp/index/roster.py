"""What the index knows of every memory besides its words: one numpy column a field, one slot a memory; and filters as a
boolean mask over the slots, where every condition is one numpy comparison.

A roster is a published state and never changes; `ids[slot]` names the memory. Times are epoch seconds, NaN where
there is none; kinds, states … are positions in the tuples below, 255 for none; names are positions in their lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.feedback import REACH
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Category, Kind, Memory, MemoryType, Mood, State, Usage
from memoryapp.domain.strength import DECAY_PER_DAY
from memoryapp.domain.strength import REACH as STRENGTH_REACH
from memoryapp.domain.trust import HALF_LIFE_DAYS, boost
from memoryapp.index.columns import Column, Names, Spec
from memoryapp.index.incidence import Incidence
from memoryapp.index.lineage import NOTHING, Descent

Mask = NDArray[np.bool_]
_SUPERSEDED = tuple(State).index(State.SUPERSEDED)
KINDS = tuple(Kind)
STATES = tuple(State)
CATEGORIES = tuple(Category)
MEMORY_TYPES = tuple(MemoryType)
MOODS = tuple(Mood)
HELD = STATES.index(State.HELD)
NONE = 255
_TURN = KINDS.index(Kind.TURN)
NEVER = float("nan")
_DAY = 86_400.0
NAMED = ("speaker", "group", "place", "tagset", "turn")
_DECAY = np.full(256, DECAY_PER_DAY[None])


SPEC: Spec = {
    "alive": ("?", 0),  # a slot whose memory was deleted, or was written anew elsewhere, is dead
    "kind": ("u1", NONE),
    "state": ("u1", NONE),
    "category": ("u1", NONE),
    "memory_type": ("u1", NONE),
    "mood": ("u1", NONE),
    "confidence": ("f4", 0),
    "boost": ("f4", 1),
    "salience": ("f4", 1),
    "confirmed": ("f8", NEVER),
    "occurred": ("f8", NEVER),
    "created": ("f8", NEVER),
    "updated": ("f8", NEVER),
    "valid_from": ("f8", NEVER),
    "valid_to": ("f8", NEVER),
    "expires": ("f8", NEVER),
    "review": ("f8", NEVER),
    "ended": ("f8", NEVER),
    "speaker": ("i4", -1),
    "group": ("i4", -1),
    "place": ("i4", -1),
    "tagset": ("i4", -1),
    "turn": ("i4", -1),  # from which a fact was learned; a turn itself has none
    "position": ("i8", 0),  # within the group: an ordinal, or microseconds since 1970
    "pinned": ("?", 0),
    "seen": ("?", 0),  # a fact that a person has dealt with
    "accesses": ("i4", 0),
    "accessed_at": ("f8", NEVER),
    "used": ("i4", 0),
    "not_useful": ("i4", 0),
    # for the index itself
    "mark": ("u8", 0),  # of the indexed words: unchanged words are not indexed again
    "order": ("u8", 0),  # of the id: breaks ties between neighbours the same way wherever it is computed
    "length": ("i4", 0),  # terms of the memory's own words
    "has": ("?", 0),  # whether there is a vector
}


class Roster:
    """Columns are attributes: `roster.created` is float64 (n,). See SPEC for names and types."""

    def __init__(
        self,
        columns: dict[str, Column],
        ids: list[str],
        slot_of: dict[str, int],
        names: dict[str, Names],
        incidence: Incidence,
        descent: Descent = NOTHING,
    ) -> None:
        self.columns = columns
        self.n = len(columns["alive"])
        self.ids = ids  # may be longer than n: the writer goes on adding behind the end
        self.slot_of = slot_of  # likewise ahead of this state; `slot` is the safe way to ask
        self.names = names
        self.incidence = incidence
        self.descent = descent
        self.__dict__.update(columns)  # a search asks for them hundreds of times

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Column: ...

    @cached_property
    def held(self) -> NDArray[np.bool_]:
        """Read-only: whoever asks next is given the same."""
        held: NDArray[np.bool_] = self.alive & (self.state == HELD)
        held.flags.writeable = False
        return held

    @property
    def listed(self) -> NDArray[np.bool_]:
        """Held memories but for turns, which are listed with their sessions."""
        listed: NDArray[np.bool_] = self.held & (self.kind != _TURN)
        return listed

    @cached_property
    def votes(self) -> tuple[int, int]:
        """How often agents said that what they were given was used, and that it was not, in all."""
        return int(self.used.sum()), int(self.not_useful.sum())

    def expired(self, now: datetime) -> int:
        """How many of all have expired."""
        return int(np.count_nonzero(self.expires <= now.timestamp()))

    @cached_property
    def turn_slots(self) -> NDArray[np.intp]:
        """By code of `turn`: the slot of that turn's own memory, −1 where it is not indexed."""
        slots = (self.slot(name) for name in self.names["turn"].names)
        return np.array([-1 if slot is None else slot for slot in slots], dtype=np.intp)

    @property
    def speakers(self) -> list[str]:
        """Speakers' names by code; `speaker` is −1 for none."""
        return self.names["speaker"].names

    @property
    def groups(self) -> list[str]:
        return self.names["group"].names

    def slot(self, memory: str) -> int | None:
        """The memory's slot in this state; None where it is not indexed."""
        slot = self.slot_of.get(memory, -1)
        return slot if 0 <= slot < self.n and self.alive[slot] else None

    def slots(self, memories: Sequence[str]) -> NDArray[np.intp]:
        """Slots of those of the memories that are indexed, in their order."""
        return np.array([s for m in memories if (s := self.slot(m)) is not None], dtype=np.intp)

    def mask(self, filters: Filters, *, now: datetime, half_life: float = HALF_LIFE_DAYS) -> NDArray[np.bool_]:
        """Which slots a search may return, (n,). The meaning of each filter: domain.filters."""
        return filter_mask(self, filters, now=now, half_life=half_life)

    def trust(self, now: datetime, *, half_life: float = HALF_LIFE_DAYS) -> NDArray[np.float32]:
        """confidence × 0.5^(days since confirmed / half-life) × boost, and at most the trust of whatever it was made
        from, (n,): domain.trust for every slot."""
        own = self._own_trust(now, half_life)
        return np.minimum(own, self.ceilings(now, half_life=half_life)).astype(np.float32) if self.descent else own

    def ceilings(self, now: datetime, *, half_life: float = HALF_LIFE_DAYS) -> NDArray[np.float64]:
        """The least trust among all that each memory goes back to, (n,); infinite where it was made from nothing."""
        if not self.descent:
            return np.full(self.n, np.inf)
        own = self._own_trust(now, half_life).astype(np.float64)
        away = self.descent.level * np.exp2(-_days(now, self.descent.confirmed) / half_life)
        return self.descent.ceilings(own, away)

    def trust_key(self, *, half_life: float = HALF_LIFE_DAYS) -> NDArray[np.float64]:
        """domain.trust.trust_key for every slot, (n,): orders as trust does at any moment."""
        own = _key(self.confidence.astype(np.float64) * self.boost, self.confirmed, half_life)
        if not self.descent:
            return own
        away = _key(self.descent.level, self.descent.confirmed, half_life)
        return np.minimum(own, self.descent.ceilings(own, away))

    def _own_trust(self, now: datetime, half_life: float) -> NDArray[np.float32]:
        recency = np.exp2(-_days(now, self.confirmed) / half_life)
        own: NDArray[np.float32] = (self.confidence * recency * self.boost).astype(np.float32)
        return own

    def strength(self, now: datetime) -> NDArray[np.float32]:
        """e^(−decay·days) · (1 + ln(1 + accesses)) · salience · confidence, (n,): domain.strength for every slot.

        Days count from the last confirmation or the last access, whichever is later.
        """
        decay = _DECAY[self.memory_type]
        fading = np.exp(-decay * _days(now, np.fmax(self.confirmed, self.accessed_at)))
        present = 1 + np.log1p(self.accesses)
        strength: NDArray[np.float32] = (fading * present * self.salience * self.confidence).astype(np.float32)
        return strength

    def strength_factor(self, now: datetime) -> NDArray[np.float32]:
        """1 + REACH · (strength − 1) / (strength + 1), (n,): domain.strength_factor for every slot."""
        strength = self.strength(now)
        factor: NDArray[np.float32] = (1 + STRENGTH_REACH * (strength - 1) / (strength + 1)).astype(np.float32)
        return factor

    def feedback(self, *, reach: float = REACH) -> NDArray[np.float32]:
        """1 + reach · (used − not useful) / (used + not useful + 3), (n,): domain.feedback for every slot."""
        votes = self.used + self.not_useful
        factor: NDArray[np.float32] = (1 + reach * (self.used - self.not_useful) / (votes + 3.0)).astype(np.float32)
        return factor

    def neighbours(self, slot: int, *, reach: int = 2) -> list[int]:
        """Held slots of the same group around a slot, in reading order and without it; [] outside any group."""
        if self.group[slot] < 0:
            return []
        members = np.flatnonzero(self.held & (self.group == self.group[slot]))
        members = members[np.lexsort((self.order[members], self.created[members], self.position[members]))]
        found = np.flatnonzero(members == slot)
        if not found.size:
            return []
        at = int(found[0])
        around = list(range(max(at - reach, 0), at)) + list(range(at + 1, min(at + reach + 1, len(members))))
        return [int(members[i]) for i in around]


for _code, _type in enumerate(MEMORY_TYPES):
    _DECAY[_code] = DECAY_PER_DAY[_type]


def _key(level: NDArray[np.float64], confirmed: NDArray[np.float64], half_life: float) -> NDArray[np.float64]:
    key: NDArray[np.float64] = np.log2(np.maximum(level, 1e-12)) + confirmed / _DAY / half_life
    return key


def _days(now: datetime, since: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.maximum(now.timestamp() - since, 0) / _DAY


def cells(memory: Memory, names: dict[str, Names]) -> dict[str, Any]:
    """The columns of one memory. New names get their codes here."""
    origin = memory.origin
    place = (origin.path or "", origin.document or "", origin.session or "")
    return {
        "alive": True,
        "kind": KINDS.index(memory.kind),
        "state": STATES.index(memory.state),
        "category": NONE if memory.category is None else CATEGORIES.index(memory.category),
        "memory_type": NONE if memory.memory_type is None else MEMORY_TYPES.index(memory.memory_type),
        "mood": NONE if memory.mood is None else MOODS.index(memory.mood),
        "confidence": memory.confidence,
        "boost": boost(memory.reinforcements),
        "salience": memory.salience,
        "confirmed": memory.last_confirmed.timestamp(),
        "occurred": epoch(memory.occurred_at),
        "created": memory.created_at.timestamp(),
        "updated": memory.updated_at.timestamp(),
        "valid_from": epoch(memory.valid_from),
        "valid_to": epoch(memory.valid_to),
        "expires": epoch(memory.expires_at),
        "review": epoch(memory.review_at),
        "ended": _belief_end(memory),
        "speaker": names["speaker"].code(memory.speaker),
        "group": names["group"].code(memory.group),
        "place": names["place"].code(place) if any(place) else -1,
        "tagset": names["tagset"].code(tuple(sorted(set(memory.tags)))) if memory.tags else -1,
        "turn": names["turn"].code(origin.turn),
        "position": memory.position,
        "pinned": memory.pinned,
        "seen": memory.seen_at is not None,
    }


def usage_cells(usage: Usage) -> dict[str, Any]:
    """The cells of a row that a memory's use fills; times in seconds since 1970."""
    return {
        "accesses": usage.accesses,
        "accessed_at": epoch(usage.accessed_at),
        "used": usage.used,
        "not_useful": usage.not_useful,
    }


def epoch(moment: datetime | None) -> float:
    """Seconds since 1970; NEVER for none."""
    return NEVER if moment is None else moment.timestamp()


def _belief_end(memory: Memory) -> float:
    """When it stopped being believed: where another took its place, when that began to hold; else when it was put
    aside. A validity that had ended before the memory was known says nothing of what was believed."""
    if memory.state == State.HELD:
        return NEVER
    begun = min(memory.created_at, memory.occurred_at or memory.created_at)
    if memory.state == State.SUPERSEDED and memory.valid_to is not None and memory.valid_to >= begun:
        return memory.valid_to.timestamp()
    return (memory.ended_at or memory.updated_at).timestamp()


def filter_mask(roster: Roster, filters: Filters, *, now: datetime, half_life: float) -> Mask:
    """True where a memory passes every filter, (n,). With `as_of` the instant decides instead of the states. What has
    expired by then passes only where memories of every state do."""
    keep: Mask = roster.alive & (
        _states(roster, filters) if filters.as_of is None else _stood_at(roster, filters.as_of)
    )
    if filters.states or filters.as_of is not None:
        keep &= ~(roster.expires <= (filters.as_of or now).timestamp())  # NaN, no end, is not before anything
    if filters.review_before is not None:
        keep &= roster.review < filters.review_before.timestamp()
    for column, members, wanted in (
        (roster.kind, tuple(Kind), filters.kinds),
        (roster.category, tuple(Category), filters.categories),
        (roster.memory_type, tuple(MemoryType), filters.memory_types),
        (roster.mood, tuple(Mood), filters.moods),
    ):
        if wanted:
            keep &= _member_mask(column, members, wanted)
    if filters.tags:
        keep &= _name_mask(roster, "tagset", lambda tags: set(filters.tags) <= set(tags))
    if filters.speakers:
        spoken = {name.casefold() for name in filters.speakers}
        keep &= _name_mask(roster, "speaker", lambda name: name.casefold() in spoken)
    if filters.sources:
        keep &= _sources(roster, filters.sources)
    if filters.entities:
        keep &= roster.incidence.touching(filters.entities)
    return keep & _times(roster, filters) & _levels(roster, filters, now=now, half_life=half_life)


def _states(roster: Roster, filters: Filters) -> Mask:
    return _member_mask(roster.state, tuple(State), filters.states) if filters.states else roster.alive


def _member_mask(column: NDArray[np.uint8], members: Sequence[StrEnum], wanted: Sequence[StrEnum]) -> Mask:
    passes = np.zeros(256, dtype=np.bool_)
    passes[[members.index(one) for one in wanted]] = True
    return passes[column]


def _name_mask(roster: Roster, column: str, passes: Callable[[Any], bool]) -> Mask:
    """Asks `passes` once a name, not once a slot; slots without a name do not pass."""
    codes = roster.columns[column]
    names = list(roster.names[column].names)
    verdict = np.zeros(len(names) + 1, dtype=np.bool_)  # the last place is for −1, no name
    verdict[: len(names)] = [passes(name) for name in names]
    return verdict[codes]


def _sources(roster: Roster, sources: Sequence[str]) -> Mask:
    """The start of the path, or exactly the document, the session or the group."""
    exact = set(sources)
    starts = tuple(source for source in sources if source)

    def from_there(place: tuple[str, str, str]) -> bool:
        path, document, session = place
        return (bool(path) and path.startswith(starts)) or document in exact or session in exact

    return _name_mask(roster, "place", from_there) | _name_mask(roster, "group", lambda group: group in exact)


def _stood_at(roster: Roster, instant: datetime) -> Mask:
    """Known by then, not yet superseded or archived, its validity not yet over.

    What tells when it happened counts as known from then on, so that a conversation or a log that was brought in later
    answers as of its own time.
    """
    at = instant.timestamp()
    learned: Mask = np.fmin(roster.created, roster.occurred) <= at
    # Comparisons with NaN are False: no end. Of a superseded one `ended` says all: see roster.cells.
    over = (roster.valid_to <= at) & (roster.state != _SUPERSEDED)
    stood: Mask = learned & ~(roster.ended <= at) & ~over
    return stood


def true_at(roster: Roster, instant: datetime) -> Mask:
    """Held now or superseded since, begun by then and not over: what was true at the instant, as it is known today.

    It began when it says so, else when it happened or was learned. Of a superseded one whose end is not known it is
    over when it was put aside.
    """
    at = instant.timestamp()
    superseded = roster.state == _SUPERSEDED
    begun = np.where(np.isnan(roster.valid_from), np.fmin(roster.created, roster.occurred), roster.valid_from)
    over = np.where(superseded & np.isnan(roster.valid_to), roster.ended, roster.valid_to)
    true: Mask = roster.alive & ((roster.state == HELD) | superseded) & (begun <= at) & ~(over <= at)
    return true


def _times(roster: Roster, filters: Filters) -> Mask | np.bool_:
    """When it happened, or without a date when it was learned; `until` is exclusive."""
    keep: Mask | np.bool_ = np.True_
    if filters.since is None and filters.until is None:
        return keep
    happened = np.where(np.isnan(roster.occurred), roster.created, roster.occurred)
    if filters.since is not None:
        keep = keep & (happened >= filters.since.timestamp())
    if filters.until is not None:
        keep = keep & (happened < filters.until.timestamp())
    return keep


def _levels(roster: Roster, filters: Filters, *, now: datetime, half_life: float) -> Mask | np.bool_:
    keep: Mask | np.bool_ = np.True_
    if filters.min_trust is not None:
        keep = keep & (roster.trust(now, half_life=half_life) >= np.float32(filters.min_trust))
    if filters.min_strength is not None:
        keep = keep & (roster.strength(now) >= np.float32(filters.min_strength))
    return keep
