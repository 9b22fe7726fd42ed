"""The list of golden queries: what each asks, with what filters, which memories it means and what became of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.strategies import DEFAULT, RRF
from memoryapp.lab import Standing, golden_of
from memoryapp.lab.meant import is_gone
from memoryapp.spaces import Space
from memoryapp.store import entities, memories
from memoryapp.web import human, wording
from memoryapp.web.chips import Chip, address
from memoryapp.web.golden_filters import told_of
from memoryapp.web.golden_links import golden_address
from memoryapp.web.pager import Pager, place_after

PAGE = 20
SHOWN = 4  # relevant memories of a line; the others are counted
_CHARS = 90
_TABS = (("", "All"), ("gone", "Missing targets"))


@dataclass(frozen=True, slots=True)
class Meant:
    """A relevant memory: its first words, "" for one that was purged. `home`: the space it is read from, where that is
    not this one."""

    id: str
    text: str
    lang: str
    state: State | None
    home: str = ""

    @property
    def gone(self) -> bool:
        return is_gone(self.state)

    @property
    def mark(self) -> str:
        """What became of it, where it is no longer held."""
        if self.state is None:
            return "purged"
        return "" if self.state is State.HELD else self.state.value


@dataclass(frozen=True, slots=True)
class GoldenLine:
    """`told`: “2 of 3 are gone”, "" where none is. `more`: how many relevant ones are not shown."""

    one: Standing
    lang: str
    meant: list[Meant]
    more: int
    chips: list[Chip]
    told: str
    archived: str
    compare: str


def page_of(space: Space, asked: QueryDict) -> dict[str, Any]:
    """Raises BadInput for an address that is none of this list."""
    which, words = asked.get("which", ""), asked.get("words", "").strip()[:200]
    if which not in {key for key, _ in _TABS}:
        raise BadInput(f"“{which[:40]}” is not a filter of this list. Known: gone.", field="which")
    every = golden_of(space)[::-1]
    gone = [one for one in every if one.gone]
    chosen = gone if which else every
    if words:
        chosen = [one for one in chosen if words.casefold() in f"{one.golden.query}\n{one.golden.note}".casefold()]
    place = place_after(asked.get("after", ""))
    left = [one for one in chosen if place is None or (one.golden.created_at, one.golden.id) < place]
    shown, more = left[:PAGE], len(left) > PAGE
    last = f"{shown[-1].golden.created_at.isoformat()}~{shown[-1].golden.id}" if more else ""
    counts = {"": len(every), "gone": len(gone)}
    return {
        "lines": lines_of(space, shown),
        "count": len(every),
        "words": words,
        "which": which,
        "tabs": [(key, name, counts[key], key == which) for key, name in _TABS],
        "pager": Pager(
            newer=address(asked) if place else "",
            older=address(asked, after=last) if more else "",
            shown=f"{human.number(len(shown))} of {human.counted(len(chosen), 'golden query', 'golden queries')}",
            size=PAGE,
        ),
    }


def lines_of(space: Space, some: Sequence[Standing]) -> list[GoldenLine]:
    shown = {key for one in some for key in _first(one)}
    found = texts_of(space, shown)
    named = {key for one in some for key in one.golden.filters.entities}
    names = {one.id: one.name for one in entities.get_many(space.db, sorted(named)).values()} if named else {}
    return [_line(one, found, names) for one in some]


def texts_of(space: Space, ids: Collection[str]) -> dict[str, tuple[Memory, str]]:
    """Memories by id, each with the space it was read from, "" for this one."""
    found: dict[str, tuple[Memory, str]] = {}
    one: Space | None = space
    while one is not None and (left := sorted(set(ids) - set(found))):
        home = "" if one is space else one.name
        found |= {key: (memory, home) for key, memory in memories.get_many(one.db, left).items()}
        one = one.parent
    return found


def meant_of(
    ids: Sequence[str], states: Mapping[str, State | None], found: Mapping[str, tuple[Memory, str]]
) -> list[Meant]:
    made = []
    for key in ids:
        memory, home = found.get(key, (None, ""))
        text = first_words(memory) if memory else ""
        made.append(Meant(key, text, wording.language(text), states.get(key), home))
    return made


def first_words(memory: Memory, *, limit: int = _CHARS) -> str:
    """Of its title and text, as one line."""
    text, title = wording.plain(memory.text), memory.title.strip()
    if title and text.startswith(title):
        text = text[len(title) :].lstrip(" :–-")
    return wording.excerpt(f"{title}: {text}" if title and text else title or text, limit=limit)


def _first(one: Standing) -> list[str]:
    """Those shown of a line: what is gone comes first, for that is what one looks for."""
    ordered = sorted(one.golden.relevant, key=lambda key: not is_gone(one.states.get(key)))
    return ordered[:SHOWN]


def _line(one: Standing, found: dict[str, tuple[Memory, str]], names: dict[str, str]) -> GoldenLine:
    first, every = _first(one), len(one.golden.relevant)
    return GoldenLine(
        one=one,
        lang=wording.language(one.golden.query),
        meant=meant_of(first, one.states, found),
        more=every - len(first),
        chips=told_of(one.golden.filters, names=names),
        told=_of(len(one.gone), every, "gone"),
        archived=_of(len(one.archived), every, "archived"),
        compare=golden_address(one.golden, columns=[DEFAULT, RRF.name]),
    )


def _of(some: int, every: int, what: str) -> str:
    """“2 of 3 are gone”, “it is gone”, "" for none."""
    if not some:
        return ""
    if every == 1:
        return f"it is {what}"
    return f"all {every} are {what}" if some == every else f"{some} of {every} {'is' if some == 1 else 'are'} {what}"
