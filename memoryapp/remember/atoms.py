"""What there is to remember in a text of PENMAN notation; and a preview of it that stores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.domain.secrets import mask_private
from memoryapp.extraction.atoms import parse, read_aloud
from memoryapp.remember.check import check
from memoryapp.remember.judging import RULES, Judges, settle
from memoryapp.remember.match import match
from memoryapp.remember.participants import Part, take_part
from memoryapp.spaces import Space, embed
from memoryapp.store.write import Batch


@dataclass(frozen=True, slots=True)
class WouldBe:
    """What an atom would become. `near`: the memory it would confirm or contradict; one that stands before it in the
    same text is not held yet, and is None."""

    item: NewMemory
    outcome: Became
    part: Part
    near: Memory | None = None


def atoms_of(text: str, like: NewMemory, *, field: str = "/atoms") -> tuple[NewMemory, ...]:
    """One item for each atom of a text, in order; all else is as in `like`, but an atom's own memory type and mood come
    first. The words of `like`, where it has any, are those of the one atom; otherwise each is read aloud.

    Raises BadInput at `field`, which names line and column of what cannot be read, or whose words or ref would be those
    of several."""
    try:
        atoms = parse(_without_private(text))
    except BadInput as error:
        error.field = field
        raise
    for name, said in (("text", like.text), ("ref", like.ref)):
        if said and len(atoms) > 1:
            raise BadInput(
                f"{len(atoms)} atoms and one {name}: a {name} goes with a single atom. Send them as items of a batch.",
                field=f"{field.rpartition('/')[0]}/{name}",
            )
    return tuple(
        replace(
            like,
            kind=Kind.ATOM,
            text=like.text or read_aloud(atom),
            atom=atom,
            memory_type=atom.memory_type or like.memory_type,
            mood=atom.mood or like.mood,
        )
        for atom in atoms
    )


def _without_private(text: str) -> str:
    """The text, with nothing in it that is private: a mark in place of a name would be an entity, the same one for
    whoever is not to be named. Raises BadInput."""
    cleaned = clean(text)
    if mask_private(cleaned) != cleaned:
        raise BadInput(
            "An atom holds no private words, for whoever takes part in it becomes an entity. Leave out what stands in "
            "<private> … </private>, or write a note."
        )
    return text


def preview_atoms(space: Space, items: Sequence[NewMemory], *, judges: Judges = RULES) -> tuple[WouldBe, ...]:
    """What would become of each. Raises BadInput as `remember` does."""
    now = space.clock()
    matched = match(space.db, check(items), now=now)
    embedded = embed(space, [one.after for one in matched if one.rewritten])
    settled = settle(space, matched, vectors={one.memory: one.vector for one in embedded}, now=now, judges=judges)
    batch = Batch(created=[one.after for one in settled if one.before is None])
    parts = take_part(space, settled, batch, now=now)
    new = {memory.id for memory in batch.created}
    would = []
    for one in settled:
        near = one.near or one.before
        held = near if near is not None and near.id not in new else None
        if one.outcome is Became.WRITTEN:
            held = None
        would.append(WouldBe(one.item, one.outcome, parts.get(one.after.id, Part()), held))
    return tuple(would)
