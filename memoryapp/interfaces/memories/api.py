"""Memories: written, one or a batch; listed, read, corrected, archived, restored, erased."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Annotated

from ninja import Query
from pydantic import Field

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.feedback import feedback_factor
from memoryapp.domain.fields import shared_fields
from memoryapp.domain.memory import Kind, Memory, State, Usage
from memoryapp.domain.remembering import Became, NewMemory, RememberedItem
from memoryapp.interfaces.api.caller import ApiRequest, the_space
from memoryapp.interfaces.api.cursor import read_cursor, write_cursor
from memoryapp.interfaces.api.inheritance import changes_its_own, home_of, space_to_read
from memoryapp.interfaces.api.reply import Reply, expected_of
from memoryapp.interfaces.api.route import Routes
from memoryapp.interfaces.api.schemas import Cursor, Limit, Name, path_id
from memoryapp.interfaces.audit.schemas import HistoryPage, LayerOut, show_revision
from memoryapp.interfaces.memories.schemas import (
    ActOut,
    BulkOut,
    FeedbackOut,
    GoneAlong,
    MemoryDetail,
    MemoryPage,
    NeighboursOut,
    ReceiptOut,
    show_detail,
    show_memories,
    show_memory,
)
from memoryapp.interfaces.memories.writing_schemas import (
    BatchIn,
    BatchOut,
    BatchOutcome,
    BulkIn,
    EditIn,
    FeedbackIn,
    MoreOutcome,
    NewMemoryIn,
    PinIn,
    ReasonIn,
    RestoreIn,
    WrittenOut,
)
from memoryapp.interfaces.search.api import filters_of
from memoryapp.interfaces.search.schemas import MemoryQuery
from memoryapp.jobs.reading import judges_for
from memoryapp.remember import atoms_of, remember
from memoryapp.review.purge import Receipt
from memoryapp.review.redaction import readable
from memoryapp.review.rewrite import ReviewResult
from memoryapp.review.state import all_of
from memoryapp.search.browse import browse
from memoryapp.spaces import Space, space_at
from memoryapp.store import conflicts, memories, usage

router = Routes("Memories")
BECOMES = {"archive": State.ARCHIVED, "delete": State.DELETED, "restore": State.HELD}
MemoryId = Annotated[str, path_id("memory")]
Reach = Annotated[int, Field(ge=1, le=50, description="How many on each side.")]


@router.post(
    "/memories",
    needs=Role.WRITER,
    response={201: WrittenOut, 200: WrittenOut},
    errors=(409, 413),
    summary="Write a memory",
)
def write_memory(request: ApiRequest, body: NewMemoryIn) -> Reply:
    """Writes a note, a fact or atoms. 201 when it is new; 200 when it was there already: said again it is reinforced,
    sent again under the same `ref` it is unchanged or, with other words, updated. A fact or an atom that contradicts
    one that is held is written beside it, and `conflict` names what waits for a decision. New words for a memory that
    a person has edited do not overwrite the edit: they too become a conflict. Of several atoms all are written, or
    none where one cannot be read; POST /atoms/preview tells what would become of them."""
    space = the_space(request)
    known = body.ref is not None and body.ref in memories.by_refs(space.db, [body.ref])
    new = new_of(body)
    with _field_of_item([""] * len(new)):
        done = remember(space, new, actor=request.auth.actor, judges=judges_for(space, chat=False))
    first = done[0]
    memory = memories.get(space.db, first.id)
    shown = WrittenOut(
        **show_memory(space, memory).model_dump(),
        outcome=first.outcome.value,
        conflict=first.conflict,
        near=first.near,
        more=[_more_outcome(one) for one in done[1:]],
    )
    made = [one for one in done if one.outcome in (Became.WRITTEN, Became.CONFLICT)]
    fresh = bool(made) and (made[0] is not first or memory.version == 1) and not known
    headers = {"Location": f"/api/v1/memories/{memory.id}"}
    return Reply(shown, 201 if fresh else 200, version=memory.version, headers=headers)


@router.post("/memories/batch", needs=Role.WRITER, response=BatchOut, errors=(409, 413), summary="Write many memories")
def write_memories(request: ApiRequest, body: BatchIn) -> BatchOut:
    """Writes up to 1,000 memories at once: all of them, or none where one cannot be. The problem then points at it. An
    item with several atoms counts as many; its outcome is that of the first, with the others in `more`."""
    space = the_space(request)
    asked = [new_of(item, at=f"/items/{n}") for n, item in enumerate(body.items)]
    with _field_of_item([f"/items/{n}" for n, new in enumerate(asked) for _ in new]):
        done = remember(
            space,
            [one for new in asked for one in new],
            actor=request.auth.actor,
            judges=judges_for(space, chat=False),
        )
    rest = iter(done)
    return BatchOut(items=[_outcome([next(rest) for _ in new]) for new in asked])


def new_of(said: NewMemoryIn, *, at: str = "") -> tuple[NewMemory, ...]:
    """What is to be remembered: one, or as many as there are atoms. `at`: where the item stands in the body. Raises
    BadInput where the atoms cannot be read, or come with the kind of something else."""
    text, field = said.atoms, f"{at}/atoms"
    if text is None and said.kind == "atom":
        text, field = said.text, f"{at}/text"
    if text is None:
        return (_new_memory(said, kind=Kind(said.kind)),)
    if said.kind == "fact" or (said.kind == "note" and "kind" in said.model_fields_set):
        raise BadInput(f"Atoms are of kind atom, not {said.kind}: leave `kind` out.", field=f"{at}/kind")
    like = _new_memory(said, kind=Kind.ATOM)
    if said.atoms is None:
        like = replace(like, text="")
    return atoms_of(text, like, field=field)


@contextmanager
def _field_of_item(places: Sequence[str]) -> Iterator[None]:
    """What is wrong with the item at a place of the list is told of the item that the caller sent."""
    try:
        yield
    except (BadInput, TooLarge) as error:
        _, _, rest = (error.field or "").partition("/items/")
        number, _, field = rest.partition("/")
        if number.isdecimal() and int(number) < len(places):
            error.field = f"{places[int(number)]}/{field}" if field else places[int(number)] or None
        raise


def _outcome(done: Sequence[RememberedItem]) -> BatchOutcome:
    return BatchOutcome(**_more_outcome(done[0]).model_dump(), more=[_more_outcome(one) for one in done[1:]])


def _more_outcome(one: RememberedItem) -> MoreOutcome:
    return MoreOutcome.of(one, outcome=one.outcome.value)


def _new_memory(said: NewMemoryIn, *, kind: Kind) -> NewMemory:
    return NewMemory(**shared_fields(said, NewMemory) | {"text": said.text or "", "kind": kind})


# One act on many memories at once, in one run that can be undone as a whole.


@router.post(
    "/memories/bulk", needs=Role.CURATOR, response=BulkOut, errors=(404, 409, 413), summary="Change many memories"
)
def change_memories(request: ApiRequest, body: BulkIn) -> BulkOut:
    """Archives, deletes, restores or tags up to 1,000 memories in one run. `dry_run` says which would change."""
    if body.act == "tag" and not (body.add_tags or body.remove_tags):
        raise BadInput("Name a tag to add or to remove.", field="/add_tags")
    space = the_space(request)
    before = all_of(space, body.ids)
    changed = [memory.id for memory in before if _would_change(memory, body)]
    going = set(changed)
    unchanged = [memory.id for memory in before if memory.id not in going]
    run = None
    if changed and not body.dry_run:
        done = _do_act(space, body, changed, request.auth.actor)
        run = done.run.id if done.changed else None
    return BulkOut(act=body.act, run=run, changed=changed, unchanged=unchanged, dry_run=body.dry_run)


def _do_act(space: Space, body: BulkIn, keys: list[str], actor: Actor) -> ReviewResult:
    match body.act:
        case "archive":
            return review.archive(space, keys, actor=actor, reason=body.reason)
        case "delete":
            return review.delete(space, keys, actor=actor, reason=body.reason)
        case "restore":
            return review.hold(space, keys, actor=actor, reason=body.reason)
        case "tag":
            return review.tag(space, keys, actor=actor, add=body.add_tags, remove=body.remove_tags)


def _would_change(memory: Memory, body: BulkIn) -> bool:
    if body.act == "tag":
        return bool(set(body.add_tags) - set(memory.tags) or set(body.remove_tags) & set(memory.tags))
    return memory.state != BECOMES[body.act]


@router.get("/memories", needs=Role.READER, response=MemoryPage, summary="List memories")
def list_memories(request: ApiRequest, asked: Query[MemoryQuery]) -> MemoryPage:
    """Memories of the space itself, or of a parent that it reads, that pass every filter, in the order asked for, last
    learned first by default."""
    space, inherited = space_to_read(request, asked.inherited_from, states=filters_of(asked).states)
    place = read_cursor(asked.cursor, str, str)
    if place and place[0] != asked.sort:
        raise BadInput("This cursor belongs to a list in another order.", field="cursor")
    page = browse(
        space,
        replace(filters_of(asked), as_of=asked.as_of, as_of_by=asked.as_of_by),
        sort=asked.sort,
        contains=asked.contains,
        only=_only(space, asked),
        after=place[1] if place else "",
        limit=asked.limit,
    )
    return MemoryPage(
        items=show_memories(space_at(space, asked.as_of, asked.as_of_by), page.memories, inherited_from=inherited),
        next_cursor=write_cursor(asked.sort, page.last) if page.older else None,
        total=page.total,
    )


def _only(space: Space, asked: MemoryQuery) -> set[str] | None:
    chosen = []
    if asked.decision:
        chosen.append(set(memories.decisions(space.db)))
    if asked.disputed:
        chosen.append(conflicts.disputed_ids(space.db))
    return set.intersection(*chosen) if chosen else None


@router.get("/memories/{id}", needs=Role.READER, response=MemoryDetail, errors=(404,), summary="Get a memory")
def get_memory(request: ApiRequest, id: MemoryId) -> Reply:
    """One memory, whatever its state (a deleted one for curators alone), with the turn it was said in, what it replaced
    and what it was made of. Its version begins the ETag. One of a parent space says so in `inherited_from`."""
    space = the_space(request)
    home, memory = home_of(space, id)
    readable(memory, may_decide=request.auth.role.allows(Role.CURATOR))
    inherited_from = home.name if home.name != space.name else None
    return Reply(show_detail(home, memory, inherited_from=inherited_from), version=memory.version)


@router.patch(
    "/memories/{id}",
    needs=Role.CURATOR,
    if_match=True,
    response=ActOut,
    errors=(404, 409, 412, 413),
    summary="Edit a memory",
)
@changes_its_own
def edit_memory(request: ApiRequest, id: MemoryId, body: EditIn) -> Reply:
    """Changes the fields that are sent. With If-Match the edit is refused (412) if somebody changed the memory since.
    An edit of words that came from a source is kept over the source's, also when the source is read again."""
    changes = body.model_dump(exclude_unset=True, exclude={"reason"})
    if not changes:
        raise BadInput("Nothing is to be changed: send at least one field.", field="")
    space = the_space(request)
    expected = expected_of(request, space, id)
    done = review.edit(space, id, changes, actor=request.auth.actor, expected=expected, reason=body.reason)
    return _act(space, done)


