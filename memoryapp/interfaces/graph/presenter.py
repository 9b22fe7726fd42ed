"""What stands around the drawing: the sentence at its head, the legend, the table, the path in words.

One entity beside the drawing: what it is called, what is known of it, and what may be done to it.

What is shown, as chips: where one looks, what is narrowed and by how much, and what may be chosen or added.

When memories came, as bars beneath a slider: what the explorer goes back in time by.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memoryapp import graph
from memoryapp.domain.entity import Alike, Entity
from memoryapp.domain.scene import Card, EdgeKind, EntityRow, Scene
from memoryapp.interfaces.graph.scene import (
    COLOURS,
    LIMIT,
    LIMITS,
    SIZES,
    STEPS,
    SceneView,
    relations_of,
    types_of,
    without_off,
)
from memoryapp.interfaces.graph.table import PAGE, Line, lines_of, told_total, words_of
from memoryapp.interfaces.memories.rows import Row, rows_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import Desk
from memoryapp.interfaces.pages.filters import MOVING, Adder, Chip, Field, address
from memoryapp.spaces import Space
from memoryapp.store import entities, entity_pairs

_MEMORIES = 3
_EDGES = 8
_SPARK = 40
_PANEL_HEIGHT = 20.0
_PAIRS = 3
_MEMBERS = 8  # of a community, in its panel
_NAMES = 8  # that the search within the drawing offers
_OFFERED = 4  # of each kind, before anything is typed


@dataclass(frozen=True, slots=True)
class Tick:
    x: float
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class Spark:
    """Memories that name it over time; `headline_text` says the same in words."""

    ticks: list[Tick]
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Pair:
    """Two that may be one. `one` would stay."""

    alike: Alike
    one: Entity
    other: Entity


def panel_of(space: Space, key: str, *, as_of: datetime | None) -> dict[str, Any]:
    """Raises NotFound."""
    card = graph.card(space, key, as_of=as_of)
    rows: list[Row] = rows_of(space, [memory for memory, _ in card.memories[:_MEMORIES]])
    return {
        "card": card,
        "entity": card.entity,
        "called": _other_names(card),
        "rows": rows,
        "relations": _relations(space, card),
        "relations_more": max(len(card.edges) - _EDGES, 0),
        "spark": spark(card.days),
        "asof": as_of,
    }


def _other_names(card: Card) -> list[str]:
    """Its other names, those of what was merged into it among them."""
    names = [*card.entity.aliases]
    for one in card.merged:
        names += [one.name, *one.aliases]
    told = {name.casefold(): name for name in reversed(names)}  # of two spellings the first
    told.pop(card.entity.name.casefold(), None)
    return list(reversed(told.values()))


def _relations(space: Space, card: Card) -> list[Line]:
    names = {key: node.name for key, node in card.neighbours.items()} | {card.entity.id: card.entity.name}
    scene = Scene(nodes=(), edges=card.edges, total=0)
    return lines_of(space, scene, names=names, limit=_EDGES)


def spark(days: tuple[tuple[datetime, int], ...]) -> Spark | None:
    """Bars of the memories that name it, from the first day to the last. None where all came on one day."""
    if len(days) < 2:
        return None
    first, last = days[0][0], days[-1][0]
    span = max((last - first) / timedelta(days=1), 1e-9)
    counts = [0] * _SPARK
    for day, count in days:
        counts[min(int((day - first) / timedelta(days=1) / span * _SPARK), _SPARK - 1)] += count
    most = max(counts)
    tall = [round(max(_PANEL_HEIGHT * count / most, 2.0), 1) if count else 0.0 for count in counts]
    return Spark([Tick(n * 5, _PANEL_HEIGHT - h, h) for n, h in enumerate(tall) if h], first.date(), last.date())


def pairs_of(space: Space, near: frozenset[str]) -> tuple[list[Pair], int]:
    """The pairs that wait, those of the scene first, at most three; and how many there are."""
    waiting = entity_pairs.waiting(space.db)
    ranked = sorted(waiting, key=lambda one: not (one.one in near or one.other in near))[:_PAIRS]
    found = entities.get_many(space.db, [key for one in ranked for key in (one.one, one.other)])
    pairs = [Pair(one, found[one.one], found[one.other]) for one in ranked if one.one in found and one.other in found]
    return pairs, len(waiting)


def community_of(space: Space, number: int, *, as_of: datetime | None) -> dict[str, Any]:
    """Raises NotFound."""
    scene = graph.community(space, number, limit=500, as_of=as_of, texts=False)
    members = sorted(scene.nodes, key=lambda node: (-node.links, -node.memories, node.name))
    return {
        "number": number,
        "title": ", ".join(node.name for node in members[:2]),
        "members": members[:_MEMBERS],
        "size": sum(scene.types.values()),
        "types": list(scene.types.items()),
        "notes": scene.notes,
    }


def names_of(space: Space, text: str) -> list[tuple[str, list[EntityRow]]]:
    """Headed lists of entities to enter the graph by, none twice."""
    if text:
        return [("", list(graph.listing(space, text=text, limit=_NAMES).items))]
    best = graph.listing(space, sort="links", limit=_OFFERED).items
    known = {row.entity.id for row in best}
    last = [row for row in graph.listing(space, sort="newest", limit=2 * _OFFERED).items if row.entity.id not in known]
    return [(head, rows) for head, rows in (("Most connected", list(best)), ("Recent", last[:_OFFERED])) if rows]


MADE = ("more", "hide", "at")  # what was done to the drawing since


@dataclass(frozen=True, slots=True)
class Choice:
    """A chip that opens a menu of links: (label, address, whether it is the one)."""

    key: str
    label: str
    value: str
    options: list[tuple[str, str, bool]]


def chips_of(shown: SceneView, query: QueryDict) -> list[Chip]:  # noqa: C901 - a line a filter
    asked, scene, chips = shown.asked, shown.scene, []

    def chip(label: str, value: str, *names: str) -> None:
        chips.append(Chip(label, value[:120], address(query, without=names)))

    if shown.ends:
        chip("Path", f"{shown.name(shown.ends[0])} → {shown.name(shown.ends[1])}", "path", *MADE)
    elif asked.community is not None:
        chip("Community", _called_by(scene) or str(asked.community), "community", *MADE)
    elif asked.starts:
        chip("Start", ", ".join(shown.name(key) for key in scene.starts), "start", *MADE)
    elif asked.memory:
        chip("Memory", asked.memory, "memory", *MADE)
    elif asked.text:
        chip("Search", asked.text, "q", *MADE)
    if asked.types:
        chip("Types", ", ".join(asked.types), "types")
    if asked.relations:
        chip("Relation", ", ".join(name.replace("_", " ") for name in asked.relations), "relations")
    if asked.trust:
        chip("Trust at least", f"{asked.trust:.2f}", "trust")
    if asked.more:
        chip("Expanded", human.number(len(asked.more)), "more")
    if asked.hidden:
        chip("Hidden", human.number(len(asked.hidden)), "hide")
    return chips


def _called_by(scene: Scene) -> str:
    """The two of its entities that are joined best."""
    best = sorted(scene.nodes, key=lambda node: (-node.links, -node.memories, node.name))
    return ", ".join(node.name for node in best[:2])


def choices_of(shown: SceneView, query: QueryDict) -> list[Choice]:
    """What always has one of a few values. How many at most is asked where there were more."""
    asked, scene = shown.asked, shown.scene

    def options(name: str, values: dict[str, str], now: str) -> list[tuple[str, str, bool]]:
        return [(label, address(query, **{name: value}), value == now) for value, label in values.items()]

    choices = []
    if scene.starts and not asked.path:
        steps = {str(n): human.count_text(n, "step") for n in STEPS}
        choices.append(Choice("steps", "Steps", str(asked.steps), options("steps", steps, str(asked.steps))))
    if not shown.everything and not asked.path and (len(scene.nodes) >= asked.limit or asked.limit != LIMIT):
        limits = {str(n): f"{n} entities" for n in LIMITS}
        choices.append(Choice("limit", "At most", str(asked.limit), options("limit", limits, str(asked.limit))))
    if shown.overview:
        return choices
    choices.append(Choice("colour", "Colour", COLOURS[asked.colour], options("colour", COLOURS, asked.colour)))
    choices.append(Choice("size", "Size", SIZES[asked.size], options("size", SIZES, asked.size)))
    return choices


def adders_of(shown: SceneView, query: QueryDict) -> list[Adder]:
    """What the scene may be narrowed by."""

    def kept(*own: str) -> list[tuple[str, str]]:
        left = (*own, *MOVING, "at")
        return [(name, value) for name, values in query.lists() if name not in left for value in values if value]

    asked, adders = shown.asked, []
    if not shown.overview:
        trust = Field("trust", "Trust at least", "number", f"{asked.trust:g}" if asked.trust else "", "0 to 1.35")
        adders.append(Adder("trust", "Trust at least", [], [trust], kept("trust")))
    return adders


BARS = 60
_HEIGHT = 24.0
_LEAST = 2.0


@dataclass(frozen=True, slots=True)
class Bar:
    n: int
    x: float
    y: float
    height: float
    past: bool


@dataclass(frozen=True, slots=True)
class Time:
    """`begin`, `end`: epoch seconds at the slider's ends; its steps are 0–`steps`, and it stands at `value`."""

    bars: list[Bar]
    begin: int
    end: int
    value: int
    steps: int
    as_of: datetime | None

    @property
    def first(self) -> datetime:
        """The moment at the slider's left end."""
        return datetime.fromtimestamp(self.begin, UTC)

    @property
    def last(self) -> datetime:
        return datetime.fromtimestamp(self.end, UTC)

    @property
    def short(self) -> bool:
        """Whether its ends are told apart by their hours only."""
        return self.end - self.begin < 2 * 86_400


