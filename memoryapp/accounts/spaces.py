"""Spaces as the app knows them: name, parent, own settings, who may enter. Their memories are the store's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from memoryapp.accounts.encoders import check_encoder
from memoryapp.accounts.models import SPACE_NAME, ApiKey, Membership, Space
from memoryapp.accounts.opening import open_row, wake
from memoryapp.accounts.roles import Role
from memoryapp.domain.cleaning import without_unseen
from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.domain.limits import tuning_from

if TYPE_CHECKING:
    from memoryapp import spaces

DEFAULT = "default"


def default_space() -> Space:
    """The space that is always there."""
    space, _ = Space.objects.get_or_create(name=DEFAULT, defaults={"title": "Default", "encoder": settings.ENCODER})
    return space


def create_space(
    name: str,
    *,
    title: str = "",
    parent: Space | None = None,
    encoder: str = "",
    overrides: dict[str, Any] | None = None,
    created_by: User | None = None,
) -> Space:
    """A new, empty space; whoever makes it is its administrator. Raises BadInput and Clash (the name is taken)."""
    if not re.fullmatch(SPACE_NAME, name):
        raise BadInput("A space's name has 1 to 40 of a–z, 0–9 and -.", field="/name")
    if encoder:
        check_encoder(encoder)
    tuning_from(overrides or {})
    try:
        with transaction.atomic():
            space = Space.objects.create(
                name=name,
                title=without_unseen(title).strip()[:200],
                parent=parent,
                # A child is read together with its parent: one model, or their vectors could not be compared.
                encoder=encoder or (parent.encoder if parent else settings.ENCODER),
                settings=overrides or {},
            )
            if created_by is not None:
                Membership.objects.create(user=created_by, space=space, role=Role.ADMIN.value)
    except IntegrityError:
        raise Clash(f"There is already a space called {name}.", field="/name") from None
    return space


def space_named(name: str) -> Space:
    """Raises NotFound. The default space is made where it is missing."""
    space = Space.objects.select_related("parent").filter(name=name).first()
    if space is None:
        if name == DEFAULT:
            return default_space()
        raise NotFound(f"There is no space called {name}.")
    return space


def open_space(name: str) -> spaces.Space:
    """The space of this name opened: what the rooms work on. Raises NotFound, and StoreError where it cannot be."""
    return open_row(space_named(name))


def spaces_of(user: User) -> QuerySet[Space]:
    """The spaces a person may enter, by name."""
    if not user.is_active:
        return Space.objects.none()
    return Space.objects.all() if user.is_superuser else Space.objects.filter(memberships__user=user)


def spaces_of_key(key: ApiKey) -> QuerySet[Space]:
    """The spaces a key opens: its own, or all; and of these only what its maker may still enter."""
    entered = Space.objects.all() if key.created_by is None else spaces_of(key.created_by)
    return entered if key.space_id is None else entered.filter(pk=key.space_id)


def set_settings(space: Space, overrides: dict[str, Any]) -> None:
    """Replaces the space's own numbers. Raises BadInput that names the field."""
    tuning_from(overrides)
    space.settings = overrides
    space.save(update_fields=["settings"])
    wake(space)


def set_parent(space: Space, parent: Space | None) -> None:
    """Raises BadInput where the space would become its own ancestor."""
    with transaction.atomic():
        # Held while it is looked at: of two who put two spaces below each other, one is refused.
        above = dict(Space.objects.select_for_update().order_by("pk").values_list("pk", "parent"))
        at = parent.pk if parent else None
        while at is not None:
            if at == space.pk:
                raise BadInput(f"{space.name} cannot be below itself.", field="/parent")
            at = above.get(at)
        space.parent = parent
        space.save(update_fields=["parent"])