@router.delete(
    "/memories/{id}",
    needs=Role.CURATOR,
    if_match=True,
    response=ActOut,
    errors=(404, 409, 412),
    summary="Delete a memory",
)
@changes_its_own
def delete_memory(request: ApiRequest, id: MemoryId, dry_run: bool = False, reason: Name = "") -> Reply:
    """Takes it out of every search and list. It can be restored until it is purged."""
    space = the_space(request)
    expected = expected_of(request, space, id)
    if dry_run:
        return _rehearse_state(space, id, state=State.DELETED)
    return _act(space, review.delete(space, [id], actor=request.auth.actor, expected=expected, reason=reason))


@router.post(
    "/memories/{id}/archive",
    needs=Role.CURATOR,
    if_match=True,
    response=ActOut,
    errors=(404, 409, 412),
    summary="Archive a memory",
)
@changes_its_own
def archive_memory(request: ApiRequest, id: MemoryId, body: ReasonIn = ReasonIn()) -> Reply:
    """Puts it aside: no longer recalled, listed under archived, held again at any time."""
    space = the_space(request)
    expected = expected_of(request, space, id)
    if body.dry_run:
        return _rehearse_state(space, id, state=State.ARCHIVED)
    return _act(space, review.archive(space, [id], actor=request.auth.actor, expected=expected, reason=body.reason))


