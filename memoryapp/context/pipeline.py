"""check → offers → fit: from a message to what an agent is given for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoryapp.context.count import counter_of
from memoryapp.context.fit import fit, smallest_budget
from memoryapp.context.found import LayerName, PromptContext
from memoryapp.context.offers import ContextRequest, offers
from memoryapp.domain.cleaning import clean
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import LIMITS
from memoryapp.search.record import record as count_access
from memoryapp.spaces import Space


def prompt_context(
    space: Space,
    message: str,
    *,
    budget: int | None = None,
    as_of: datetime | None = None,
    layers: Sequence[str] | None = None,
    facts: int | None = None,
    record: bool = False,
) -> PromptContext:
    """What an agent is given for a message: category summaries, the pages of the Context Tree that it reaches, the
    facts that matter most, experiences, and the notes and documents that match as well; never more tokens than
    `budget` (the space's `context_tokens`).

    `as_of`: what was believed at that instant. `layers`: only these, in their usual order. `record`: the memories
    given count as accessed (an agent asked, not a person who looks). Raises BadInput that names the field.
    """
    asked, cut = _context_request(space, message, as_of=as_of, layers=layers, facts=facts)
    allowed = space.tuning.context_tokens if budget is None else budget
    if allowed < 0:
        raise BadInput("A budget is not negative.", field="/budget")
    found, notes = offers(space, asked)
    count = counter_of(space)
    text, tokens, fitted = fit(
        found, budget=allowed, count=count, tree_share=space.tuning.context_tree_share, as_of=asked.as_of
    )
    items = [item for layer in fitted for item in layer.items]
    least = 0 if items else smallest_budget(found, count=count, as_of=asked.as_of)
    if least:
        notes = (*notes, f"There are memories for this message, but {allowed:,} tokens hold none: {least:,} would.")
    if record and asked.as_of is None:
        own = [item.memory.id for item in items if item.inherited_from is None]
        count_access(space, own, now=space.clock())
    return PromptContext(
        text=text,
        tokens=tokens,
        budget=allowed,
        estimate=count.estimate,
        layers=fitted,
        citations={str(item.number): item.memory.id for item in items},
        counter=count.name,
        needed=least,
        notes=(*cut, *notes),
    )


def _context_request(
    space: Space, message: str, *, as_of: datetime | None, layers: Sequence[str] | None, facts: int | None
) -> tuple[ContextRequest, tuple[str, ...]]:
    """(what is asked for, a note where the message was too long to be searched for whole)."""
    said = " ".join(clean(message).split())
    if not said:
        raise BadInput("The message is empty: say what the context is for.", field="/message")
    wanted = space.tuning.context_facts if facts is None else facts
    if not 0 <= wanted <= LIMITS.top_k:
        raise BadInput(f"Facts lie between 0 and {LIMITS.top_k}, not at {wanted}.", field="/facts")
    known = [layer.value for layer in LayerName]
    for name in layers or ():
        if name not in known:
            raise BadInput(f"There is no layer “{name[:40]}”. Known: {', '.join(known)}.", field="/layers")
    chosen = tuple(layer for layer in LayerName if not layers or layer.value in layers)
    note = f"The message is long: its first {LIMITS.query_chars:,} characters were searched for."
    return (
        ContextRequest(
            said[: LIMITS.query_chars], wanted, chosen, as_utc(as_of) if as_of else None, explicit=bool(layers)
        ),
        (note,) if len(said) > LIMITS.query_chars else (),
    )
