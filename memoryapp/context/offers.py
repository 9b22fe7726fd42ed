"""Second step: what each layer could hold for this message, the best first, each with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memoryapp.context.disputes import disputes
from memoryapp.context.found import LayerName, Offer, pieces
from memoryapp.context.near import episodes_near
from memoryapp.context.nodes import node_offers
from memoryapp.context.summaries import summary_offers
from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind
from memoryapp.domain.results import Hit, Query
from memoryapp.retrieve import search
from memoryapp.spaces import Space

EXPERIENCES = 3
_NARROWED = 30  # facts that are compared by trust, those most like the message
# What trust counts beside likeness. Trust halves in 90 days: in full it would put the news of last week before the
# answer of last year. By its fourth root a year counts as half as like.
_TRUST_POWER = 0.25
_BESIDE = 2  # times the facts asked for: so many are compared with what is written in notes and documents
KNOWLEDGE = (Kind.NOTE, Kind.SECTION, Kind.DIGEST, Kind.ATOM)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for. `facts`: how many at most; `explicit`: layers the caller named."""

    message: str
    facts: int
    layers: tuple[LayerName, ...]
    as_of: datetime | None
    explicit: bool = False


def offers(space: Space, asked: Asked) -> tuple[dict[LayerName, list[Offer]], tuple[str, ...]]:
    """(the offers by layer, in the order of the layers; notes for the reader)."""
    notes: dict[str, None] = {}
    found: dict[LayerName, list[Offer]] = {}
    for layer in LayerName:
        if layer not in asked.layers:
            continue
        if layer is LayerName.SUMMARIES:
            found[layer] = summary_offers(space, asked.message, as_of=asked.as_of)
        elif layer is LayerName.TREE:
            found[layer] = node_offers(space, asked.message, as_of=asked.as_of)
        elif layer is LayerName.FACTS:
            found[layer] = _facts(space, asked, notes)
        elif layer is LayerName.EXPERIENCES:
            found[layer] = _experiences(space, asked)
        else:
            found[layer] = _knowledge(space, asked, notes)
    return found, tuple(notes)


def _search(space: Space, asked: Asked, kinds: tuple[Kind, ...], top_k: int, notes: dict[str, None]) -> list[Hit]:
    query = Query(asked.message, top_k=top_k, filters=Filters(kinds=kinds, as_of=asked.as_of))
    answer = search(space, query)
    notes.update(dict.fromkeys(answer.notes))
    return list(answer.hits)


def _facts(space: Space, asked: Asked, notes: dict[str, None]) -> list[Offer]:
    """The facts most like the message, put in order of likeness × trust^¼."""
    if asked.facts < 1:
        return []
    hits = _search(space, asked, (Kind.FACT,), _NARROWED, notes)
    best = max((hit.score for hit in hits), default=0.0)
    worth = {hit.memory.id: hit.score / best * hit.trust**_TRUST_POWER if best else 0.0 for hit in hits}
    hits.sort(key=lambda hit: (-round(worth[hit.memory.id], 9), hit.memory.id))
    disputed = disputes(space, hits[: asked.facts])
    return [_fact(hit, best=best, disputed=disputed.get(hit.memory.id, "")) for hit in hits[: asked.facts]]


def _fact(hit: Hit, *, best: float, disputed: str) -> Offer:
    memory = hit.memory
    marks = [f"trust {hit.trust:.2f}"]
    if (said := memory.occurred_at) is not None:
        marks.append(f"{said:%Y-%m-%d}")
    if memory.valid_to is not None:
        marks.append(f"until {memory.valid_to:%Y-%m-%d}")
    short = f" ({'; '.join([*marks, 'disputed'])})" if disputed else None
    if disputed:
        marks.append(disputed)
    why = f"{hit.score / best:.0%} of the best match, trust {hit.trust:.2f}" if best else f"trust {hit.trust:.2f}"
    text = " ".join(memory.text.split())
    return Offer(
        memory,
        why,
        (text,),
        tail=f" ({'; '.join(marks)})",
        short_tail=short,
        whole=True,
        inherited_from=hit.inherited_from,
    )


def _experiences(space: Space, asked: Asked) -> list[Offer]:
    near = episodes_near(space, asked.message, limit=EXPERIENCES, as_of=asked.as_of)
    return [
        Offer(
            one.memory,
            f"{one.similarity:.0%} of the best match, {one.days:.0f} days ago",
            pieces(one.memory.text),
            least=2,  # its first sentence says who spoke, and when
            inherited_from=one.inherited_from,
        )
        for one in near
    ]


def _knowledge(space: Space, asked: Asked, notes: dict[str, None]) -> list[Offer]:
    """Notes and documents: of the memories most like the message, facts among them, those that are none. So they stand
    in where facts are missing, and where what is written answers better than what was said."""
    if asked.facts < 1:
        return []
    if asked.explicit:
        hits = _search(space, asked, KNOWLEDGE, asked.facts, notes)
    else:
        among = _search(space, asked, (Kind.FACT, *KNOWLEDGE), min(_BESIDE * asked.facts, LIMITS.top_k), notes)
        hits = [hit for hit in among if hit.memory.kind is not Kind.FACT]
    best = max((hit.score for hit in hits), default=0.0)
    return [
        Offer(
            hit.memory,
            f"{hit.score / best:.0%} of the best match" if best else "it matches",
            pieces(hit.memory.text),
            lead=_lead(hit),
            inherited_from=hit.inherited_from,
        )
        for hit in hits
    ]


def _lead(hit: Hit) -> str:
    """Whose words they are: who said them and when, or which document they stand in."""
    memory = hit.memory
    if memory.speaker:
        day = f" ({memory.occurred_at:%Y-%m-%d})" if memory.occurred_at else ""
        return f"{memory.speaker}{day}: "
    where = memory.origin.path or (memory.title if not memory.text.lstrip("# ").startswith(memory.title) else "")
    return f"{where}: " if where else ""
