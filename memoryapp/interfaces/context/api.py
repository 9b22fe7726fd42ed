"""Context: what an agent is given for a message."""

from __future__ import annotations

import time
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from memoryapp import context
from memoryapp.accounts.roles import Role
from memoryapp.context import LayerName
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind, State
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Id, Moment, Response, Sparse, words

A_CONTEXT: dict[str, Any] = {
    "text": "Facts:\n[1] Minsu lives in Busan.",
    "tokens": 11,
    "budget": 1500,
    "estimate": False,
    "layers": [
        {
            "name": "facts",
            "tokens": 11,
            "left_out": 0,
            "items": [
                {
                    "id": "9f2c1b7a40d3e685",
                    "ref": None,
                    "kind": "fact",
                    "state": "held",
                    "text": "[1] Minsu lives in Busan.",
                    "tokens": 8,
                    "why": "trust 0.89",
                    "number": 1,
                    "cut": False,
                    "inherited_from": None,
                }
            ],
        }
    ],
    "citations": {"1": "9f2c1b7a40d3e685"},
    "counter": "all-MiniLM-L6-v2",
    "needed": 0,
    "notes": [],
}


class ContextIn(Sparse):
    """`budget` in tokens, by default the space's own. `layers`: which of them, by default all. `as_of`: what was
    believed at that instant."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"message": "Where does Minsu live now?", "budget": 800}]}
    )

    message: Annotated[str, words(LIMITS.turn_chars, least=1)]
    budget: int | None = Field(None, ge=1, le=200_000)
    as_of: Moment | None = None
    layers: list[LayerName] | None = Field(None, max_length=10, examples=[["facts"]])
    facts: Annotated[int, Field(ge=0, le=LIMITS.top_k)] | None = Field(None, description="How many at most.")


class ContextItem(Response):
    """A memory as the agent is given it: `why`, under which `number`, and whether its end was `cut` off."""

    id: Id
    ref: str | None
    kind: Kind
    state: State
    text: str
    tokens: int
    why: str
    number: int
    cut: bool
    inherited_from: str | None


class ContextLayer(Response):
    """`left_out`: how many more would have fitted the question, but not the budget."""

    name: str
    tokens: int
    left_out: int
    items: list[ContextItem]


class ContextOut(Response):
    """`text` goes into the prompt as it is: recalled words, marked as data. `tokens` are counted by `counter`, the
    space's model or, with `estimate`, reckoned from the length. `citations`: the number in the text → the memory."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_CONTEXT]})

    text: str
    tokens: int
    budget: int
    estimate: bool
    layers: list[ContextLayer]
    citations: dict[str, str]
    counter: str
    needed: int = Field(0, description="Where nothing fitted: the budget that holds something. 0: nothing is there.")
    notes: list[str]


router = Routes("Context")


@router.post("/context", needs=Role.READER, reads=True, response=ContextOut, errors=(413,), summary="Get a context")
def get_context(request: ApiRequest, body: ContextIn) -> ContextOut:
    """What belongs into the prompt for a message: summaries, the best facts, experiences like it, within a budget of
    tokens, each with its source. Asked with a key it counts as an access of what it gives, and is kept as a trace
    (`GET /traces`); from a browser it does not.
    """
    space, began = the_space(request), time.perf_counter()
    found = context.prompt_context(
        space,
        body.message,
        budget=body.budget,
        as_of=body.as_of,
        layers=tuple(body.layers) if body.layers is not None else None,
        facts=body.facts,
        record=request.auth.is_agent,
    )
    narrowed = body.as_of is not None or bool(body.layers)
    context.trace_context(space, body.message, found, request.auth.asker, began=began, narrowed=narrowed)
    return ContextOut.of(found, layers=[_layer(layer) for layer in found.layers])


def _layer(layer: context.Layer) -> ContextLayer:
    return ContextLayer.of(
        layer,
        items=[
            ContextItem.of(item, id=item.memory.id, ref=item.memory.ref, kind=item.memory.kind, state=item.memory.state)
            for item in layer.items
        ],
    )
