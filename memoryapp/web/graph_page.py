"""What stands around the drawing: the sentence at its head, the legend, the table, the path in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memoryapp.domain.scene import EdgeKind
from memoryapp.spaces import Space
from memoryapp.web import human
from memoryapp.web.access import Desk
from memoryapp.web.chips import address
from memoryapp.web.graph_chips import adders_of, chips_of, choices_of
from memoryapp.web.graph_panel import pairs_of, panel_of
from memoryapp.web.graph_table import PAGE, lines_of, told_total, words_of
from memoryapp.web.graph_time import time_of
from memoryapp.web.scene import Shown, types_of

_MOST_ROWS = 4_000
KEYS = [
    ("← ↑ → ↓", "Next entity in that direction, when the graph has focus"),
    ("↵", "Expand"),
    ("⌫", "Hide"),
    ("s", "Start here"),
    ("p", "Mark as path end (press twice)"),
    ("+ −", "Zoom"),
    ("f", "Fit to view"),
    ("esc", "Clear selection"),
]


@dataclass(frozen=True, slots=True)
class TypeLine:
    type: str
    count: int
    on: bool


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


def page_of(desk: Desk, shown: Shown, query: QueryDict, *, rows: int = PAGE) -> dict[str, Any]:
    """All that the page, or what is drawn anew beside the graph, is made of."""
    space, scene, asked = desk.memory, shown.scene, shown.asked
    rows = min(max(rows, PAGE), _MOST_ROWS)
    names = {str(one.number): ", ".join(one.names[:2]) for one in scene.communities}
    pairs, waiting = pairs_of(space, frozenset(node.id for node in scene.nodes)) if asked.as_of is None else ([], 0)
    ends = (*scene.starts, *([asked.at] if asked.at else []))
    return {
        "shown": shown,
        "scene": scene,
        "asked_for": asked,
        "asof": asked.as_of,
        "may": desk.may.decide and asked.as_of is None,
        "told": told(shown, desk.space.name),
        "about": ", ".join(shown.name(key) for key in scene.starts) or desk.space.name,
        "chips": chips_of(shown, query),
        "choices": choices_of(shown, query),
        "adders": adders_of(shown, query),
        "action": reverse("graph"),
        "clear": address(query, only=("inherited_from",)) or reverse("graph"),
        "lines": lines_of(space, scene, names=names, first=ends, limit=rows),
        "lines_more": min(len(scene.edges), _MOST_ROWS) - rows if len(scene.edges) > rows else 0,
        "lines_told": told_total(scene),
        "types": [
            TypeLine(name, count, not asked.types or name in asked.types) for name, count in types_of(scene).items()
        ],
        "states": {edge.state.value for edge in scene.edges},
        "together": any(edge.kind is EdgeKind.TOGETHER for edge in scene.edges),
        "hints": any(edge.hint and edge.kind is EdgeKind.RELATION for edge in scene.edges),
        "grounds": len({node.community for node in scene.nodes if node.community is not None}) > 1,
        "pairs": pairs,
        "pairs_waiting": waiting,
        "time": time_of(space, asked.as_of),
        "route": route_of(shown),
        "told_from": shown.name(shown.ends[0]) if shown.ends else "",
        "query": query.urlencode(),
        **_panel(space, shown),
    }


def _panel(space: Space, shown: Shown) -> dict[str, Any]:
    """Of what is chosen, else of where the scene starts."""
    there = {node.id for node in shown.scene.nodes}
    key = shown.asked.at or next(iter(shown.scene.starts), "")
    return panel_of(space, key, as_of=shown.asked.as_of) if key in there else {}


def told(shown: Shown, space: str) -> SafeString:
    """The sentence at the head."""
    scene, asked = shown.scene, shown.asked
    count, total = human.number(len(scene.nodes)), human.counted(scene.total, "entity", "entities")
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
        groups = human.counted(len(scene.communities), "community", "communities")
        return format_html("{} in {}. Click one to open it.", total, groups)
    if asked.community is not None:
        best = sorted(scene.nodes, key=lambda node: -node.links)[:3]
        return format_html("The community of <b>{}</b>: {} of {}.", ", ".join(n.name for n in best), count, total)
    if shown.everything:
        if len(scene.nodes) == scene.total:
            return format_html("All {} of <b>{}</b>.", total, space)
        return format_html("{} of {} of <b>{}</b>.", count, total, space)
    around = ", ".join(shown.name(key) for key in scene.starts[:3]) + (" …" if len(scene.starts) > 3 else "")
    steps = f"{human.in_words(asked.steps)} {'step' if asked.steps == 1 else 'steps'} out"
    return format_html("Around <b>{}</b>: {} of {}, {}.", around, count, total, steps)


def route_of(shown: Shown) -> list[StepLine]:
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