_STEPS = 300


def time_of(space: Space, as_of: datetime | None) -> Time | None:
    """None where all came within the same minute, so that there is nothing to go back to."""
    roster = space.index.roster
    came = np.fmin(roster.created, roster.occurred)[roster.alive]  # as the past is reckoned: index.roster
    came = came[~np.isnan(came)]
    end = space.clock().timestamp()
    begin = float(came.min()) if len(came) else end
    if end - begin < 60:
        return None
    counts, _ = np.histogram(came, bins=BARS, range=(begin, end))
    value = _STEPS if as_of is None else round((as_of.timestamp() - begin) / (end - begin) * _STEPS)
    value = min(max(value, 0), _STEPS)
    # One day on which everything was read in would flatten all others: heights go by the square root.
    tall = np.sqrt(counts / max(int(counts.max()), 1)) * _HEIGHT
    bars = []
    for n in range(BARS):
        height = round(max(float(tall[n]), _LEAST), 1) if counts[n] else 0.5
        bars.append(Bar(n, n * 5, round(_HEIGHT - height, 1), height, n * _STEPS <= value * BARS))
    return Time(bars, int(begin), int(end), value, _STEPS, as_of)


_MOST_ROWS = 4_000
KEYS = [
    ("← ↑ → ↓", "Next entity in that direction, when the graph has focus"),
    ("↵", "Expand; open a community"),
    ("⌫", "Hide"),
    ("s", "Start here"),
    ("p", "Mark as path end (press twice)"),
    ("+ −", "Zoom"),
    ("f", "Fit to view"),
    ("w", "Full screen"),
    ("/", "Find an entity"),
    ("esc", "Clear selection"),
]


