"""Where memories stand: held, archived, deleted; pinned, confirmed, tagged. One or many, in one run to undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from memoryapp.domain.change import Actor
from memoryapp.domain.cleaning import clean_tags
from memoryapp.domain.errors import BadInput, NotFound, TooLarge
from memoryapp.domain.exclusion import not_excluding
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import BELIEFS, Category, Memory, State
from memoryapp.review.edit import require_version
from memoryapp.review.rewrite import ReviewResult, rewrite
from memoryapp.spaces import Space
from memoryapp.store import memories, revisions, turns
from memoryapp.store.retry import retry_write
from memoryapp.store.rows import short_id


def archive(
    space: Space, keys: Sequence[str], *, actor: Actor, expected: int | None = None, reason: str = ""
) -> ReviewResult:
    """Put aside: no longer recalled, listed under archived, held again at any time."""
    return _change_each(space, keys, lambda m: replace(m, state=State.ARCHIVED), "archive", actor, expected, reason)


def delete(
    space: Space, keys: Sequence[str], *, actor: Actor, expected: int | None = None, reason: str = ""
) -> ReviewResult:
    """Soft: gone from every search and list but the deleted one, restorable until purged. A fact takes along the turns
    that say it: they would go on answering with what was to be forgotten."""

    def deleted() -> ReviewResult:
        found = all_of(space, keys)
        require_version(found[0], expected)
        along = [turn for turn in turns_of(space, found) if turn.state is State.HELD]
        going = {one.id: one for one in (*found, *along)}.values()
        changes = [(memory, replace(memory, state=State.DELETED)) for memory in going]
        return rewrite(space, changes, act="delete", actor=actor, reason=reason).only(keys)

    return retry_write(deleted, version=expected)


def hold(
    space: Space, keys: Sequence[str], *, actor: Actor, expected: int | None = None, reason: str = ""
) -> ReviewResult:
    """Held again, from archived, deleted or superseded. Nothing stands in its place then, and it holds for as long as
    it did before something stood there. A fact that was deleted brings back the turns that say it, and excludes its
    like no longer."""

    def held(memory: Memory) -> Memory:
        memory = not_excluding(memory)
        if memory.state is not State.SUPERSEDED:
            return replace(memory, state=State.HELD)
        return replace(memory, state=State.HELD, valid_to=_valid_before(space, memory))

    def restored() -> ReviewResult:
        found = all_of(space, keys)
        require_version(found[0], expected)
        gone = [memory for memory in found if memory.state is State.DELETED]
        along = [turn for turn in turns_of(space, gone) if turn.state is State.DELETED]
        coming = {one.id: one for one in (*found, *along)}.values()
        pairs = [(one, held(one)) for one in coming]
        return rewrite(space, pairs, act="restore", actor=actor, reason=reason).only(keys)

    return retry_write(restored, version=expected)


def turns_of(space: Space, facts: Sequence[Memory]) -> list[Memory]:
    """The turns, as memories, that each of these facts was learned from or confirmed by."""
    mine = {memory.id: memory for memory in facts if memory.kind in BELIEFS}
    keys = {memory.origin.turn for memory in mine.values() if memory.origin.turn}
    named = {session for memory in mine.values() for session in memory.sessions if memory.reinforcements}
    if named:
        keys.update(turns.giving(space.db, sorted(named), list(mine)))
    return list(memories.get_many(space.db, sorted(keys)).values()) if keys else []


def _valid_before(space: Space, memory: Memory) -> datetime | None:
    for revision in reversed(revisions.of_record(space.db, memory.id)):
        if revision.after.get("state") == State.SUPERSEDED.value and "valid_to" in revision.before:
            before: datetime | None = revision.before["valid_to"]
            return before
    return memory.valid_to


def pin(
    space: Space, keys: Sequence[str], *, actor: Actor, pinned: bool = True, expected: int | None = None
) -> ReviewResult:
    """A pinned memory is never put aside by decay or consolidation. Raises Stale unless the first one still stands at
    the version `expected`, where that is given."""
    act = "pin" if pinned else "unpin"
    return _change_each(space, keys, lambda m: replace(m, pinned=pinned), act, actor, expected, "")


def confirm(space: Space, keys: Sequence[str], *, actor: Actor, reason: str = "") -> ReviewResult:
    """It still holds: one reinforcement, as of now. A review that was due is done by it."""
    now = space.clock()
    return _change_each(space, keys, lambda m: mark_confirmed(m, now=now), "confirm", actor, None, reason)


def mark_confirmed(memory: Memory, *, now: datetime) -> Memory:
    """The memory, reinforced once as of now, with no review due."""
    review_at = memory.review_at if memory.review_at is not None and memory.review_at > now else None
    return replace(memory, reinforcements=memory.reinforcements + 1, reinforced_at=now, review_at=review_at)


def tag(
    space: Space, keys: Sequence[str], *, actor: Actor, add: Sequence[str] = (), remove: Sequence[str] = ()
) -> ReviewResult:
    """Adds and takes away tags. Raises BadInput when there is neither."""
    added, removed = clean_tags(add, field="/add"), set(clean_tags(remove, field="/remove"))
    if not added and not removed:
        raise BadInput("Name a tag to add or to remove.", field="/add")

    def tagged(memory: Memory) -> Memory:
        kept = dict.fromkeys((*memory.tags, *added))
        return replace(memory, tags=clean_tags([t for t in kept if t not in removed], field="/add"))

    return _change_each(space, keys, tagged, "tag", actor, None, "")


def categorise(
    space: Space, keys: Sequence[str], category: Category | None, *, actor: Actor, reason: str = ""
) -> ReviewResult:
    """Puts memories under a category; None takes it away."""
    return _change_each(space, keys, lambda m: replace(m, category=category), "categorise", actor, None, reason)


def _change_each(
    space: Space,
    keys: Sequence[str],
    change: Callable[[Memory], Memory],
    act: str,
    actor: Actor,
    expected: int | None,
    reason: str,
) -> ReviewResult:
    def changed() -> ReviewResult:
        found = all_of(space, keys)
        require_version(found[0], expected)
        return rewrite(space, [(memory, change(memory)) for memory in found], act=act, actor=actor, reason=reason)

    return retry_write(changed, version=expected)


def all_of(space: Space, keys: Sequence[str]) -> list[Memory]:
    """The memories of these ids, each once. Raises NotFound that names the first one missing."""
    wanted = list(dict.fromkeys(keys))
    if len(wanted) > LIMITS.batch_items:
        raise TooLarge(f"{len(wanted)} memories at once; the limit is {LIMITS.batch_items}.", field="/ids")
    if not wanted:
        raise BadInput("No memory was picked.", field="/ids")
    found = memories.get_many(space.db, wanted)
    for key in wanted:
        if key not in found:
            raise NotFound(f"There is no memory {short_id(key)} in space “{space.name}”. It may have been purged.")
    return [found[key] for key in wanted]
