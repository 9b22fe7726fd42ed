"""Context: what an agent is given for a message."""

from __future__ import annotations

from memoryapp import context
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.opened import the_space
from memoryapp.api.route import Routes
from memoryapp.api.schemas.context import ContextIn, ContextItem, ContextLayer, ContextOut

router = Routes("Context")


@router.post("/context", needs=Role.READER, reads=True, response=ContextOut, errors=(413,), summary="Get a context")
def get_context(request: ApiRequest, body: ContextIn) -> ContextOut:
    """What belongs into the prompt for a message: summaries, the best facts, experiences like it, within a budget of
    tokens, each with its source. Asked with a key it counts as an access of what it gives; from a browser it does not.
    """
    found = context.prompt_context(
        the_space(request),
        body.message,
        budget=body.budget,
        as_of=body.as_of,
        layers=tuple(body.layers) if body.layers is not None else None,
        facts=body.facts,
        record=request.auth.is_agent,
    )
    return ContextOut(
        text=found.text,
        tokens=found.tokens,
        budget=found.budget,
        estimate=found.estimate,
        layers=[_layer(layer) for layer in found.layers],
        citations=found.citations,
        counter=found.counter,
        needed=found.needed,
        notes=list(found.notes),
    )


def _layer(layer: context.Layer) -> ContextLayer:
    return ContextLayer(
        name=layer.name,
        tokens=layer.tokens,
        left_out=layer.left_out,
        items=[
            ContextItem(
                id=item.memory.id,
                ref=item.memory.ref,
                kind=item.memory.kind,
                state=item.memory.state,
                text=item.text,
                tokens=item.tokens,
                why=item.why,
                number=item.number,
                cut=item.cut,
                inherited_from=item.inherited_from,
            )
            for item in layer.items
        ],
    )