@router.post(
    "/memories/{id}/restore",
    needs=Role.CURATOR,
    if_match=True,
    response=ActOut,
    errors=(404, 409, 412),
    summary="Restore a memory",
)
@changes_its_own
def restore_memory(request: ApiRequest, id: MemoryId, body: RestoreIn = RestoreIn()) -> Reply:
    """Holds it again or, with a revision, brings back what it said then: as a new revision on top."""
    space, actor = the_space(request), request.auth.actor
    expected = expected_of(request, space, id)
    if body.revision is None:
        return _act(space, review.hold(space, [id], actor=actor, expected=expected, reason=body.reason))
    return _act(
        space,
        review.restore_revision(space, id, body.revision, actor=actor, expected=expected, reason=body.reason),
    )


@router.post(
    "/memories/{id}/confirm", needs=Role.WRITER, response=ActOut, errors=(404, 409), summary="Confirm a memory"
)
@changes_its_own
def confirm_memory(request: ApiRequest, id: MemoryId, body: ReasonIn = ReasonIn()) -> Reply:
    """It still holds: one reinforcement, and its recency counts from now."""
    space = the_space(request)
    if body.dry_run:
        return _rehearse_state(space, id)
    return _act(space, review.confirm(space, [id], actor=request.auth.actor, reason=body.reason))


