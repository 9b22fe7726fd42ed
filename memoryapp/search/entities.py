"""Which entities a question names: every name and alias of a space in one matcher, kept between questions.

Where the walks over entities begin: those the query names, those of whose names it has a word, and those whose names
mean what its words mean.

Who a query names: the one known speaker, if it is exactly one.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.entity import Entity, EntityState
from memoryapp.domain.errors import EncoderError
from memoryapp.domain.limits import Tuning
from memoryapp.extraction.entities.mentions import Names, names_of
from memoryapp.index import SearchIndex
from memoryapp.index.graph import Graph
from memoryapp.index.tokens import STOP_WORDS, tokens
from memoryapp.inference.embedding import Encoder
from memoryapp.inference.embedding.text_cache import VectorCache
from memoryapp.search.state import Seed

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


Vectors = NDArray[np.float32]
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_WORDS = 32  # of a query that are compared, each once
_PER_PROCESS = 8_192  # words whose vector is kept
_CLOSEST = 64  # names that are taken for meant; which of them begin the walk is decided by how rare they are


def seeds_of(
    graph: Graph,
    vector: Vectors | None,
    *,
    named: Sequence[int],
    parts: Mapping[int, float],
    rest: str,
    encoder: Encoder | None,
    tuning: Tuning,
) -> tuple[Seed, ...]:
    """The named ones, those named by a word of their name, then those meant, the closest first. `parts`: these words'
    entities and their weights; `vector`: of the query, None where names alone decide; `rest`: the query without the
    names in it.

    An entity is meant where its name's vector is within `seed_word` of one of the words of the rest, or within
    `seed_query` of the whole query; its weight is the greater cosine. A word of a name means that name and no other:
    “Journal of Psychotherapy” is not about all journals.
    """
    seeds = {code: Seed(code, 1.0, "name") for code in named}
    for code, weight in parts.items():
        seeds.setdefault(code, Seed(code, weight, "part"))
    codes, names = graph.names
    if vector is None or encoder is None or not len(codes) or names.shape[1] != len(vector):
        return tuple(seeds.values())
    for code, cosine, by in _similar_entities(codes, names, vector, _word_vectors(encoder, rest), tuning):
        if code not in seeds:
            seeds[code] = Seed(code, cosine, by)
    return tuple(seeds.values())


def _similar_entities(
    codes: NDArray[np.int32], names: Vectors, vector: Vectors, words: Vectors, tuning: Tuning
) -> Iterator[tuple[int, float, str]]:
    # One vector at a time and without BLAS, for the reason given at index.vectors._products.
    whole, *each = (np.einsum("ij,j->i", names, one) for one in (vector, *words))
    single = np.max(each, axis=0) if each else np.zeros(len(codes), dtype=np.float32)
    by_word = single >= tuning.seed_word
    cosines = np.where(by_word, np.maximum(single, whole), whole)
    meant = np.flatnonzero(by_word | (whole >= tuning.seed_query))
    for row in meant[np.lexsort((codes[meant], -cosines[meant]))][:_CLOSEST].tolist():
        yield int(codes[row]), min(float(cosines[row]), 1.0), "word" if by_word[row] else "query"


def words_of(text: str) -> list[str]:
    """The words of a query that may mean something, in small letters, each once."""
    words = (word.lower() for word in _WORD.findall(text))
    return list(dict.fromkeys(word for word in words if len(word) > 1 and word not in STOP_WORDS))[:_WORDS]


_words = VectorCache(most=_PER_PROCESS)


def _word_vectors(encoder: Encoder, text: str) -> Vectors:
    """Of the words that are compared; of none where the model takes none of them."""
    words = words_of(text)
    try:
        return _words.vectors(encoder, words) if words else np.zeros((0, 0), dtype=np.float32)
    except EncoderError:
        return np.zeros((0, 0), dtype=np.float32)


_NAME_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_HANGUL = re.compile(r"[\uac00-\ud7a3]{2,}")
_LONGEST = 4  # words of a name
# What programs call the two sides of a conversation: naming one in a question says nothing about who spoke.
_ROLES = frozenset({"user", "assistant", "system", "agent", "human", "bot", "ai", "tool", "me", "you", "unknown"})


def speaker_named(query: str, speakers: Sequence[str]) -> str | None:
    """The folded name of the speaker in the query; None where nobody or several are named.

    A speaker is named by the whole name or by its first word, when that is nobody else's. A Hangul name may carry a
    particle: “민수가” names 민수.
    """
    by_name = _by_name(tuple(speakers))
    words = [word.casefold().removesuffix("'s").removesuffix("’s") for word in _NAME_WORD.findall(query)]
    named: set[str] = set()
    for size in range(1, _LONGEST + 1):
        for start in range(len(words) - size + 1):
            whole = by_name.get(" ".join(words[start : start + size]))
            if whole:
                named.add(whole)
    for word in words:
        if _HANGUL.match(word):
            named |= {whole for end in range(2, len(word)) if (whole := by_name.get(word[:end]))}
    return named.pop() if len(named) == 1 else None


@lru_cache(maxsize=64)
def _by_name(speakers: tuple[str, ...]) -> dict[str, str]:
    """Each way to name a speaker → the folded name; a first name that several share names nobody."""
    folded = {" ".join(name.casefold().split()) for name in speakers} - _ROLES
    folded = {name for name in folded if len(name) > 1}
    firsts: dict[str, set[str]] = {}
    for name in folded:
        firsts.setdefault(name.split()[0], set()).add(name)
    by_name = {first: next(iter(names)) for first, names in firsts.items() if len(names) == 1 and len(first) > 1}
    return by_name | {name: name for name in folded}
