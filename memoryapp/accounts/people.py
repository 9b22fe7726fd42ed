"""People: Django users, each with a role in each space. A superuser is an administrator everywhere."""

from __future__ import annotations

import getpass
import re

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from memoryapp.accounts.models import LoginLink, Membership, Space
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Clash, NotFound

PERSON_NAME = re.compile(r"[\w.@+-]{1,150}")
_TAKEN = "There is already a person called {}, perhaps elsewhere. Who runs all spaces can let them in here."


def create_person(
    name: str, *, password: str | None = None, space: Space | None = None, role: Role = Role.READER, admin: bool = False
) -> User:
    """A new person, with `role` in `space` where one is named. Without a password they come in by a login link.

    Raises BadInput (name, password) and Clash (the name is taken).
    """
    name = name.strip()
    if not PERSON_NAME.fullmatch(name):
        raise BadInput("A name has 1 to 150 letters, digits, or . @ + - _, and no spaces.", field="/name")
    if get_user_model().objects.filter(username__iexact=name).exists():
        raise Clash(_TAKEN.format(name), field="/name")
    person = User(username=name, is_superuser=admin)
    _put_password(person, password)
    try:
        with transaction.atomic():
            person.save()
            if space is not None:
                Membership.objects.create(user=person, space=space, role=Role(role).value)
    except IntegrityError:
        raise Clash(_TAKEN.format(name), field="/name") from None
    return person


def first_admin(name: str = "") -> User:
    """The first administrator: the one there is, or a new one named for whoever is logged in on this machine."""
    there = User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    if there is not None:
        return there
    wanted = re.sub(r"[^\w.@+-]", "", name or _login_name())[:150] or "admin"
    beside = User.objects.filter(username__istartswith=wanted).values_list("username", flat=True)
    taken = {name.lower() for name in beside}
    number = 1
    while (candidate := wanted if number == 1 else f"{wanted}{number}").lower() in taken:
        number += 1
    return create_person(candidate, admin=True)


def role_in(user: User, space: Space) -> Role | None:
    """What the person may do in that space; None where they may not even look."""
    if not user.is_authenticated or not user.is_active:
        return None
    if user.is_superuser:
        return Role.ADMIN
    found = Membership.objects.filter(user=user, space=space).values_list("role", flat=True).first()
    return Role(found) if found else None


def set_role(user: User, space: Space, role: Role | None) -> None:
    """Gives the person that role in the space; None takes their access away."""
    if role is None:
        Membership.objects.filter(user=user, space=space).delete()
    else:
        Membership.objects.update_or_create(user=user, space=space, defaults={"role": Role(role).value})


def set_password(user: User, password: str) -> None:
    """Ends all their sessions but the one that asks, and their login links. Raises BadInput with the reason where the
    password is too weak."""
    _put_password(user, password)
    with transaction.atomic():
        user.save(update_fields=["password"])
        _drop_links(user)


def set_active(user: User, active: bool) -> None:
    """Shuts a person out, or lets them in again; their keys follow. Raises Clash for the last administrator."""
    with transaction.atomic():
        # Held while they are counted: of two who shut each other out at once, one is refused.
        admins = User.objects.select_for_update().filter(is_superuser=True, is_active=True).order_by("pk")
        if not active and user.is_superuser and not {one.pk for one in admins} - {user.pk}:
            raise Clash(f"{user.username} is the only administrator left. Make somebody else one first.")
        user.is_active = active
        user.save(update_fields=["is_active"])
        if not active:
            _drop_links(user)


def person_named(name: str) -> User:
    """Raises NotFound."""
    person = User.objects.filter(username=name).first()
    if person is None:
        raise NotFound(f"There is no person called {name}.")
    return person


def _drop_links(user: User) -> None:
    """A link made before may be in other hands; one that is let in again is sent a new one."""
    LoginLink.objects.filter(user=user, used_at=None).delete()


def _put_password(user: User, password: str | None) -> None:
    if password is None:
        user.set_unusable_password()
        return
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise BadInput(" ".join(error.messages), field="/password") from None
    user.set_password(password)


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container's user may have no name
        return "admin"
