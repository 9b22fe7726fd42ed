"""The list of golden queries: what each asks, with what filters, which memories it means and what became of them.

Filters of a golden query in the words of an address, the other way round of `chips.filters_of`.

Addresses of the lab: a comparison of a golden query's columns, with its filters and what was meant to be found.

The form of a golden query: what is asked, what narrows it, and memories to tick as those that should be found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters, filters_read, filters_told
from memoryapp.domain.golden import Golden
from memoryapp.domain.memory import Memory, State
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import DEFAULT, RRF
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.filters import Adder, Chip, Field, adders_of, address, chips_of, filters_of
from memoryapp.interfaces.pages.paging import Pager, place_after
from memoryapp.lab import Standing, golden_of
from memoryapp.lab.golden import is_gone, states_of
from memoryapp.search import search
from memoryapp.spaces import Space
from memoryapp.store import entities, memories

# Those of the search page, in its order.
FILTERS = ("kind", "state", "category", "trust", "tag", "source", "type", "since", "as_of", "speaker", "mood", "entity")
_SHAPES = {"date": re.compile(r"\d{4}-\d\d-\d\d"), "datetime-local": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")}


def asked_of(filters: Filters) -> list[tuple[str, str]]:
    """(parameter, value) as the search page has them. `min_strength` has none there and is left out."""
    told: list[tuple[str, str]] = []
    for name, values in (
        ("kind", filters.kinds),
        ("state", () if filters.states == (State.HELD,) else filters.states or tuple(State)),
        ("category", filters.categories),
        ("type", filters.memory_types),
        ("mood", filters.moods),
        ("tag", filters.tags),
        ("source", filters.sources),
        ("speaker", filters.speakers),
        ("entity", filters.entities),
    ):
        told += [(name, str(value)) for value in values]
    if filters.min_trust is not None:
        told.append(("trust", f"{filters.min_trust:g}"))
    if filters.since is not None:
        told.append(("since", _day(filters.since)))
    if filters.until is not None:
        told.append(("until", _day(filters.until - timedelta(days=1))))  # an address says up to and with
    if filters.as_of is not None:
        told.append(("as_of", _minute(filters.as_of)))
    return told


def typed_of(filters: Filters) -> QueryDict:
    """The same as a query string that `filters_of` and the chips read."""
    typed = QueryDict(mutable=True)
    for name, value in asked_of(filters):
        typed.appendlist(name, value)
    return typed


def told_of(filters: Filters, *, names: dict[str, str] | None = None) -> list[Chip]:
    """What narrows, each as a label and a value."""
    chips = chips_of(typed_of(filters), FILTERS, names=names)
    if filters.min_strength is not None:
        chips.append(Chip("Strength at least", f"{filters.min_strength:g}", ""))
    return chips


def fields_of(typed: QueryDict) -> list[Adder]:
    """The fields of a form that says what narrows, filled: one for each value, so that none is lost by an edit."""
    some = [one for one in adders_of(typed, FILTERS) if one.options or one.fields]
    return [
        replace(one, fields=[each for field in one.fields for each in _filled_fields(field, typed)]) for one in some
    ]


def _filled_fields(field: Field, typed: QueryDict) -> list[Field]:
    """A moment that a date field could not show stands as text."""
    values = [value for value in typed.getlist(field.name) if value.strip()] or [""]
    shape = _SHAPES.get(field.type)
    return [
        replace(field, value=value, type="text" if value and shape and not shape.fullmatch(value) else field.type)
        for value in values
    ]


def _day(moment: datetime) -> str:
    local = timezone.localtime(moment)
    whole = (local.hour, local.minute, local.second, local.microsecond) == (0, 0, 0, 0)
    return local.date().isoformat() if whole else moment.isoformat()


def _minute(moment: datetime) -> str:
    local = timezone.localtime(moment)
    return moment.isoformat() if local.second or local.microsecond else f"{local:%Y-%m-%dT%H:%M}"


_MOST = 40  # relevant memories in an address


def compare_address(
    *, columns: Sequence[str], query: str = "", relevant: Sequence[str] = (), filters: Sequence[tuple[str, str]] = ()
) -> str:
    """`columns`: plans; each once, in order."""
    asked = [("q", query)] if query else []
    asked += [("column", plan) for plan in dict.fromkeys(columns)]
    asked += list(filters)
    asked += [("rel", key) for key in relevant[:_MOST]]
    return f"{reverse('lab')}?{urlencode(asked)}"


def golden_address(one: Golden, *, columns: Sequence[str]) -> str:
    """Where a golden query is seen beside what other plans find."""
    return compare_address(columns=columns, query=one.query, relevant=one.relevant, filters=asked_of(one.filters))


PAGE = 20
SHOWN = 4  # relevant memories of a line; the others are counted
_CHARS = 90
_TABS = (("", "All"), ("gone", "Missing targets"))


@dataclass(frozen=True, slots=True)
class RelevantMemory:
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
    meant: list[RelevantMemory]
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
            shown=f"{human.number(len(shown))} of {human.count_text(len(chosen), 'golden query', 'golden queries')}",
            size=PAGE,
        ),
    }


def lines_of(space: Space, some: Sequence[Standing]) -> list[GoldenLine]:
    shown = {key for one in some for key in _first_relevant(one)}
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
) -> list[RelevantMemory]:
    made = []
    for key in ids:
        memory, home = found.get(key, (None, ""))
        text = first_words(memory) if memory else ""
        made.append(RelevantMemory(key, text, wording.language(text), states.get(key), home))
    return made


def first_words(memory: Memory, *, limit: int = _CHARS) -> str:
    """Of its title and text, as one line."""
    text, title = wording.plain(memory.text), memory.title.strip()
    if title and text.startswith(title):
        text = text[len(title) :].lstrip(" :–-")
    return wording.excerpt(f"{title}: {text}" if title and text else title or text, limit=limit)


def _first_relevant(one: Standing) -> list[str]:
    """Those shown of a line: what is gone comes first, for that is what one looks for."""
    ordered = sorted(one.golden.relevant, key=lambda key: not is_gone(one.states.get(key)))
    return ordered[:SHOWN]


def _line(one: Standing, found: dict[str, tuple[Memory, str]], names: dict[str, str]) -> GoldenLine:
    first, every = _first_relevant(one), len(one.golden.relevant)
    return GoldenLine(
        one=one,
        lang=wording.language(one.golden.query),
        meant=meant_of(first, one.states, found),
        more=every - len(first),
        chips=told_of(one.golden.filters, names=names),
        told=_share_text(len(one.gone), every, "gone"),
        archived=_share_text(len(one.archived), every, "archived"),
        compare=golden_address(one.golden, columns=[DEFAULT, RRF.name]),
    )


def _share_text(some: int, every: int, what: str) -> str:
    """“2 of 3 are gone”, “it is gone”, "" for none."""
    if not some:
        return ""
    if every == 1:
        return f"it is {what}"
    return f"all {every} are {what}" if some == every else f"{some} of {every} {'is' if some == 1 else 'are'} {what}"


_OFFERED = 10
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class MemoryChoice:
    """A memory that can be ticked; `on`: it is."""

    meant: RelevantMemory
    on: bool


def form_of(space: Space, typed: QueryDict, standing: Standing | None) -> dict[str, Any]:
    """Of a golden query that is there, or of what the address or a refused form says."""
    if standing is not None and not typed.get("query"):
        one = standing.golden
        filled = QueryDict(mutable=True)
        for name, value in [("query", one.query), ("note", one.note), ("version", str(one.version))]:
            filled[name] = value
        filled.setlist("relevant", list(one.relevant))
        for name, value in asked_of(one.filters):
            filled.appendlist(name, value)
        typed = filled
    return {
        "form": {name: typed.get(name, "") for name in ("query", "note", "more", "version")},
        "edited": standing.golden if standing else None,
        "offered": offered_of(space, typed, look=False),
        "fields": fields_of(typed),
        "entities": typed.getlist("entity"),
        "narrowed": sum(bool(value.strip()) for name in FILTERS for value in typed.getlist(name)),
    }


def offered_of(space: Space, typed: QueryDict, *, look: bool) -> list[MemoryChoice]:
    """What is ticked already, then, with `look`, what the question finds now."""
    ticked = [key for key in dict.fromkeys(typed.getlist("relevant")) if _ID.fullmatch(key)]
    states = states_of(space, ticked)
    offered = [MemoryChoice(meant, True) for meant in meant_of(ticked, states, texts_of(space, ticked))]
    text = typed.get("query", "").strip()
    if not look or not text:
        return offered
    answer = search(space, Query(text, strategy=DEFAULT, top_k=_OFFERED, filters=filters_of(typed)))
    for hit in answer.hits:
        if hit.memory.id not in states:
            words = first_words(hit.memory)
            home = hit.inherited_from or ""
            offered.append(
                MemoryChoice(
                    RelevantMemory(hit.memory.id, words, wording.language(words), hit.memory.state, home), False
                )
            )
    return offered


def read_golden(typed: QueryDict, *, before: Golden | None = None) -> dict[str, Any]:
    """What the form says: query, relevant (ids and refs), filters, note. What an address has no words for is kept of
    the one before. Raises BadInput."""
    filters = filters_of(typed)
    if before is not None and before.filters.min_strength is not None:
        filters = replace(filters, min_strength=before.filters.min_strength)
    more = [line.strip() for line in typed.get("more", "").splitlines()]
    named = [name.strip() for name in typed.getlist("relevant")]
    return {
        "query": typed.get("query", ""),
        "relevant": list(dict.fromkeys(name for name in (*named, *more) if name)),
        "filters": filters,
        "note": typed.get("note", ""),
    }


def version_in(typed: QueryDict) -> int:
    text = typed.get("version", "")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise BadInput("The version is a whole number.", field="version")
    return int(text)


def golden_kept(one: Golden) -> dict[str, Any]:
    """As JSON, for an undo."""
    return {
        "id": one.id, "query": one.query, "relevant": list(one.relevant), "note": one.note, "by": one.by,
        "created_at": one.created_at.isoformat(), "updated_at": one.updated_at.isoformat(),
        "filters": filters_told(one.filters), "version": one.version,
    }  # fmt: skip


def golden_read(told: dict[str, Any]) -> Golden:
    return Golden(
        id=told["id"],
        query=told["query"],
        relevant=tuple(told["relevant"]),
        note=told["note"],
        by=told["by"],
        created_at=datetime.fromisoformat(told["created_at"]),
        updated_at=datetime.fromisoformat(told["updated_at"]),
        filters=filters_read(told["filters"]),
        version=int(told["version"]),
    )
