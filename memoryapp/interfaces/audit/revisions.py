"""Revisions in plain words: who, what became of which field, and the words as a diff."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memoryapp.domain.change import Actor, ActorKind, Revision
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.wording import Piece, shorten_pieces, word_diff
from memoryapp.review.history import Layer

ACTS = {
    "create": "created",
    "remember": "said again",
    "ingest": "read from its file",
    "edit": "edited",
    "archive": "archived",
    "delete": "deleted",
    "restore": "restored",
    "exclude": "excluded from learning",
    "allow": "learned again where it is said",
    "confirm": "confirmed",
    "pin": "pinned",
    "unpin": "unpinned",
    "tag": "tags changed",
    "undo": "undone",
    "supersede": "superseded",
    "resolve": "by deciding a conflict",
    "categorise": "category changed",
    "withdraw": "conflict withdrawn",
    "reopen": "conflict reopened",
    "propose": "outcome proposed",
    "snooze": "snoozed",
    "wake": "woken",
    "expire": "faded below the trust floor",
    "extract": "said again",
    "narrate": "rewritten",
    "summarise": "rewritten",
    "add entity": "added by hand",
    "edit entity": "corrected",
    "take in": "accepted",
    "refuse": "rejected",
    "merge": "merged",
    "part": "unmerged",
    "relate": "extracted from a memory",
    "change relation": "corrected",
    "refuse relation": "rejected",
    "hold relation": "accepted",
    "take from under": "rejected",
    "retain": "added to the tree",
    "freshen": "updated",
    "leave out": "skipped for the tree",
    "let in": "pending for the tree again",
}
_FIELDS = {
    "reinforced_at": "last confirmed",
    "memory_type": "memory type",
    "valid_from": "holds from",
    "valid_to": "holds to",
    "expires_at": "expires",
    "review_at": "review due",
    "occurred_at": "happened",
    "source_text": "text of the file",
    "reinforcements": "repeats",
    "decision_point": "decision",
    "emotional_signal": "feeling",
    "superseded_by": "superseded by",
    "snoozed_until": "snoozed until",
    "merged_into": "merged into",
    "decided_at": "decided",
}
# Bookkeeping that the words already tell, or that says nothing to a reader.
_SILENT = {
    "content_hash",
    "text",
    "source_text",
    "references",
    "reinforced_at",
    "origin",
    "position",
    "breadcrumb",
    "group",
    "ended_at",
    "seen_at",
    "slots",
}


@dataclass(frozen=True, slots=True)
class RevisionView:
    """A layer for the page: `pieces` of the word diff ([] where the words stayed), `fields` (name, before, after)."""

    revision: Revision
    who: str
    told: str
    pieces: list[Piece]
    fields: list[tuple[str, str, str]]
    restorable: bool


def actor_name(actor: Actor, *, you: str = "") -> str:
    """The name a page shows: you, Mina, atlas, or what acted by itself."""
    if actor.kind == ActorKind.PERSON and actor.name == you:
        return "you"
    return f"{actor.name} (automatic)" if actor.kind == ActorKind.MACHINE else actor.name


def revision_views(layers: tuple[Layer, ...], *, you: str) -> list[RevisionView]:
    """Newest first; the newest cannot be restored, it is what is held."""
    out = []
    for n, layer in enumerate(layers):
        revision = layer.revision
        if layer.was is None:
            pieces = [Piece("in", layer.text)]
        else:
            pieces = word_diff(layer.was, layer.text) if layer.was != layer.text else []
        fields = [] if layer.was is None else fields_of(revision)
        out.append(
            RevisionView(
                revision,
                actor_name(revision.actor, you=you),
                ACTS.get(revision.act, revision.act),
                shorten_pieces(pieces),
                fields,
                n > 0,
            )
        )
    return out


def fields_of(revision: Revision) -> list[tuple[str, str, str]]:
    names = [n for n in dict.fromkeys((*revision.before, *revision.after)) if n not in _SILENT]
    fields = []
    for name in names:
        before, after = _differing_texts(revision.before.get(name), revision.after.get(name))
        if before != after:
            fields.append((_FIELDS.get(name, name), before, after))
    return fields


def _differing_texts(before: Any, after: Any) -> tuple[str, str]:
    """What the two say; of two sets of particulars those alone that differ."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return field_text(before), field_text(after)
    names = [key for key in dict.fromkeys((*before, *after)) if before.get(key) != after.get(key)]
    return field_text({key: before.get(key) for key in names}), field_text({key: after.get(key) for key in names})


def field_text(value: Any) -> str:
    """A field's value as a reader writes it."""
    if value is None or value == []:
        return ""
    if isinstance(value, datetime):
        return human.moment(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, dict) and "outcome" in value:  # what somebody proposed for a conflict
        return f"{value.get('by', 'somebody')}: {value['outcome']}"
    if isinstance(value, dict):  # what is nested deeper is the program's own, and so are keys and when one was made
        names = [key for key, one in value.items() if not isinstance(one, dict)]
        said = {key: field_text(value[key]) for key in names if key != "key" and not key.endswith("_at")}
        return "; ".join(f"{key.replace('_', ' ')} {one}" for key, one in said.items() if one)
    if isinstance(value, (list, tuple)):  # so are records within a list, such as the lines of a page with their origins
        return ", ".join(field_text(one) for one in value if not isinstance(one, dict) or "outcome" in one)
    return str(value)
