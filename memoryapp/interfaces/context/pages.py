"""Context preview: exactly what an agent would be given for a message. Looking counts as no access."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_GET

from memoryapp.context import LayerName, prompt_context
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.context.presenter import NAMES, curl_of, given_of
from memoryapp.interfaces.pages.access import PageRequest, page, show
from memoryapp.interfaces.pages.filters import moment_of
from memoryapp.interfaces.pages.numbers import whole_number

_MOST = 8_000  # tokens at the end of the slider; the address may ask for more
_MOST_ASKED = 200_000


@require_GET
@page()
def context_page(request: PageRequest) -> HttpResponse:
    """The address is the only state. htmx is given the answer alone."""
    space, asked = request.desk.memory, request.GET
    message, tuning = asked.get("m", "").strip(), space.tuning
    budget = _whole(asked, "budget", most=_MOST_ASKED)
    facts = _whole(asked, "facts", most=100)
    layers, as_of = [one for one in asked.getlist("layer") if one], moment_of(asked, "as_of")
    context: dict[str, Any] = {
        "message": message,
        "budget": tuning.context_tokens if budget is None else budget,
        "most": max(_MOST, budget or 0, tuning.context_tokens),
        "facts": tuning.context_facts if facts is None else facts,
        "layers": [(one.value, NAMES[one], not layers or one.value in layers) for one in LayerName],
        "as_of": asked.get("as_of", ""),
        "then": as_of,
    }
    if message:
        found = prompt_context(space, message, budget=budget, as_of=as_of, layers=layers or None, facts=facts)
        context["given"] = given_of(found)
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


def _whole(asked: QueryDict, field: str, *, most: int) -> int | None:
    """Raises BadInput."""
    text = asked.get(field, "").strip()
    if not text:
        return None
    if (number := whole_number(text, most=most)) is None:
        raise BadInput(f"A whole number from 0 to {most:,}, not “{text[:20]}”.", field=field)
    return number
