"""What a space reads of its parents: a memory of theirs is shown with where it lives, and is not changed from here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, NotAllowed, NotFound
from memoryapp.domain.memory import Memory, State
from memoryapp.interfaces.api.caller import ApiRequest, missing_role, the_space
from memoryapp.spaces import Space, space_read
from memoryapp.store import memories


def home_of(space: Space, key: str) -> tuple[Space, Memory]:
    """The space that holds this memory, this one or the nearest parent, and the memory. Raises NotFound.

    What a parent has deleted is its own affair: from below it is not there.
    """
    mine = memories.find(space.db, key)
    if mine is not None:
        return space, mine
    for parent in parents_of(space):
        theirs = memories.find(parent.db, key)
        if theirs is not None and theirs.state is not State.DELETED:
            return parent, theirs
    return space, memories.get(space.db, key)


def parents_of(space: Space) -> Iterator[Space]:
    """The spaces it reads beside its own, nearest first."""
    above = space.parent
    while above is not None:
        yield above
        above = above.parent


def space_to_read(
    request: ApiRequest, inherited_from: str, *, states: Sequence[State] = ()
) -> tuple[Space, str | None]:
    """The space whose memories a list shows, and the mark they carry: the parent that is asked for, else the space
    itself. Raises BadInput for one that it does not read, NotAllowed where deleted ones are asked for by somebody who
    may not read them."""
    own = the_space(request)
    try:
        space = space_read(own, inherited_from)
    except NotFound as error:
        raise BadInput(error.detail, field="inherited_from") from None
    if State.DELETED in states and not request.auth.role.allows(Role.CURATOR):
        raise missing_role(Role.CURATOR, request.auth.role, own.name)
    if State.DELETED in states and inherited_from:
        raise BadInput(f"What “{space.name}” has deleted is listed there, not from below.", field="states")
    return space, inherited_from or None


def home_named(space: Space, name: str | None) -> Space:
    """The parent of this name or, without one, the space itself."""
    return next((parent for parent in parents_of(space) if parent.name == name), space)


def changes_its_own(view: Callable[..., Any]) -> Callable[..., Any]:
    """For an operation on the memory `id`: one that a parent holds is refused in plain words, not as if it were not
    there. Raises NotAllowed."""

    @wraps(view)
    def changing(request: ApiRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            return view(request, *args, **kwargs)
        except NotFound:
            space = the_space(request)
            home, _ = home_of(space, kwargs["id"])
            if home.name == space.name:
                raise
            raise NotAllowed(
                f"Memory {kwargs['id']} lives in “{home.name}”, which “{space.name}” reads and does not change. "
                "Change it there, with a key for that space."
            ) from None

    return changing
