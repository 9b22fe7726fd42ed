"""Context preview: exactly what an agent would be given for a message, with its citations as links, the tokens by
layer, and the call that gets it. Looking counts as no access.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_GET

from memoryapp.context import LayerName, prompt_context
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.context.presenter import LAYER_NAMES, preview_of
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.pages.clock import RECORDED
from memoryapp.interfaces.pages.filters import moment_of, whole_number

_MOST = 8_000  # tokens at the end of the slider; the address may ask for more
_MOST_ASKED = 200_000


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
        "layers": [(one.value, LAYER_NAMES[one], not layers or one.value in layers) for one in LayerName],
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
    part = "#given" if request.htmx and request.htmx.target == "given" else ""
    return show(request, f"context/context.html{part}", context, at="context")


def _read_integer(asked: QueryDict, field: str, *, most: int) -> int | None:
    """Raises BadInput."""
    text = asked.get(field, "").strip()
    if not text:
        return None
    if (number := whole_number(text, most=most)) is None:
        raise BadInput(f"A whole number from 0 to {most:,}, not “{text[:20]}”.", field=field)
    return number
