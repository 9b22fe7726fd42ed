"""Context preview: exactly what an agent would be given for a message, with its citations as links, the tokens by
layer, and the call that gets it. Looking counts as no access.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.views.decorators.http import require_GET

from memoryapp.context import LayerName, PromptContext, prompt_context
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.pages.clock import RECORDED
from memoryapp.interfaces.pages.filters import moment_of, whole_number

_CITED = re.compile(r"^\[(\d+)\]", re.MULTILINE)
NAMES = {
    LayerName.SUMMARIES: "Summaries",
    LayerName.TREE: "Context Tree",
    LayerName.FACTS: "Facts",
    LayerName.EXPERIENCES: "Experiences",
    LayerName.KNOWLEDGE: "Notes and documents",
}
_MOST = 8_000  # tokens at the end of the slider; the address may ask for more
_MOST_ASKED = 200_000


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
        name = NAMES[LayerName(layer.name)]
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


def curl_of(
    root: str,
    *,
    space: str,
    message: str,
    budget: int | None,
    facts: int | None,
    as_of: datetime | None,
    layers: Sequence[str],
) -> str:
    """The call of the API that gives the same, to be pasted into a shell that has the key in $PALIMPSEST_KEY."""
    body: dict[str, Any] = {"message": message}
    if budget is not None:
        body["budget"] = budget
    if facts is not None:
        body["facts"] = facts
    if as_of is not None:
        body["as_of"] = as_of.isoformat()
    if layers:
        body["layers"] = list(layers)
    return (
        f"curl {shlex.quote(f'{root}api/v1/context')} \\\n"
        f'  -H "Authorization: Bearer $PALIMPSEST_KEY" -H {shlex.quote(f"X-Space: {space}")} \\\n'
        f"  -H 'Content-Type: application/json' \\\n"
        f"  -d {shlex.quote(json.dumps(body, ensure_ascii=False))}"
    )


@require_GET
@page(follows=RECORDED)
def context_page(request: PageRequest) -> HttpResponse:
    """The address is the only state. htmx is given the answer alone."""
    space, asked = request.desk.memory, request.GET
    message, tuning = asked.get("m", "").strip(), space.tuning
    budget = _read_integer(asked, "budget", most=_MOST_ASKED)
    facts = _read_integer(asked, "facts", most=100)
    layers, as_of = [one for one in asked.getlist("layer") if one], moment_of(asked, "as_of")
    context: dict[str, Any] = {
        "message": message,
        "budget": tuning.context_tokens if budget is None else budget,
        "most": max(_MOST, budget or 0, tuning.context_tokens),
        "facts": tuning.context_facts if facts is None else facts,
        "layers": [(one.value, NAMES[one], not layers or one.value in layers) for one in LayerName],
    }
    if message:
        found = prompt_context(space, message, budget=budget, as_of=as_of, layers=layers or None, facts=facts)
        context["given"] = preview_of(found)
        context["curl"] = curl_of(
            request.build_absolute_uri("/"),
            space=request.desk.space.name,
            message=message,
            budget=budget,
            facts=facts,
            as_of=as_of,
            layers=layers if len(layers) < len(LayerName) else [],
        )
    # By its target: going back in the browser asks with htmx, too, and wants the page.
    part = "#given" if request.htmx and request.htmx.target == "given" else ""  # type: ignore[attr-defined]
    return show(request, f"context/context.html{part}", context, at="context")


def _read_integer(asked: QueryDict, field: str, *, most: int) -> int | None:
    """Raises BadInput."""
    text = asked.get(field, "").strip()
    if not text:
        return None
    if (number := whole_number(text, most=most)) is None:
        raise BadInput(f"A whole number from 0 to {most:,}, not “{text[:20]}”.", field=field)
    return number
