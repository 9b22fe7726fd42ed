"""What the page of one memory shows: its words, what stands against it, where it comes from, its layers.

What a memory came from and what came of it: superseded ones, sources, what was derived, who said it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode

from memoryapp import review
from memoryapp.domain.entity import Entity, EntityState, Reference
from memoryapp.domain.errors import NotFound
from memoryapp.domain.feedback import feedback_factor
from memoryapp.domain.filters import AsOfBy
from memoryapp.domain.memory import Kind, Memory, Usage
from memoryapp.interfaces.audit import revisions
from memoryapp.interfaces.entities.presenter import found_in
from memoryapp.interfaces.facts.source import session_href, spoken_of
from memoryapp.interfaces.memories.rows import Row, row_of, rows_of, strength_of
from memoryapp.interfaces.pages import charts, wording
from memoryapp.interfaces.pages.access import Desk
from memoryapp.interfaces.pages.markdown import LONGEST, render_markdown
from memoryapp.interfaces.pages.wording import Piece, shorten_pieces, word_diff
from memoryapp.interfaces.tree.outline import places_of
from memoryapp.review.history import Layer
from memoryapp.spaces import Space, as_it_stood, rows_at, trust_of
from memoryapp.store import conflicts, documents, entities, lineage, memories, turns, usage
from memoryapp.store import revisions as written

_MOST = 12  # of each list; the rest is counted


@dataclass(frozen=True, slots=True)
class Kin:
    """Some memories of one relation, and how many more there are."""

    rows: list[Row]
    more: int


def lineage_of(space: Space, memory: Memory) -> dict[str, Any]:
    """Lists for the memory's page; an empty one is None. `before_it` is the nearest that it stands in place of."""
    replaced = sorted(lineage.replaced_by(space.db, memory.id), key=_ended_at, reverse=True)
    return {
        "sources": _kin(space, memories.sources_of(space.db, memory.id)),
        "learned": _kin(space, memories.of_turns(space.db, [memory.id]) if memory.kind is Kind.TURN else ()),
        "made": _kin(space, memories.derived_from(space.db, [memory.id])),
        "replaced": _kin(space, replaced),
        "standing": _kin(space, lineage.standing_for(space.db, memory.id)),
        "before_it": replaced[0] if replaced else None,
        "sessions": [(name, session_href(name)) for name in memory.sessions[:_MOST]],
        "sessions_more": max(len(memory.sessions) - _MOST, 0),
    }


def _kin(space: Space, found: Sequence[Memory]) -> Kin | None:
    if space.at is not None:
        found = [memory for memory in found if begun(memory) <= space.at]
    return Kin(rows_of(space, found[:_MOST]), max(len(found) - _MOST, 0)) if found else None


def _ended_at(memory: Memory) -> float:
    return (memory.valid_to or memory.updated_at).timestamp()


_AROUND = 3  # neighbours shown on each side
_LAYERS = 20  # shown at first; all of them on asking
_MOST_LAYERS = 150
_CONFLICTS = 5


@dataclass(frozen=True, slots=True)
class RoleLine:
    reference: Reference
    entity: Entity


@dataclass(frozen=True, slots=True)
class Other:
    """The other side of a conflict: its words, or how they differ; `href` of a memory, or the `path` of the file whose
    words they are."""

    reason: str
    pieces: list[Piece]
    href: str
    path: str
    conflict: str


def purge_word(key: str) -> str:
    """What has to be typed before a memory is purged."""
    return key[:6]


def memory_then(space: Space, memory: Memory) -> Memory | None:
    """The memory as it stood at the space's instant; None where nothing was known of it yet, or, as it is known today,
    it was not so."""
    if space.at is None:
        return memory
    if space.index.roster.slot(memory.id) is not None:
        return rows_at(space, {memory.id: memory})[memory.id]
    if space.by is AsOfBy.VALID or begun(memory) > space.at:
        return None
    return as_it_stood(memory, written.of_memories_since(space.db, [memory.id], space.at).get(memory.id, ()))