@router.post(
    "/memories/{id}/pin",
    needs=Role.CURATOR,
    if_match=True,
    response=ActOut,
    errors=(404, 409, 412),
    summary="Pin a memory",
)
@changes_its_own
def pin_memory(request: ApiRequest, id: MemoryId, body: PinIn = PinIn()) -> Reply:
    """A pinned memory is never put aside by decay or consolidation. `pinned: false` lets it go."""
    space = the_space(request)
    expected = expected_of(request, space, id)
    return _act(space, review.pin(space, [id], actor=request.auth.actor, pinned=body.pinned, expected=expected))


@router.get(
    "/memories/{id}/history", needs=Role.READER, response=HistoryPage, errors=(404,), summary="Get a memory's history"
)
def get_memory_history(request: ApiRequest, id: MemoryId, limit: Limit = 200, cursor: Cursor = "") -> HistoryPage:
    """Every revision, newest first: what changed, who changed it and why, and what it said then."""
    home, memory = home_of(the_space(request), id)
    readable(memory, may_decide=request.auth.role.allows(Role.CURATOR))
    layers = review.history(home, id)
    if place := read_cursor(cursor, int, str):  # the revision that the page before ended with
        layers = tuple(one for one in layers if (one.revision.version, one.revision.id) < place)
    shown = layers[:limit]
    last = shown[-1].revision if len(layers) > limit else None
    items = [
        LayerOut(
            **show_revision(layer.revision).model_dump(),
            text=layer.text,
            was=layer.was,
            state=layer.state,
            title=layer.title,
            changed=list(layer.changed),
        )
        for layer in shown
    ]
    return HistoryPage(items=items, next_cursor=write_cursor(last.version, last.id) if last else None)


