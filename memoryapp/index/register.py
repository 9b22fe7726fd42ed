"""Which entities there are, by code, and which of them stands for which. Merging is a view: nothing is moved by it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import Entity, EntityState
from memoryapp.index.columns import Columns, Names, Spec

_PLACE: Spec = {"known": ("?", 0), "refused": ("?", 0), "merged": ("i4", -1)}


class Canon:
    """Who stands for whom; the same object as long as that is the same, whatever else of the entities changes.

    `of`: int32 (entities,), the code that stands for each code; −1 for those that are refused, that were merged into a
    refused one, or of which only edges are known.
    """

    def __init__(self, of: NDArray[np.int32], keys: list[str], known: NDArray[np.bool_]) -> None:
        self.of = of
        self._keys = keys  # may be longer: the writer goes on adding behind the end
        self._known = known

    @cached_property
    def code_of(self) -> dict[str, int]:
        """Entity id → its code; merged and refused ones too."""
        return {self._keys[code]: code for code in np.flatnonzero(self._known).tolist()}

    @cached_property
    def stands(self) -> NDArray[np.bool_]:
        """True for entities that stand for themselves, (entities,)."""
        stands: NDArray[np.bool_] = self.of == np.arange(len(self.of))
        return stands

    @cached_property
    def merged(self) -> NDArray[np.bool_]:
        """True for entities that others stand behind, (entities,)."""
        merged = np.zeros(len(self.of), dtype=np.bool_)
        merged[self.of[~self.stands & (self.of >= 0)]] = True
        return merged


class Standing(NamedTuple):
    """A published state: the entity of each code, None where only edges speak of it."""

    entities: tuple[Entity | None, ...]
    canon: Canon


class Register:
    """The writer's side. Whatever speaks of an entity first gives it its code."""

    def __init__(self) -> None:
        self.codes = Names()
        self.entities: list[Entity | None] = []
        self._places = Columns(_PLACE)
        self._canon: Canon | None = None
        self._last: Standing | None = None

    @classmethod
    def of(cls, entities: Iterable[tuple[str, Entity | None]]) -> Register:
        """Entities as they were published and kept, in the order of their codes."""
        made = cls()
        kept = list(entities)
        for key, _ in kept:
            made.code(key)
        for key, entity in kept:
            made.put(key, entity)
        return made

    def code(self, key: str) -> int:
        code = self.codes.code(key)
        if code == len(self.entities):
            self.entities.append(None)
            self._places.add()
            self._canon = self._last = None
        return code

    def put(self, key: str, entity: Entity | None) -> None:
        """An entity as it is now, None once it is deleted."""
        code = self.code(key)
        before = self.entities[code]
        if before == entity:
            return
        self.entities[code] = entity
        self._last = None
        if _place(before) == _place(entity):
            return
        known, refused, merged = _place(entity)
        values = {"known": known, "refused": refused, "merged": -1 if merged is None else self.code(merged)}
        for name, value in values.items():
            self._places.put(name, code, value)
        self._canon = None

    def stands(self, code: int) -> bool:
        """Whether an entity stands for itself, merges in a circle not looked at."""
        get = self._places.get
        return bool(get("known")[code] and not get("refused")[code] and get("merged")[code] < 0)

    def publish(self) -> Standing:
        if self._canon is None:
            known, refused, merged = (self._places.get(name).copy() for name in _PLACE)
            self._canon = Canon(_resolve_merges(known, refused, merged, self.codes.names), self.codes.names, known)
        if self._last is None:
            self._last = Standing(tuple(self.entities), self._canon)
        return self._last


def _place(entity: Entity | None) -> tuple[bool, bool, str | None]:
    if entity is None:
        return False, False, None
    return True, entity.state == EntityState.REFUSED, entity.merged_into


def _resolve_merges(
    known: NDArray[np.bool_], refused: NDArray[np.bool_], merged: NDArray[np.int32], keys: list[str]
) -> NDArray[np.int32]:
    """The end of each chain of merges. Of those that were merged in a circle the first by id stands for all; one that
    was merged into what is not there stands for itself."""
    canonical = np.arange(len(known), dtype=np.int32)
    moved = np.flatnonzero(known & ~refused & (merged >= 0))
    into = {code: to for code, to in zip(moved.tolist(), merged[moved].tolist(), strict=True) if known[to]}
    ends: dict[int, int] = {}
    for start in into:
        way: dict[int, None] = {}
        code = start
        while code in into and code not in way and code not in ends:
            way[code] = None
            code = into[code]
        if code in way:
            walked = list(way)
            end = min(walked[walked.index(code) :], key=keys.__getitem__)
        else:
            end = ends.get(code, code)
        ends.update(dict.fromkeys(way, end))
    if ends:
        canonical[list(ends)] = list(ends.values())
    canonical[~known | refused[canonical]] = -1
    return canonical
