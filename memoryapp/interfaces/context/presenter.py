"""What the prompt context of a message holds, as its page shows it: layers, items, and the marks in the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from memoryapp.context import LayerName, PromptContext
from memoryapp.interfaces.pages import human, wording

_CITED = re.compile(r"^\[(\d+)\]", re.MULTILINE)
LAYER_NAMES = {
    LayerName.SUMMARIES: "Summaries",
    LayerName.TREE: "Context Tree",
    LayerName.FACTS: "Facts",
    LayerName.EXPERIENCES: "Experiences",
    LayerName.KNOWLEDGE: "Notes and documents",
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of the text as they stand; with an address where they are a citation."""

    text: str
    href: str = ""


@dataclass(frozen=True, slots=True)
class ItemShown:
    number: int
    href: str
    words: str
    lang: str
    tokens: int
    why: str
    kind: str
    cut: bool
    inherited: str


@dataclass(frozen=True, slots=True)
class LayerShown:
    """`x` and `width` of its stretch in a bar of 1,000 units that stands for the budget; `hue` of its series."""

    name: str
    hue: int
    tokens: int
    x: float
    width: float
    left_out: int
    items: list[ItemShown]


@dataclass(frozen=True, slots=True)
class ContextPreview:
    stretches: list[Stretch]
    layers: list[LayerShown]
    frame: int  # tokens of what stands around the layers
    frame_x: float
    frame_width: float
    found: PromptContext

    @property
    def empty(self) -> bool:
        return not any(layer.items for layer in self.layers)

    @property
    def told(self) -> str:
        parts = [f"{layer.name} {human.number(layer.tokens)}" for layer in self.layers if layer.tokens]
        return f"{human.number(self.found.tokens)} of {human.number(self.found.budget)} tokens: {', '.join(parts)}"


def preview_of(found: PromptContext) -> ContextPreview:
    layers, x = [], 0.0
    for hue, layer in enumerate(found.layers, start=1):
        width = _share(layer.tokens, found.budget)
        items = [_item(one) for one in layer.items]
        name = LAYER_NAMES[LayerName(layer.name)]
        layers.append(LayerShown(name, hue, layer.tokens, x, width, layer.left_out, items))
        x = round(x + width, 1)
    frame = max(found.tokens - sum(layer.tokens for layer in found.layers), 0)
    return ContextPreview(_stretches(found), layers, frame, x, _share(frame, found.budget), found)


def _share(tokens: int, budget: int) -> float:
    return round(1000 * tokens / budget, 1) if budget else 0.0


def _item(one: Any) -> ItemShown:
    words = one.text.split("] ", 1)[-1]
    return ItemShown(
        number=one.number,
        # A memory of a parent space has its page there; here it is only told.
        href="" if one.inherited_from else reverse("memory", args=[one.memory.id]),
        words=words,
        lang=wording.language(words),
        tokens=one.tokens,
        why=one.why,
        kind=one.memory.kind.value,
        cut=one.cut,
        inherited=one.inherited_from or "",
    )


def _stretches(found: PromptContext) -> list[Stretch]:
    """The text, whole: put together again it is the text, letter by letter."""
    mine = {
        item.number: item.memory.id for layer in found.layers for item in layer.items if item.inherited_from is None
    }
    out: list[Stretch] = []
    end = 0
    for cited in _CITED.finditer(found.text):
        key = mine.get(int(cited[1]))
        out += [Stretch(found.text[end : cited.start()])]
        out.append(Stretch(cited[0], reverse("memory", args=[key]) if key else ""))
        end = cited.end()
    return [stretch for stretch in (*out, Stretch(found.text[end:])) if stretch.text]