def begun(memory: Memory) -> datetime:
    """Since when it counts as known: see domain.filters."""
    return min(memory.created_at, memory.occurred_at or memory.created_at)


def words_of(space: Space, memory: Memory) -> dict[str, Any]:
    """The words alone: what an edit takes the place of, and what comes back when it is left."""
    row = row_of(space, memory)
    return {
        "memory": memory,
        "row": row,
        "prose": _prose(memory, row),
        "cut_short": LONGEST if len(memory.text) > LONGEST else 0,
        "before_words": _words_before(review.history(space, memory.id)),
    }


def _prose(memory: Memory, row: Row) -> str:
    """A section, and whatever else has more than a line, is read as the markdown it is."""
    return "" if row.short else render_markdown(memory.text, title=memory.title)


def _words_before(layers: tuple[Layer, ...]) -> str:
    """The words under the present ones: what was last held in their place, where that is short enough to read."""
    for layer in layers:
        if layer.was is not None and layer.was != layer.text and layer.was != layers[0].text:
            return wording.plain(layer.was) if len(layer.was) <= 400 else ""
    return ""


def case_of(desk: Desk, memory: Memory, *, all_layers: bool = False) -> dict[str, Any]:
    """Everything the memory's page shows, each from the room that knows it. `memory`: as it stood at the desk's
    instant."""
    space, key = desk.then, memory.id
    used = usage.get_many(space.db, [key]).get(key, Usage(key))
    layers = review.history(space, key)
    if space.at is not None and space.by is AsOfBy.RECORDED:
        layers = tuple(layer for layer in layers if layer.revision.at <= space.at)
    waiting = _conflicts(space, memory) if space.at is None else []
    trust = trust_of(space, [memory])[memory.id]
    strength = strength_of(memory, used, now=space.clock())
    shown = revisions.revision_views(layers[: _MOST_LAYERS if all_layers else _LAYERS], you=desk.actor.name)
    row = row_of(space, memory, trust=trust.value, used=used, conflict=waiting[0].conflict if waiting else "")
    lineage = lineage_of(space, memory)
    return {
        "memory": memory,
        "row": row,
        "prose": _prose(memory, row),
        "cut_short": LONGEST if len(memory.text) > LONGEST else 0,
        "crumbs": _crumbs(memory),
        "conflicts": waiting,
        "overlay": {"path": memory.origin.path or memory.ref, "words": wording.excerpt(memory.source_text, limit=300)}
        if memory.source_text is not None
        else None,
        "layers": min(max(len(layers) - 1, 0), 2),
        "before_words": _words_before(layers) or _earlier_words(lineage["before_it"]),
        "expired": memory.expires_at is not None and memory.expires_at <= space.clock(),
        "validity": _validity(memory, layers, space, before=lineage["before_it"]),
        "usage": used,
        "silent": max(used.accesses - used.used - used.not_useful, 0),
        "feedback": feedback_factor(used=used.used, not_useful=used.not_useful, reach=space.tuning.feedback_reach),
        "trust": trust,
        "strength": strength,
        "strength_width": f"{min(100.0, strength.value / 4.5 * 100):.1f}",
        "roles": _roles(space, key),
        "found_in": found_in(space, key),
        "places": places_of(space, memory),
        "revisions": shown,
        "layers_total": len(layers),
        "layers_more": len(layers) > len(shown) and not all_layers,
        "neighbours": _neighbours(space, memory),
        "purge_word": purge_word(key),
        **lineage,
        **_origin(space, memory),
    }


def _crumbs(memory: Memory) -> list[dict[str, str]]:
    if memory.kind is Kind.FACT:
        facts, category = reverse("facts"), memory.category
        narrower = [{"name": category.value, "href": f"{facts}?category={category.value}"}] if category else []
        return [{"name": "Facts", "href": facts}, *narrower]
    listed = reverse("memories")
    crumbs = [{"name": "Memories", "href": listed}]
    crumbs.append({"name": memory.kind.value, "href": f"{listed}?kind={memory.kind.value}"})
    if memory.origin.path:
        crumbs.append(
            {"name": memory.origin.path, "href": f"{reverse('memories')}?{urlencode({'source': memory.origin.path})}"}
        )
    return crumbs