@dataclass(frozen=True, slots=True)
class TypeLine:
    """`on`: of an entity's type, that only such are shown; of a relation's, that it is drawn."""

    type: str
    count: int
    on: bool

    @property
    def words(self) -> str:
        known = {"together": "mentioned together", "is_a": "is a"}
        return known.get(self.type, self.type.replace("_", " "))


@dataclass(frozen=True, slots=True)
class StepLine:
    """`back`: the relation goes the other way; `both`: it goes neither."""

    words: str
    back: bool
    both: bool
    key: str
    name: str
    type: str
    text: str
    href: str
    edge: str


def page_of(desk: Desk, shown: SceneView, query: QueryDict, *, rows: int = PAGE) -> dict[str, Any]:
    """All that the page, or what is drawn anew beside the graph, is made of."""
    space, scene, asked = desk.memory, shown.scene, shown.asked
    rows = min(max(rows, PAGE), _MOST_ROWS)
    names = {str(one.number): ", ".join(one.names[:2]) for one in scene.communities} if scene.far else {}
    drawn = without_off(scene, asked)
    pairs, waiting = pairs_of(space, frozenset(node.id for node in scene.nodes)) if asked.as_of is None else ([], 0)
    ends = (*scene.starts, *([asked.at] if asked.at else []))
    return {
        "shown": shown,
        "scene": scene,
        "asked_for": asked,
        "asof": asked.as_of,
        "may": desk.may.decide and asked.as_of is None,
        "told": headline_text(shown, desk.space.name),
        "about": ", ".join(shown.name(key) for key in scene.starts) or desk.space.name,
        "chips": chips_of(shown, query),
        "choices": choices_of(shown, query),
        "adders": adders_of(shown, query),
        "action": reverse("graph"),
        "clear": address(query, only=("inherited_from",)) or reverse("graph"),
        "lines": lines_of(space, drawn, names=names, first=ends, limit=rows),
        "lines_more": min(len(drawn.edges), _MOST_ROWS) - rows if len(drawn.edges) > rows else 0,
        "lines_told": told_total(drawn),
        "types": [TypeLine(name, count, name in asked.types) for name, count in types_of(scene).items()],
        "kinds": []
        if shown.overview
        else [TypeLine(name, count, name not in asked.off) for name, count in relations_of(scene).items()],
        "once": address(query, once="hide" if scene.shows_once else "show"),
        "states": {edge.state.value for edge in scene.edges},
        "hints": any(edge.hint and edge.kind is EdgeKind.RELATION for edge in scene.edges),
        "grounds": shown.overview or len(scene.communities) > 1,
        "pairs": pairs,
        "pairs_waiting": waiting,
        "time": time_of(space, asked.as_of),
        "route": route_of(shown),
        "told_from": shown.name(shown.ends[0]) if shown.ends else "",
        "query": query.urlencode(),
        **_panel(space, shown),
    }


