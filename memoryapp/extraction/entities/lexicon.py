"""The known names of a space, kept between calls and brought up to date by what changed. For `link`."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from memoryapp.domain.entity import Entity, EntityState, normal_form
from memoryapp.extraction.entities.mentions import Names, names_of
from memoryapp.store import entities
from memoryapp.store.database import Database

_KEPT = 16  # spaces; a lexicon of 5,000 names takes some 10 MB


class Lexicon:
    """`names` finds known entities in a text; `spelled` gives an entity's id by the normal form of any spelling.

    A merged entity keeps its own names here: a text that says one of them is linked to the entity that bears it, so
    that parting the two leaves each with its own. A spelling that is one's name and another's alias is the first's.
    """

    def __init__(self, db: Database) -> None:
        self.db = db
        self._lock = threading.Lock()
        self._entities: dict[str, Entity] = {}
        self._version = 0
        self.names = Names()
        self.spelled: dict[str, str] = {}
        self._load()

    @property
    def entities(self) -> Mapping[str, Entity]:
        """Every known entity by id."""
        return self._entities

    def refresh(self) -> None:
        """Takes in what was written since the last call; half a millisecond when nothing was."""
        with self._lock:
            self._version, changed = entities.known_since(self.db, self._version)
            fresh = []
            rebuild = False
            by_id = dict(self._entities) if changed else self._entities
            for key, entity in changed:
                before = by_id.get(key)
                after = entity if entity and entity.state is EntityState.KNOWN else None
                if after is not None:
                    by_id[key] = after
                elif before is not None:
                    del by_id[key]
                if _spellings(before) == _spellings(after):
                    continue
                rebuild = rebuild or before is not None
                if after is not None:
                    fresh.append(after)
            # A new mapping rather than a changed one: another thread may be reading the old.
            self._entities = by_id
            for entity in () if rebuild else fresh:
                if rebuild := self._taken(entity):
                    break
                self._add(entity)
            if rebuild:
                self._build()

    def _load(self) -> None:
        self._version, everything = entities.known_entities(self.db)
        self._entities = {entity.id: entity for entity in everything}
        self._build()

    def _build(self) -> None:
        bearers = {entity.normal: entity.id for entity in self._entities.values()}
        own = [(entity.id, _own_names(entity, bearers)) for entity in self._entities.values()]
        self.names = names_of(own)
        self.spelled = {normal_form(name): key for key, names in own for name in names}

    def _taken(self, entity: Entity) -> bool:
        """Whether one of its spellings is another's already."""
        return any(self.spelled.get(normal_form(name), entity.id) != entity.id for name in _spellings(entity))

    def _add(self, entity: Entity) -> None:
        for name in _spellings(entity):
            self.names.add(entity.id, name)
            self.spelled[normal_form(name)] = entity.id


def _own_names(entity: Entity, bearers: Mapping[str, str]) -> tuple[str, ...]:
    """Its name, and its aliases but those that are another's name."""
    aliases = (alias for alias in entity.aliases if bearers.get(normal_form(alias), entity.id) == entity.id)
    return (entity.name, *aliases)


def _spellings(entity: Entity | None) -> tuple[str, ...]:
    return (entity.name, *entity.aliases) if entity else ()


_lexicons: dict[int, Lexicon] = {}
_guard = threading.Lock()


def lexicon_of(db: Database) -> Lexicon:
    """The lexicon of an open space, up to date."""
    with _guard:
        for key in [key for key, kept in _lexicons.items() if kept.db.closed]:
            del _lexicons[key]
        lexicon = _lexicons.get(id(db))
        if lexicon is None or lexicon.db is not db:
            while len(_lexicons) >= _KEPT:
                del _lexicons[next(iter(_lexicons))]
            lexicon = _lexicons[id(db)] = Lexicon(db)
            return lexicon
    lexicon.refresh()
    return lexicon