def _conflicts(space: Space, memory: Memory) -> list[Other]:
    """What stands against it: another memory, or what its file says now."""
    ids = conflicts.waiting_for(space.db, [memory.id]).get(memory.id, ())
    found = list(conflicts.get_many(space.db, list(ids[:_CONFLICTS])).values())
    against = [c.incoming if c.existing == memory.id else c.existing for c in found]
    known = memories.get_many(space.db, [key for key in against if key])
    others = []
    for conflict, key in zip(found, against, strict=True):
        if key is None:
            pieces = shorten_pieces(word_diff(memory.text, conflict.incoming_text or ""))
            path = memory.origin.path or memory.speaker or "its author"
            others.append(Other(conflict.reason, pieces, "", path, conflict.id))
        elif key in known:
            text = wording.excerpt(known[key].text, limit=300)
            others.append(Other(conflict.reason, [Piece("same", text)], reverse("memory", args=[key]), "", conflict.id))
    return others


def _earlier_words(before: Memory | None) -> str:
    """The words of the memory that this one stands in place of."""
    return wording.plain(before.text) if before is not None and len(before.text) <= 400 else ""


def _validity(
    memory: Memory, layers: tuple[Layer, ...], space: Space, *, before: Memory | None = None
) -> charts.Validity:
    confirmed = [layer.revision.at for layer in layers if "reinforced_at" in layer.revision.after][:12]
    since = memory.valid_from or memory.occurred_at or memory.created_at
    held = None
    if before is not None:
        held = (before.valid_from or before.occurred_at or before.created_at, before.valid_to or since)
    return charts.validity(since=since, until=memory.valid_to, confirmed=confirmed, now=space.clock(), before=held)


def _roles(space: Space, key: str) -> list[RoleLine]:
    """One line an entity. A plain mention is left out where a role says more."""
    edges = entities.references_of(space.db, [key]).get(key, ())
    found = entities.get_many(space.db, [edge.entity for edge in edges])
    lines: dict[str, RoleLine] = {}
    for edge in sorted(edges, key=lambda edge: (edge.role == "mention", -edge.weight)):
        entity = found.get(edge.entity)
        if entity is not None and entity.state != EntityState.REFUSED:
            lines.setdefault(entity.id, RoleLine(edge, entity))
    ranked = lines.values()
    return sorted(ranked, key=lambda one: (one.reference.role == "mention", -one.reference.weight, one.entity.name))[
        :24
    ]


def _neighbours(space: Space, memory: Memory) -> list[Row]:
    """What is held around it in its document or session, itself among them, in reading order."""
    space.index.refresh()
    roster = space.index.roster
    slot = roster.slot(memory.id)
    around = [roster.ids[one] for one in roster.neighbours(slot, reach=_AROUND)] if slot is not None else []
    if not around:
        return []
    members = [*memories.get_many(space.db, around).values(), memory]
    return rows_of(space, sorted(members, key=lambda m: (m.position, m.created_at, m.id)))


def _origin(space: Space, memory: Memory) -> dict[str, Any]:
    """The quoted lines of the document, or a sentence where there is none."""
    origin = memory.origin
    if origin.document and origin.first_line and origin.last_line:
        try:
            found = documents.get(space.db, origin.document)
        except NotFound:
            return {"origin_told": f"It was read from {origin.path}; that document is no longer kept."}
        quote = wording.quote_passage(found.text, first_line=origin.first_line, last_line=origin.last_line)
        return {"quote": quote, "document": found}
    said = memory.id if memory.kind is Kind.TURN else origin.turn
    if said and (turn := turns.get_many(space.db, [said]).get(said)):
        return {"spoken": spoken_of(memory, turn)}
    if origin.session:
        return {"origin_told": f"Said in the session {origin.session}."}
    return {"origin_told": "Added directly, not read from a file."}
