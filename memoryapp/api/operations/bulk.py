"""One act on many memories at once, in one run that can be undone as a whole."""

from __future__ import annotations

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.api.opened import the_space
from memoryapp.api.operations.writing import router  # one router: addresses are matched in the order of declaration
from memoryapp.api.schemas.memory import BulkOut
from memoryapp.api.schemas.writing import BulkIn
from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Memory, State
from memoryapp.review.rewrite import Done
from memoryapp.review.state import all_of
from memoryapp.spaces import Space

BECOMES = {"archive": State.ARCHIVED, "delete": State.DELETED, "restore": State.HELD}


@router.post(
    "/memories/bulk", needs=Role.CURATOR, response=BulkOut, errors=(404, 409, 413), summary="Change many memories"
)
def change_many(request: ApiRequest, body: BulkIn) -> BulkOut:
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
        done = _do(space, body, changed, request.auth.actor)
        run = done.run.id if done.changed else None
    return BulkOut(act=body.act, run=run, changed=changed, unchanged=unchanged, dry_run=body.dry_run)


def _do(space: Space, body: BulkIn, keys: list[str], actor: Actor) -> Done:
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
