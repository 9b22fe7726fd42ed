"""The list of entities: its tabs, what it is narrowed by, a page of rows, in an order that the address says.

The words that stand for an entity in a line: how the best trusted memory that names it speaks of it.

Entities as a person names them in a field: by their exact name or an alias, or by id.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.http import QueryDict
from django.urls import reverse
from numpy.typing import NDArray

from memoryapp import graph
from memoryapp.domain.entity import Entity, EntityState, EntityType, normal_form, type_named
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Memory
from memoryapp.domain.relation import Relation, RelationType
from memoryapp.domain.scene import EntityPage, EntityRow
from memoryapp.extraction.entities.lexicon import lexicon_of
from memoryapp.graph.listing import SORTS
from memoryapp.graph.snapshot import Snapshot, snapshot_of
from memoryapp.interfaces.memories.rows import Tag
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import Desk
from memoryapp.interfaces.pages.clock import NAMES
from memoryapp.interfaces.pages.filters import Adder, Chip, Field, address
from memoryapp.interfaces.pages.paging import Head, Pager
from memoryapp.spaces import Space
from memoryapp.store import entities, entity_pairs, memories

_CHARS = 140


@dataclass(frozen=True, slots=True)
class Words:
    memory: str
    text: str
    lang: str


def words_for(ground: Snapshot, some: Iterable[Entity]) -> dict[str, Words]:
    """By entity id; none for what no held memory names."""
    wanted = {one.id: one for one in some}
    best = {key: ground.view.roster.ids[slot] for key in wanted if (slot := _best_slot(ground, key)) is not None}
    found = memories.get_many(ground.space.db, sorted(set(best.values())))
    made = {}
    for key, memory in best.items():
        if memory in found:
            names = (wanted[key].name, *wanted[key].aliases)
            text = wording.excerpt(_text_without_title(found[memory]), limit=_CHARS, around=names)
            made[key] = Words(memory, text, wording.language(text))
    return made


def _text_without_title(memory: Memory) -> str:
    """A section begins with its heading, which is not what it says."""
    text = wording.plain(memory.text)
    rest = text.removeprefix(memory.title.strip()).lstrip(" :–-")
    return rest or text


def slots_of(ground: Snapshot, key: str) -> NDArray[np.int32]:
    """Memories that count and refer to an entity, given by id; none for one that is no part of the graph."""
    code = ground.graph.code_of.get(key, -1)
    return ground.slots_of(code) if code >= 0 else np.zeros(0, dtype=np.int32)


def _best_slot(ground: Snapshot, key: str) -> int | None:
    slots = slots_of(ground, key)
    return int(slots[np.argmax(ground.trust[slots])]) if len(slots) else None


PAGE = 50
MOST_PAIRS = 500  # that are counted
_CALLED = 3  # other names that a row shows
TABS = {"all": "All", "alike": "Possible duplicates", "once": "Seen once", "nowhere": "No mentions"}
STATES = {EntityState.KNOWN: "known", EntityState.PROPOSED: "seen once", EntityState.REFUSED: "refused"}
_HEADS = (
    ("name", "Name", "c-name"),
    ("", "Type", "c-type"),
    ("memories", "Memories", "c-n num"),
    ("links", "Links", "c-n num"),
    ("newest", "Last seen", "c-age num"),
)


@dataclass(frozen=True, slots=True)
class Tab:
    key: str
    name: str
    count: str
    on: bool


@dataclass(frozen=True, slots=True)
class Line:
    """An entity in a list. `called`: its first other names, `called_more`: how many further ones; `words`: how a
    memory speaks of it, where that is shown."""

    id: str
    name: str
    lang: str
    type: str
    state: str
    called: tuple[str, ...]
    called_more: int
    memories: int
    links: int
    latest: datetime | None
    tags: list[Tag]
    words: Words | None


def tab_of(asked: QueryDict) -> str:
    """Raises BadInput."""
    tab = asked.get("tab") or "all"
    if tab not in TABS:
        raise BadInput(f"“{tab[:40]}” is not a tab. Known: {', '.join(TABS)}.", field="tab")
    return tab


def around_list(space: Space, tab: str, *, pairs: int | None = None) -> dict[str, Any]:
    """What stands above every tab: how many there are of what, and the tabs. `pairs` that wait, where that is known."""
    ground = snapshot_of(space)
    there = ground.standing & ground.spoken_of
    standing = [one for one, is_there in zip(ground.entities, there, strict=True) if is_there and one is not None]
    once = sum(one.state is EntityState.PROPOSED for one in standing)
    stands = [one for one in standing if one.state is EntityState.KNOWN]
    waiting = len(entity_pairs.waiting(space.db, limit=MOST_PAIRS)) if pairs is None else pairs
    nowhere = int(np.count_nonzero(there & (ground.memories == 0)))
    types = Counter(str(one.type) for one in stands)
    told = dict(zip(TABS, map(human.number, (len(stands), waiting, once, nowhere)), strict=True))
    if waiting == MOST_PAIRS:
        told["alike"] += "+"
    return {
        "tab": tab,
        "tabs": [Tab(key, name, told[key], key == tab) for key, name in TABS.items()],
        "standing": len(stands),
        "once": once,
        "types": types,
        "every_type": [*EntityType, *sorted(set(types) - set(EntityType))],
    }


def list_of(desk: Desk, asked: QueryDict) -> dict[str, Any]:
    """A tab that lists entities. Raises BadInput that names the parameter."""
    space, tab = desk.then, tab_of(asked)
    around = around_list(space, tab)
    sort = asked.get("sort") or ("newest" if tab in ("once", "nowhere") else "memories")
    found = graph.listing(
        space,
        text=asked.get("q", "").strip(),
        types=_types(asked),
        state=EntityState.PROPOSED if tab == "once" else None if tab == "nowhere" else _state(asked),
        orphans=tab == "nowhere",
        sort=sort,
        after=asked.get("after") or None,
        limit=PAGE,
    )
    action = reverse("entities")
    return {
        **around,
        "rows": _lines(space, found, tab),
        "sort": sort,
        "sorted_by": SORTS[sort],
        "heads": [Head(label, css, key, key == sort) for key, label, css in _HEADS],
        "chips": _chips(asked, tab),
        "adders": _adders(asked, tab, around["types"]),
        "action": action,
        "below": "&" + urlencode({"inherited_from": desk.inherited_from}) if desk.inherited_from else "",
        "clear": address(asked, only=("tab", "inherited_from", *NAMES)) or action,
        "pager": _pager(asked, found, sort),
    }


def _lines(space: Space, found: EntityPage, tab: str) -> list[Line]:
    """What was seen once is told with how it was seen: a name alone cannot be decided."""
    words = words_for(snapshot_of(space), [row.entity for row in found.items]) if tab == "once" else {}
    return [_line(row, words.get(row.entity.id), tab) for row in found.items]


def _line(row: EntityRow, words: Words | None, tab: str) -> Line:
    one = row.entity
    return Line(
        id=one.id,
        name=one.name,
        lang=wording.language(one.name),
        type=str(one.type),
        state=one.state.value,
        called=one.aliases[:_CALLED],
        called_more=max(len(one.aliases) - _CALLED, 0),
        memories=row.memories,
        links=row.links,
        latest=row.latest,
        tags=[] if tab == "once" else tags_of(one),
        words=words,
    )


def tags_of(one: Entity) -> list[Tag]:
    """What is to be said of its state; nothing of a known one."""
    if one.state is EntityState.PROPOSED:
        return [Tag(STATES[one.state], "caution")]
    return [Tag("refused", "superseded")] if one.state is EntityState.REFUSED else []


def _types(asked: QueryDict) -> tuple[str, ...]:
    return tuple(dict.fromkeys(type_named(text) for text in asked.getlist("type") if text.strip()))[:20]


def _states(asked: QueryDict) -> set[EntityState]:
    wanted = set(filter(None, asked.getlist("state")))
    if strange := sorted(wanted - set(EntityState)):
        raise BadInput(f"“{strange[0][:40]}” is not a state. Known: {', '.join(EntityState)}.", field="state")
    return {EntityState(text) for text in wanted}


def _state(asked: QueryDict) -> EntityState | None:
    """The one state asked for, known where none is; None for all that are no refused ones."""
    states = _states(asked)
    if EntityState.REFUSED in states and len(states) > 1:
        raise BadInput("Rejected entities are listed separately: filter by that state only.", field="state")
    if not states:
        return EntityState.KNOWN
    return next(iter(states)) if len(states) == 1 else None


def _chips(asked: QueryDict, tab: str) -> list[Chip]:
    chips = []
    if text := asked.get("q", "").strip():
        chips.append(Chip("Called", text[:80], address(asked, without=["q"])))
    if types := _types(asked):
        chips.append(Chip("Type", ", ".join(types), address(asked, without=["type"])))
    if tab != "once" and (states := _states(asked)):
        told = ", ".join(told for state, told in STATES.items() if state in states)
        chips.append(Chip("State", told, address(asked, without=["state"])))
    return chips


def _adders(asked: QueryDict, tab: str, types: Counter[str]) -> list[Adder]:
    def kept(own: str) -> list[tuple[str, str]]:
        left = (own, "after", "space")
        return [(name, value) for name, values in asked.lists() if name not in left for value in values if value]

    on = set(_types(asked))
    every = [*EntityType, *sorted((set(types) | on) - set(EntityType))]
    kinds = [(one, f"{one}, {human.number(types[one])}", one in on) for one in every]
    text = Field("q", "Part of a name", "text", asked.get("q", ""), "also searches other names")
    adders = [
        Adder("q", "Called", [], [text], kept("q")),
        Adder("type", "Type", kinds, [], kept("type")),
    ]
    if tab == "all":
        now = _states(asked)
        states = [(state.value, told, state in now) for state, told in STATES.items()]
        adders.append(Adder("state", "State", states, [], kept("state")))
    return adders


def _pager(asked: QueryDict, found: EntityPage, sort: str) -> Pager:
    count, every = len(found.items), human.count_text(found.total, "entity", "entities")
    shown = f"{human.number(count)} of {every}" if found.total > count else every
    return Pager(
        newer=address(asked) if asked.get("after") else "",
        older=address(asked, after=found.next) if found.next else "",
        shown=f"{shown}, {SORTS[sort]}",
        size=PAGE,
        back="First",
        on="Next",
    )


OFFERED = 12
_ID = re.compile(r"[0-9a-f]{16}")


def entity_of(space: Space, text: str, *, field: str) -> Entity:
    """The entity of this id, name or alias. Raises NotFound for an id, BadInput that points at `field` for a name."""
    text = text.strip()
    if _ID.fullmatch(text):
        return entities.get(space.db, text)
    normal = normal_form(text)
    if not normal:
        raise BadInput("Enter an entity.", field=field)
    known = entities.by_normals(space.db, [normal]).get(normal)
    spelled = lexicon_of(space.db).spelled.get(normal) if known is None else None
    if known is None and spelled is None:
        raise BadInput(f"Nothing is called “{text[:80]}”. Choose one of the suggested names.", field=field)
    return known or entities.get(space.db, spelled or "")


def types_of(space: Space) -> list[str]:
    """The types every space has, then those of the space's own."""
    own = {str(one.type) for one in snapshot_of(space).entities if one is not None}
    return [*EntityType, *sorted(own - set(EntityType))]


def relations_of(space: Space) -> list[str]:
    """The taxonomy, then the space's own types; without the hierarchy, which has its own place."""
    own = set(map(str, snapshot_of(space).relations.types))
    return [one for one in (*RelationType, *sorted(own - set(RelationType))) if one != RelationType.IS_A]


def sentence(relation: Relation, names: dict[str, str]) -> str:
    """ "Adam uses Terraform"."""
    one, other = (names.get(end, end) for end in (relation.subject, relation.object))
    return f"{one} {words_of(relation)} {other}"


def words_of(relation: Relation) -> str:
    """ "works on"; for what fits no type, as it was said."""
    if relation.type == RelationType.RELATED_TO and relation.label:
        return relation.label
    return str(relation.type).replace("_", " ")


def names_of(space: Space, relations: Iterable[Relation]) -> dict[str, str]:
    """Names of the ends, by id: those that the words of the memories bear."""
    ends = {end for one in relations for end in (one.subject, one.object)}
    return {key: one.name for key, one in entities.get_many(space.db, sorted(ends)).items()}
