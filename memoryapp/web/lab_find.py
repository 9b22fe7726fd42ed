"""“Expected something else?”: which memory is meant, by an id, a caller's reference, or words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memoryapp.domain.errors import NotFound
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import KEYWORD
from memoryapp.retrieve import search
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.web import wording

_MOST = 8
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Meant:
    """One memory, as a line to choose or to stand above what is told of it. `state`: "" where it is held; `home`: the
    parent space it lives in, "" for the space itself."""

    id: str
    line: str
    lang: str
    state: str
    home: str


def meant(space: Space, expected: str) -> Meant | None:
    """The memory of this id or reference, here or in a parent space; None where it is words. Raises NotFound for an id
    that none of them holds."""
    by_id = _ID.fullmatch(expected) is not None
    for home in _homes(space):
        found = memories.get_many(home.db, [expected]) if by_id else memories.by_refs(home.db, [expected])
        if expected in found:
            return _line(found[expected], "" if home is space else home.name)
    if by_id:
        raise NotFound(f"There is no memory “{expected}” in this space.")
    return None


def suggested(space: Space, words: str) -> list[Meant]:
    """Memories that hold the words, whatever their state: what was expected may have been put away."""
    answer = search(space, Query(words, strategy=KEYWORD.name, top_k=_MOST, filters=Filters(states=())))
    return [_line(hit.memory, hit.inherited_from or "") for hit in answer.hits]


def _homes(space: Space) -> Iterator[Space]:
    home: Space | None = space
    while home is not None:
        yield home
        home = home.parent


def _line(memory: Memory, home: str) -> Meant:
    title, words = memory.title.strip(), wording.plain(memory.text)
    text = wording.excerpt(words if not title or words.startswith(title) else f"{title} · {words}", limit=120)
    state = "" if memory.state == State.HELD else memory.state.value
    return Meant(memory.id, text, wording.language(text), state, home)
