"""Memories come in: one, or a batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.memory import Kind
from memoryapp.domain.remembering import Became, NewMemory, Remembered
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.reply import Reply
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.memories.schemas import show_memory
from memoryapp.interfaces.memories.writing_schemas import (
    BatchIn,
    BatchOut,
    BatchOutcome,
    MoreOutcome,
    NewMemoryIn,
    WrittenOut,
)
from memoryapp.jobs.readers import judges_for
from memoryapp.remember import atoms_of, remember
from memoryapp.store import memories

router = Routes("Memories")
WRITTEN = {201: WrittenOut, 200: WrittenOut}


@router.post("/memories", needs=Role.WRITER, response=WRITTEN, errors=(409, 413), summary="Write a memory")
def write_memory(request: ApiRequest, body: NewMemoryIn) -> Reply:
    """Writes a note, a fact or atoms. 201 when it is new; 200 when it was there already: said again it is reinforced,
    sent again under the same `ref` it is unchanged or, with other words, updated. A fact or an atom that contradicts
    one that is held is written beside it, and `conflict` names what waits for a decision. New words for a memory that
    a person has edited do not overwrite the edit: they too become a conflict. Of several atoms all are written, or
    none where one cannot be read; POST /atoms/preview tells what would become of them."""
    return write_one(request, body)


@router.post("/memories/batch", needs=Role.WRITER, response=BatchOut, errors=(409, 413), summary="Write many memories")
def write_batch(request: ApiRequest, body: BatchIn) -> BatchOut:
    """Writes up to 1,000 memories at once: all of them, or none where one cannot be. The problem then points at it. An
    item with several atoms counts as many; its outcome is that of the first, with the others in `more`."""
    space = the_space(request)
    asked = [new_of(item, at=f"/items/{n}") for n, item in enumerate(body.items)]
    with _pointing([f"/items/{n}" for n, new in enumerate(asked) for _ in new]):
        done = remember(
            space,
            [one for new in asked for one in new],
            actor=request.auth.actor,
            judges=judges_for(space, chat=False),
        )
    rest = iter(done)
    return BatchOut(items=[_outcome([next(rest) for _ in new]) for new in asked])


def write_one(request: ApiRequest, body: NewMemoryIn) -> Reply:
    """Remembers one, and shows it as it then stands."""
    space = the_space(request)
    known = body.ref is not None and body.ref in memories.by_refs(space.db, [body.ref])
    new = new_of(body)
    with _pointing([""] * len(new)):
        done = remember(space, new, actor=request.auth.actor, judges=judges_for(space, chat=False))
    first = done[0]
    memory = memories.get(space.db, first.id)
    shown = WrittenOut(
        **show_memory(space, memory).model_dump(),
        outcome=first.outcome.value,
        conflict=first.conflict,
        near=first.near,
        more=[_more(one) for one in done[1:]],
    )
    made = [one for one in done if one.outcome in (Became.WRITTEN, Became.CONFLICT)]
    fresh = bool(made) and (made[0] is not first or memory.version == 1) and not known
    headers = {"Location": f"/api/v1/memories/{memory.id}"}
    return Reply(shown, 201 if fresh else 200, version=memory.version, headers=headers)


def new_of(said: NewMemoryIn, *, at: str = "") -> tuple[NewMemory, ...]:
    """What is to be remembered: one, or as many as there are atoms. `at`: where the item stands in the body. Raises
    BadInput where the atoms cannot be read, or come with the kind of something else."""
    text, field = said.atoms, f"{at}/atoms"
    if text is None and said.kind == "atom":
        text, field = said.text, f"{at}/text"
    if text is None:
        return (_new(said, kind=Kind(said.kind)),)
    if said.kind == "fact" or (said.kind == "note" and "kind" in said.model_fields_set):
        raise BadInput(f"Atoms are of kind atom, not {said.kind}: leave `kind` out.", field=f"{at}/kind")
    like = _new(said, kind=Kind.ATOM)
    if said.atoms is None:
        like = replace(like, text="")
    return atoms_of(text, like, field=field)


@contextmanager
def _pointing(places: Sequence[str]) -> Iterator[None]:
    """What is wrong with the item at a place of the list is told of the item that the caller sent."""
    try:
        yield
    except (BadInput, TooLarge) as error:
        _, _, rest = (error.field or "").partition("/items/")
        number, _, field = rest.partition("/")
        if number.isdecimal() and int(number) < len(places):
            error.field = f"{places[int(number)]}/{field}" if field else places[int(number)] or None
        raise


def _outcome(done: Sequence[Remembered]) -> BatchOutcome:
    return BatchOutcome(**_more(done[0]).model_dump(), more=[_more(one) for one in done[1:]])


def _more(one: Remembered) -> MoreOutcome:
    return MoreOutcome(id=one.id, ref=one.ref, outcome=one.outcome.value, conflict=one.conflict, near=one.near)


def _new(said: NewMemoryIn, *, kind: Kind) -> NewMemory:
    return NewMemory(
        text=said.text or "",
        title=said.title,
        kind=kind,
        ref=said.ref,
        occurred_at=said.occurred_at,
        session=said.session,
        speaker=said.speaker,
        tags=tuple(said.tags),
        category=said.category,
        confidence=said.confidence,
        memory_type=said.memory_type,
        mood=said.mood,
        valid_from=said.valid_from,
        valid_to=said.valid_to,
        expires_at=said.expires_at,
        review_at=said.review_at,
        decision_point=said.decision_point,
        emotional_signal=said.emotional_signal,
        entities=tuple(said.entities),
    )
