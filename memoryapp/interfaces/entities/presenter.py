"""What the page of one entity shows: what it is called, what it is joined to, what names it, how it came to be so.

What became of an entity: each change of it, and of what was merged into it, in plain words, the last first.

Relations that were found in one memory, in words: what stands on its page under who and what is in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from memoryapp import graph
from memoryapp.domain.change import Revision
from memoryapp.domain.entity import Entity, EntityState
from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import Filters
from memoryapp.domain.relation import MadeBy, Relation, RelationState
from memoryapp.domain.scene import Card, Edge, EdgeKind, EdgeState, Scene
from memoryapp.interfaces.audit.revisions import ACTS, actor_name, field_text
from memoryapp.interfaces.entities.editing import PairLine
from memoryapp.interfaces.entities.editing import lines_of as pair_lines
from memoryapp.interfaces.entities.list_presenter import names_of, relations_of, sentence, tags_of, words_of
from memoryapp.interfaces.graph.table import Line, Mark, lines_of
from memoryapp.interfaces.memories.rows import Row, rows_of
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import Desk
from memoryapp.interfaces.pages.charts import ZOOMS, Bin, Density, density, read_day, zoom_for
from memoryapp.interfaces.pages.filters import address, moment_of
from memoryapp.interfaces.pages.paging import Pager
from memoryapp.search.browse import browse
from memoryapp.spaces import Space
from memoryapp.store import entities, relations, revisions
from memoryapp.store.write import plain

_SHOWN = 30
_SILENT = {"normal", "sightings"}
_FIELDS = {"aliases": "also called", "merged_into": "merged into"}
_STATES = {"proposed": "seen once"}
_ACTS = {**ACTS, "create": "first seen", "propose": "proposed again"}


@dataclass(frozen=True, slots=True)
class Change:
    """`of`: the name of another that this happened to, "" for the entity itself; `fields`: (name, before, after)."""

    id: str
    of: str
    who: str
    told: str
    reason: str
    at: datetime
    fields: list[tuple[str, str, str]]
    undoable: bool


def history_of(space: Space, one: Entity, merged: Sequence[Entity], *, you: str, may: bool) -> list[Change]:
    found = [
        (entity, revision)
        for entity in (one, *merged)
        for revision in revisions.of_record(space.db, entity.id)
        if revision.record == "entity" and (entity is one or "merged_into" in {**revision.before, **revision.after})
    ]
    found.sort(key=lambda pair: (pair[1].at, pair[1].version), reverse=True)
    names = _names(space, [revision for _, revision in found])
    return [
        Change(
            id=revision.id,
            of="" if entity is one else entity.name,
            who=actor_name(revision.actor, you=you),
            told=_ACTS.get(revision.act, revision.act),
            reason=revision.reason,
            at=revision.at,
            fields=_fields(revision, names),
            undoable=may and revision.act != "create" and _is_unchanged(entity, revision),
        )
        for entity, revision in found[:_SHOWN]
    ]


def _is_unchanged(entity: Entity, revision: Revision) -> bool:
    """Whether all that it changed is as it left it."""
    return all(plain(getattr(entity, name)) == value for name, value in revision.after.items())


def _names(space: Space, found: Sequence[Revision]) -> dict[str, str]:
    ids = {str(key) for one in found for values in (one.before, one.after) if (key := values.get("merged_into"))}
    return {key: one.name for key, one in entities.get_many(space.db, sorted(ids)).items()}


def _fields(revision: Revision, names: dict[str, str]) -> list[tuple[str, str, str]]:
    changed = dict.fromkeys((*revision.before, *revision.after))
    return [
        (_FIELDS.get(name, name), _value(revision.before.get(name), names), _value(revision.after.get(name), names))
        for name in changed
        if name not in _SILENT
    ]


def _value(value: Any, names: dict[str, str]) -> str:
    shown = field_text(value)
    return names.get(shown) or _STATES.get(shown) or shown


_MOST = 24
MADE_BY = {
    MadeBy.RULES: "found by rules",
    MadeBy.LLM: "found by a language model",
    MadeBy.ATOM: "said so in an atom",
    MadeBy.PERSON: "said so by a person",
}


@dataclass(frozen=True, slots=True)
class FoundIn:
    id: str
    subject: Entity
    words: str
    object: Entity
    by: str
    marks: list[Mark]


def found_in(space: Space, memory: str) -> list[FoundIn]:
    """Those that are not refused, oldest first; what leads to a refused entity is left out."""
    held = [one for one in relations.of_facts(space.db, [memory]) if one.state is RelationState.HELD]
    ends = entities.get_many(space.db, sorted({end for one in held for end in (one.subject, one.object)}))
    there = {key: one for key, one in ends.items() if one.state is not EntityState.REFUSED}
    return [
        FoundIn(one.id, there[one.subject], words_of(one), there[one.object], MADE_BY[one.made_by], marks_of(one))
        for one in held
        if one.subject in there and one.object in there
    ][:_MOST]


def marks_of(relation: Relation) -> list[Mark]:
    marks = [Mark("planned", "caution")] if relation.planned else []
    return [*marks, Mark("hint")] if relation.hint else marks


_MEMORIES = 20  # a page of them
_TIES = 24  # relations at first; all of the card on asking. Each is 1.3 KB of a page that is to stay below 100
_PAIRS = 3
_WORDS = 110  # characters of the memory that a relation was found in
_REFUSED = 20
KEYS = [
    ("e", "Edit its name, type and other names"),
    ("m", "Merge with another"),
    ("↵", "Open the memory"),
    ("j k", "Next, previous memory"),
    ("u", "Undo the last action"),
]


@dataclass(frozen=True, slots=True)
class Tie:
    """A relation of the entity with another: `relation` is the best of those that say it; `case`: address
    of the conflict that waits about it; `text`: of the `memory` it was found in."""

    line: Line
    other: str
    name: str
    type: str
    relation: str
    memory: str
    text: str
    case: str


@dataclass(frozen=True, slots=True)
class Ties:
    """All relations of one type, in one direction. `towards`: the others lead to the entity."""

    words: str
    towards: bool
    count: int
    ties: list[Tie]


@dataclass(frozen=True, slots=True)
class HierarchyRow:
    """What stands above or below it."""

    entity: Entity
    relation: str
    marks: list[Mark]
    fact: str


@dataclass(frozen=True, slots=True)
class CooccurringEntity:
    """Another that is named in the same memories."""

    id: str
    name: str
    type: str
    words: str


@dataclass(frozen=True, slots=True)
class MentionRow:
    """A memory that names the entity, with the role it has there ("" for a plain mention)."""

    row: Row
    role: str


@dataclass(frozen=True, slots=True)
class RefusedRelation:
    id: str
    told: str


def page_of(desk: Desk, key: str, asked: QueryDict) -> dict[str, Any]:
    """Everything the page shows, each from the room that knows it. Raises NotFound; BadInput that names the
    parameter."""
    space, as_of = desk.memory, moment_of(asked, "as_of")
    card = graph.card(space, key, as_of=as_of)
    may = desk.may.decide and as_of is None
    refused, pairs = ([], []) if as_of else (_refused_relations(space, card), _pairs(space, card))
    return {
        **head_of(card.entity),
        "card": card,
        "called": _other_names(card),
        "asof": as_of,
        "may": may,
        "page_keys": KEYS if may else [],
        "groups": _ties(space, card, every=asked.get("relations") == "all"),
        "ties_more": _hidden_relation_count(card, asked),
        "beside": _cooccurring_entities(card),
        "up": [_hierarchy_row(one, relation) for one, relation in card.up],
        "down": [_hierarchy_row(one, relation) for one, relation in card.down],
        "pairs": pairs,
        "relation_types": [kind.replace("_", " ") for kind in relations_of(space)] if may else [],
        "refused": refused,
        "history": history_of(space, card.entity, card.merged, you=desk.actor.name, may=may),
        **_timeline(card, asked, today=(as_of or space.clock()).date()),
        **_memories(space, card, asked, as_of),
    }


def refused_page_of(desk: Desk, one: Entity) -> dict[str, Any]:
    """The page of an entity that a person refused: no part of the graph, but it can be taken in again."""
    history = history_of(desk.memory, one, (), you=desk.actor.name, may=desk.may.decide)
    return {**head_of(one), "called": list(one.aliases), "may": desk.may.decide, "history": history, "out": True}


def head_of(one: Entity) -> dict[str, Any]:
    return {"entity": one, "lang": wording.language(one.name), "tagged": {"tags": tags_of(one)}}


def _other_names(card: Card) -> list[str]:
    """Its other names, those of what was merged into it among them."""
    names = chain(card.entity.aliases, *((one.name, *one.aliases) for one in card.merged))
    once = {name.casefold(): name for name in reversed([*names])}
    once.pop(card.entity.name.casefold(), None)
    return list(reversed(once.values()))


# ── what it is joined to


def _ties(space: Space, card: Card, *, every: bool) -> list[Ties]:
    """Those that lead away first, then those that come; the larger groups first."""
    edges = [edge for edge in card.edges if edge.kind is EdgeKind.RELATION]
    shown = edges if every else edges[:_TIES]
    names = {key: node.name for key, node in card.neighbours.items()} | {card.entity.id: card.entity.name}
    told = lines_of(space, Scene(nodes=(), edges=tuple(shown), total=0), names=names, limit=max(len(shown), 1))
    lines = {line.id: line for line in told}
    groups: dict[tuple[bool, str], list[Tie]] = {}
    counts: dict[tuple[bool, str], int] = {}
    for edge in edges:
        place = (edge.target == card.entity.id, edge.type.replace("_", " "))
        counts[place] = counts.get(place, 0) + 1
        if edge.id in lines:
            groups.setdefault(place, []).append(_tie(card, edge, lines[edge.id]))
    made = [Ties(words, towards, counts[towards, words], ties) for (towards, words), ties in groups.items()]
    return sorted(made, key=lambda one: (one.towards, -one.count, one.words))


def _tie(card: Card, edge: Edge, line: Line) -> Tie:
    other = edge.source if edge.target == card.entity.id else edge.target
    node = card.neighbours.get(other)
    return Tie(
        line=line,
        other=other,
        name=node.name if node else card.entity.name,
        type=node.type if node else str(card.entity.type),
        relation=edge.relations[0],
        memory=edge.facts[0] if edge.facts else "",
        text=wording.excerpt(edge.text, limit=_WORDS),
        case=line.href if edge.state is EdgeState.CONFLICT and "/conflicts/" in line.href else "",
    )


def _hidden_relation_count(card: Card, asked: QueryDict) -> int:
    edges = sum(edge.kind is EdgeKind.RELATION for edge in card.edges)
    return 0 if asked.get("relations") == "all" else max(edges - _TIES, 0)


def _cooccurring_entities(card: Card) -> list[CooccurringEntity]:
    found = []
    for edge in card.edges:
        if edge.kind is EdgeKind.TOGETHER:
            node = card.neighbours[edge.source if edge.target == card.entity.id else edge.target]
            words = human.count_text(round(edge.weight) or 1, "memory", "memories")
            found.append(CooccurringEntity(node.id, node.name, node.type, f"in {words}"))
    return found


def _hierarchy_row(one: Entity, relation: Relation) -> HierarchyRow:
    return HierarchyRow(one, relation.id, marks_of(relation), relation.fact or "")


def _refused_relations(space: Space, card: Card) -> list[RefusedRelation]:
    """Relations that a person refused, the last first."""
    found = relations.refused_of(space.db, [card.entity.id, *(one.id for one in card.merged)])
    gone = list(reversed(found))[:_REFUSED]
    names = names_of(space, gone)
    return [RefusedRelation(one.id, sentence(one, names)) for one in gone]


def _pairs(space: Space, card: Card) -> list[PairLine]:
    return pair_lines(space, tuple(pair for pair, _ in card.alike[:_PAIRS]))


# ── what names it


def _memories(space: Space, card: Card, asked: QueryDict, as_of: datetime | None) -> dict[str, Any]:
    found = browse(
        space,
        Filters(entities=(card.entity.id,), as_of=as_of),
        sort="trust",
        after=asked.get("after", ""),
        before=asked.get("before", ""),
        limit=_MEMORIES,
    )
    roles = _roles(space, card.entity.id, [one.id for one in found.memories])
    every = human.count_text(found.total, "memory", "memories")
    shown = f"{human.number(len(found.memories))} of {every}" if found.total > len(found.memories) else every
    return {
        "named": [MentionRow(row, roles.get(row.id, "")) for row in rows_of(space, found.memories)],
        "named_total": found.total,
        "episodes": rows_of(space, card.episodes),
        "pager": Pager(
            newer=address(asked, before=found.first) if found.newer and found.first else "",
            older=address(asked, after=found.last) if found.older else "",
            shown=f"{shown}, most trusted first",
            size=_MEMORIES,
            back="Previous",
            on="Next",
        ),
    }


def _roles(space: Space, key: str, ids: Iterable[str]) -> dict[str, str]:
    """By memory: the role of the entity there that weighs most, where it is more than a mention."""
    view = space.index.view()
    roles = {}
    for memory in ids:
        slot = view.roster.slot(memory)
        mine = [] if slot is None else [(w, role) for one, role, w in view.incidence.of(slot) if one.id == key]
        told = [(weight, role) for weight, role in mine if role != "mention"]
        if told:
            roles[memory] = max(told)[1]
    return roles


def _timeline(card: Card, asked: QueryDict, *, today: date) -> dict[str, Any]:
    """How many memories name it, over time; nothing where all came on one day."""
    days = [(moment.date(), count) for moment, count in card.days]
    zoom = asked.get("zoom") or _closest_zoom(days, today=today)
    if zoom not in ZOOMS:
        raise BadInput(f"“{zoom[:20]}” is not a zoom level. Known: {', '.join(ZOOMS)}.", field="zoom")
    if len(days) < 2:
        return {"chart": None}
    at = read_day(asked.get("at", ""), "at")
    chart = density(days, zoom=zoom, today=max(today, days[-1][0]), at=at, of=("memory", "memories"))
    return {
        "chart": chart,
        "bars": _bars(chart, card),
        "zooms": [(key, name, key == zoom) for key, name in ZOOMS.items()],
    }


def _closest_zoom(days: list[tuple[date, int]], *, today: date) -> str:
    """The closest zoom that shows most of its memories: one of long ago does not flatten all the others."""
    late = sum(count for _, count in days) / 4
    while len(days) > 1 and days[0][1] <= late:
        late -= days[0][1]
        days = days[1:]
    return zoom_for(days, today=today)


def _bars(chart: Density, card: Card) -> list[tuple[Bin, str]]:
    """Each bin with the address of the memories that it counts."""
    listed, entity = reverse("memories"), card.entity.id

    def address_of(one: Bin) -> str:
        last = one.end - timedelta(days=1)
        return f"{listed}?" + urlencode({"entity": entity, "since": one.first.isoformat(), "until": last.isoformat()})

    return [(one, address_of(one) if one.count else "") for one in chart.bins]