@router.get(
    "/memories/{id}/neighbours",
    needs=Role.READER,
    response=NeighboursOut,
    errors=(404,),
    summary="Get a memory's neighbours",
)
def list_neighbours(request: ApiRequest, id: MemoryId, reach: Reach = 2) -> NeighboursOut:
    """What stands before and after it in its document or session, at most `reach` on each side."""
    space = the_space(request)
    home, memory = home_of(space, id)
    inherited_from = home.name if home.name != space.name else None
    around = _memories_around(home, id, reach)
    place = _place(memory)
    before, after = [one for one in around if _place(one) < place], [one for one in around if _place(one) > place]
    return NeighboursOut(
        before=show_memories(home, before, inherited_from=inherited_from),
        after=show_memories(home, after, inherited_from=inherited_from),
    )


@router.post("/memories/{id}/feedback", needs=Role.WRITER, response=FeedbackOut, errors=(404,), summary="Give feedback")
@changes_its_own
def give_feedback(request: ApiRequest, id: MemoryId, body: FeedbackIn) -> FeedbackOut:
    """Says whether a memory that was given was of use. Used ones rise, useless ones fall, within ±20 %."""
    space = the_space(request)
    sides = {"used": [id] if body.used else [], "not_useful": [] if body.used else [id]}
    review.feedback(space, **sides, query=body.query, actor=request.auth.actor)
    said = usage.get_many(space.db, [id]).get(id) or Usage(id)
    factor = feedback_factor(used=said.used, not_useful=said.not_useful, reach=space.tuning.feedback_reach)
    return FeedbackOut(id=id, used=said.used, not_useful=said.not_useful, factor=factor)


@router.post(
    "/memories/{id}/purge", needs=Role.CURATOR, response=ReceiptOut, errors=(404, 409), summary="Purge a memory"
)
@changes_its_own
def purge_memory(request: ApiRequest, id: MemoryId, body: ReasonIn = ReasonIn()) -> ReceiptOut:
    """Erases it for good from every table, index and cache, and gives a receipt that was checked. This cannot be
    undone. `dry_run` says what would be erased."""
    space, actor = the_space(request), request.auth.actor
    if body.dry_run:
        return _receipt(review.preview_purge(space, id, actor=actor))
    return _receipt(review.purge(space, id, actor=actor, reason=body.reason))


def _act(space: Space, done: ReviewResult) -> Reply:
    """An act on one memory. A run that changed nothing was not written, and cannot be undone."""
    (memory,) = done.memories
    return Reply(
        ActOut(memory=show_memory(space, memory), run=done.run.id if done.changed else None), version=memory.version
    )


def _rehearse_state(space: Space, key: str, *, state: State | None = None) -> Reply:
    memory = memories.get(space.db, key)
    would_be = replace(memory, state=state or memory.state)
    return Reply(ActOut(memory=show_memory(space, would_be), run=None, dry_run=True), version=memory.version)


def _receipt(receipt: Receipt) -> ReceiptOut:
    also = [GoneAlong(id=key, kind=Kind(kind)) for key, kind in receipt.also]
    shown = asdict(receipt) | {"also": also}
    return ReceiptOut(id=shown.pop("memory"), complete=receipt.complete and not receipt.dry_run, **shown)


def _memories_around(space: Space, key: str, reach: int) -> list[Memory]:
    space.index.refresh()
    roster = space.index.view().roster
    slot = roster.slot(key)
    if slot is None:
        return []
    ids = [roster.ids[near] for near in roster.neighbours(slot, reach=reach)]
    found = memories.get_many(space.db, ids)
    return [found[one] for one in ids if one in found]


def _place(memory: Memory) -> tuple[int, float, str]:
    return memory.position, memory.created_at.timestamp(), memory.id
