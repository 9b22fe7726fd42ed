"""Which entities a question names: every name and alias of a space in one matcher, kept between questions."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable

from memoryapp.domain.entity import Entity, EntityState
from memoryapp.extract.mentions import Names, names_of
from memoryapp.index import SearchIndex
from memoryapp.index.graph import Graph
from memoryapp.index.tokens import STOP_WORDS, tokens

PER_PROCESS = 16  # spaces whose names are kept


class Matcher:
    """The names of one space's entities, proposed and merged ones too: what is said of either is said of both."""

    def __init__(self) -> None:
        self._entities: tuple[Entity | None, ...] = ()
        self._names = Names()
        self._parts: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self._lock = threading.Lock()

    def find(self, graph: Graph, text: str) -> tuple[tuple[int, ...], str]:
        """(codes of the standing entities that the text names, each once, in the order of the text; the text without
        these names)."""
        names, _ = self._up_to_date(graph.entities)
        found: dict[int, None] = {}
        rest = text
        for mention in names.find(text):
            code = graph.code_of.get(mention.entity, -1)
            standing = int(graph.canonical[code]) if code >= 0 else -1
            if standing >= 0 and text[mention.start : mention.end] not in STOP_WORDS:
                found.setdefault(standing)
                rest = rest[: mention.start] + " " * (mention.end - mention.start) + rest[mention.end :]
        return tuple(found), rest

    def find_parts(self, graph: Graph, text: str) -> dict[int, float]:
        """Standing entities of whose names the text holds words, with the greatest part of a name that one of its
        words makes up, shared out among all the entities that have the word in a name: a word that many names have
        names none of them. What is only a number names nothing."""
        _, parts = self._up_to_date(graph.entities)
        weights: dict[int, float] = {}
        for term in dict.fromkeys(tokens(text)):
            by_code: dict[int, float] = {}
            for key, part in parts.get(term, {}).items():
                code = int(graph.canonical[graph.code_of[key]]) if key in graph.code_of else -1
                if code >= 0:
                    by_code[code] = max(part, by_code.get(code, 0.0))
            for code, part in by_code.items():
                weights[code] = max(part / len(by_code), weights.get(code, 0.0))
        return weights

    def _up_to_date(self, entities: tuple[Entity | None, ...]) -> tuple[Names, dict[str, dict[str, float]]]:
        with self._lock:
            if self._entities is not entities:
                self._learn(entities)
            return self._names, self._parts

    def _learn(self, entities: tuple[Entity | None, ...]) -> None:
        """Adds the spellings that are new; where one is gone, all are read anew."""
        known = self._entities + (None,) * (len(entities) - len(self._entities))
        fresh: list[tuple[str, tuple[str, ...]]] = []
        lost = len(known) > len(entities)
        for before, after in zip(known, entities, strict=False):
            if before is after:
                continue
            spelled, old = _spellings(after), _spellings(before)
            another = before is not None and (after is None or after.id != before.id)
            if another or spelled != old:
                lost = lost or another or not set(old) <= set(spelled)
                if after is not None:
                    fresh.append((after.id, tuple(name for name in spelled if name not in old)))
        if lost:
            spellings = [(one.id, _spellings(one)) for one in entities if one is not None]
            self._names, self._parts = names_of(spellings), defaultdict(dict)
            self._learn_parts(spellings)
        else:
            for entity, spelled in fresh:
                for name in spelled:
                    self._names.add(entity, name)
            self._learn_parts(fresh)
        self._entities = entities

    def _learn_parts(self, spellings: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        for entity, names in spellings:
            for name in names:
                terms = set(tokens(name))
                for term in terms:
                    if not term.isdecimal():
                        part = self._parts[term]
                        part[entity] = max(1 / len(terms), part.get(entity, 0.0))


class Matchers:
    """Matchers by space. A space that was opened anew begins with an empty one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int], Matcher] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, space: str, index: SearchIndex) -> Matcher:
        key = (space, index.serial)
        with self._lock:
            matcher = self._kept.setdefault(key, Matcher())
            self._kept.move_to_end(key)
            while len(self._kept) > PER_PROCESS:
                self._kept.popitem(last=False)
            return matcher

    def forget(self, space: str | None = None) -> None:
        """Drops the names of a space, or all."""
        with self._lock:
            for key in [key for key in self._kept if space in (None, key[0])]:
                del self._kept[key]


def _spellings(entity: Entity | None) -> tuple[str, ...]:
    if entity is None or entity.state is EntityState.REFUSED:
        return ()
    return tuple(dict.fromkeys((entity.name, *entity.aliases)))


matchers = Matchers()
