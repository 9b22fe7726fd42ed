"""What is shown, as chips: where one looks, what is narrowed and by how much, and what may be chosen or added."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from memoryapp.web import human
from memoryapp.web.chips import MOVING, Adder, Chip, Field, address
from memoryapp.web.graph_asked import COLOURS, LIMIT, LIMITS, SIZES, STEPS
from memoryapp.web.scene import Shown, relations_of

MADE = ("more", "hide", "at")  # what was done to the drawing since


@dataclass(frozen=True, slots=True)
class Choice:
    """A chip that opens a menu of links: (label, address, whether it is the one)."""

    key: str
    label: str
    value: str
    options: list[tuple[str, str, bool]]


def chips_of(shown: Shown, query: QueryDict) -> list[Chip]:
    asked, scene, chips = shown.asked, shown.scene, []

    def chip(label: str, value: str, *names: str) -> None:
        chips.append(Chip(label, value[:120], address(query, without=names)))

    if shown.ends:
        chip("Path", f"{shown.name(shown.ends[0])} → {shown.name(shown.ends[1])}", "path", *MADE)
    elif asked.community is not None:
        chip("Community", str(asked.community), "community", *MADE)
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


def choices_of(shown: Shown, query: QueryDict) -> list[Choice]:
    """What always has one of a few values. How many at most is asked where there were more."""
    asked, scene = shown.asked, shown.scene

    def options(name: str, values: dict[str, str], now: str) -> list[tuple[str, str, bool]]:
        return [(label, address(query, **{name: value}), value == now) for value, label in values.items()]

    choices = []
    if scene.starts and not asked.path:
        steps = {str(n): human.counted(n, "step") for n in STEPS}
        choices.append(Choice("steps", "Steps", str(asked.steps), options("steps", steps, str(asked.steps))))
    if not shown.everything and not asked.path and (len(scene.nodes) >= asked.limit or asked.limit != LIMIT):
        limits = {str(n): f"{n} entities" for n in LIMITS}
        choices.append(Choice("limit", "At most", str(asked.limit), options("limit", limits, str(asked.limit))))
    if shown.overview:
        return choices
    choices.append(Choice("colour", "Colour", COLOURS[asked.colour], options("colour", COLOURS, asked.colour)))
    choices.append(Choice("size", "Size", SIZES[asked.size], options("size", SIZES, asked.size)))
    return choices


def adders_of(shown: Shown, query: QueryDict) -> list[Adder]:
    """What the scene may be narrowed by."""

    def kept(*own: str) -> list[tuple[str, str]]:
        left = (*own, *MOVING, "at")
        return [(name, value) for name, values in query.lists() if name not in left for value in values if value]

    asked, adders = shown.asked, []
    found = {**dict.fromkeys(asked.relations, 0), **relations_of(shown.scene)}
    if len(found) > 1 and not shown.overview:
        relations = [(name, f"{name.replace('_', ' ')}", name in asked.relations) for name in found]
        adders.append(Adder("relations", "Relation", relations, [], kept("relations")))
    if not shown.overview:
        trust = Field("trust", "Trust at least", "number", f"{asked.trust:g}" if asked.trust else "", "0 to 1.35")
        adders.append(Adder("trust", "Trust at least", [], [trust], kept("trust")))
    return adders