def _panel(space: Space, shown: SceneView) -> dict[str, Any]:
    """Of what is chosen, else of where the scene starts."""
    there = {node.id for node in shown.scene.nodes}
    key = shown.asked.at or next(iter(shown.scene.starts), "")
    return panel_of(space, key, as_of=shown.asked.as_of) if key in there else {}


def headline_text(shown: SceneView, space: str) -> SafeString:
    """The sentence at the head."""
    scene, asked = shown.scene, shown.asked
    count, total = human.number(len(scene.nodes)), human.count_text(scene.total, "entity", "entities")
    if shown.ends:
        one, other = (shown.name(key) for key in shown.ends)
        if shown.steps:
            steps = f"{human.in_words(len(shown.steps))} {'step' if len(shown.steps) == 1 else 'steps'}"
            return format_html("From <b>{}</b> to <b>{}</b> in {}, with neighbours.", one, other, steps)
        return format_html("No path of up to six steps connects <b>{}</b> and <b>{}</b>.", one, other)
    if shown.lost:
        what = f"“{asked.text[:80]}”" if asked.text else "this memory"
        return format_html("<b>{}</b> mentions no entity: this is the whole graph, {}.", what, total)
    if shown.overview:
        groups = human.count_text(len(scene.communities), "community", "communities")
        return format_html("{} in {}. Zoom in or click one to open it.", total, groups)
    if asked.community is not None:
        return format_html("The community of <b>{}</b>: {} of {}.", _called_by(scene), count, total)
    if shown.everything:
        if len(scene.nodes) == scene.total:
            return format_html("All {} of <b>{}</b>.", total, space)
        return format_html("{} of {} of <b>{}</b>.", count, total, space)
    around = ", ".join(shown.name(key) for key in scene.starts[:3]) + (" …" if len(scene.starts) > 3 else "")
    steps = f"{human.in_words(asked.steps)} {'step' if asked.steps == 1 else 'steps'} out"
    return format_html("Around <b>{}</b>: {} of {}, {}.", around, count, total, steps)


def route_of(shown: SceneView) -> list[StepLine]:
    """The steps of the path in words."""
    lines, at = [], shown.ends[0] if shown.ends else ""
    for step in shown.steps:
        edge, node = step.edge, step.node
        both = edge.kind is EdgeKind.TOGETHER
        back = not both and edge.source != at
        href = reverse("memory", args=[edge.facts[0]]) if edge.facts else ""
        lines.append(StepLine(words_of(edge), back, both, node.id, node.name, node.type, edge.text, href, edge.id))
        at = node.id
    return lines
