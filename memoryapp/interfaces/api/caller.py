"""Who is asking, in which space, and with what role: settled once, before an operation runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.http import HttpRequest
from ninja.utils import check_csrf

from memoryapp.accounts.actor import actor_of
from memoryapp.accounts.keys import MARK, authenticate_key, is_for_every_space, role_of_key
from memoryapp.accounts.login import address_of
from memoryapp.accounts.models import ApiKey
from memoryapp.accounts.models import Space as Row
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.people import role_in
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import DEFAULT, space_named, spaces_of, spaces_of_key
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.errors import NotAllowed, NotFound, PalimpsestError
from memoryapp.domain.trace import Asker
from memoryapp.interfaces.api.problems import NotKnown, WrongKey
from memoryapp.interfaces.api.throttle import count_failure, count_request, standing_of
from memoryapp.observability import note
from memoryapp.program import program_name
from memoryapp.spaces import Space

if TYPE_CHECKING:
    from django.db.models import QuerySet


class NoSpaceNamed(PalimpsestError):
    """X-Space was sent without a name: most often a variable that is not set. What is written would go astray."""

    status = 400
    title = "No space is named"


@dataclass(frozen=True, slots=True)
class Caller:
    """`role` is what the caller may do in `space`. `everywhere`: it holds in every space, those to come too."""

    actor: Actor
    role: Role
    space: Row
    everywhere: bool
    key: ApiKey | None
    person: User | None

    @property
    def ident(self) -> str:
        return _ident(self.key, self.person)

    @property
    def is_agent(self) -> bool:
        """Asked with a key: what it is given counts as recalled. A person who looks around in a browser does not."""
        return self.key is not None

    @property
    def asker(self) -> Asker | None:
        """Whose calls are kept as traces: an agent's. A person who tries something out leaves none."""
        if self.key is None or self.actor.kind is not ActorKind.AGENT:
            return None
        return Asker(self.actor.name, f"{MARK}_{self.key.prefix}", self.role.value)

    @property
    def maker(self) -> User | None:
        """The person who answers for this caller."""
        return self.person or (self.key.created_by if self.key else None)

    def spaces(self) -> QuerySet[Row]:
        if self.key is not None:
            return spaces_of_key(self.key)
        assert self.person is not None
        return spaces_of(self.person)

    def role_in(self, space: Row) -> Role | None:
        return _role(self.key, self.person, space)

    def role_now(self, space: Row) -> Role | None:
        """As it is at this moment: a request that lasts may outlive its key, or its person's place here."""
        if self.key is not None:
            key = ApiKey.objects.select_related("created_by").filter(pk=self.key.pk, revoked_at=None).first()
            shut_out = key is None or (key.created_by is not None and not key.created_by.is_active)
            return None if shut_out else _role(key, None, space)
        person = User.objects.filter(pk=self.person.pk).first() if self.person else None
        return _role(None, person, space)


class ApiRequest(HttpRequest):
    """What every operation is given; a type only."""

    auth: Caller


class Guard:
    """The check of one operation: at least `needs` in the request's space or, for `app`, in all of them.

    Declared with the operation, shown in the OpenAPI document as `x-role`, walked by the tests.
    """

    def __init__(self, needs: Role, *, app: bool = False, space_in: str = "") -> None:
        self.needs = needs
        self.app = app
        self.space_in = space_in

    def __call__(self, request: HttpRequest) -> Caller:
        """Raises NotKnown, NotAllowed, NotFound (the space) and TooOften."""
        key, person = _identify(request)
        ident = _ident(key, person)
        note(key=key.pk if key else None, person=person.pk if person else None)
        try:
            count_request(ident)
        finally:
            request.standing = standing_of(ident)  # type: ignore[attr-defined]  # told in the answer's headers
        named = str(request.resolver_match.kwargs[self.space_in]) if self.space_in and request.resolver_match else ""
        space = _chosen_space(request, key, person, named=named)
        role = _role(key, person, space)
        if role is None:
            raise _closed_space_error(space.name)
        note(space=space.name, agent=actor_of(request, key).name if key else None)
        everywhere = is_for_every_space(key) if key else bool(person and person.is_superuser)
        if not role.allows(self.needs):
            raise missing_role(self.needs, role, space.name)
        if self.app and not everywhere:
            raise NotAllowed(f"This takes the role of {self.needs.named} in every space; you have it in some.")
        return Caller(actor_of(request, key), role, space, everywhere, key, person)


def count_visitor(request: HttpRequest) -> None:
    """Counts a request to what is open to everybody: for its key or its person, else for its address, more strictly.
    Raises NotKnown (a key that is not valid) and TooOften."""
    user = getattr(request, "user", None)
    if _key_text(request) is not None or (isinstance(user, User) and user.is_authenticated):
        count_request(_ident(*_identify(request)))
    else:
        count_failure(address_of(request))


def missing_role(needs: Role, role: Role, space: str) -> NotAllowed:
    """The refusal of somebody whose `role` in `space` is not enough."""
    return NotAllowed(f"This takes the role of {needs.named}; you are {role.named} in “{space}”.")


def _identify(request: HttpRequest) -> tuple[ApiKey | None, User | None]:
    text = _key_text(request)
    if text is not None:
        key = authenticate_key(text)
        if key is None:
            count_failure(address_of(request))
            raise WrongKey("This key is not valid: it was mistyped, or revoked. Make another one under Settings.")
        return key, None
    user = getattr(request, "user", None)
    if isinstance(user, User) and user.is_authenticated and user.is_active:
        if check_csrf(request) is not None:
            raise NotAllowed("A change from a browser needs its CSRF token (header X-CSRFToken).")
        return None, user
    count_failure(address_of(request))
    raise NotKnown(f"Send a key: “Authorization: Bearer pal_…”. Settings, or `{program_name()} key`, makes one.")


def _key_text(request: HttpRequest) -> str | None:
    """The key as sent, or None where none was. An empty or foreign Authorization header is an attempt, not a visit."""
    said = request.headers.get("Authorization")
    if said is None:
        return request.headers.get("X-API-Key")
    scheme, _, text = said.partition(" ")
    return text.strip() if scheme.lower() in ("bearer", "token") else ""  # mem0's client says Token


def _chosen_space(request: HttpRequest, key: ApiKey | None, person: User | None, *, named: str) -> Row:
    """The address's space, else the header's, else the key's own, else the one the browser is in, else the default."""
    sent = request.headers.get("X-Space")
    if sent is not None and not sent.strip():
        raise NoSpaceNamed("X-Space is empty. Name a space, or leave the header out.", field="X-Space")
    name = named or (sent or "").strip()
    if name:
        try:
            return space_named(name)
        except NotFound:
            raise _closed_space_error(name) from None
    if key is not None:
        return key.space or space_named(DEFAULT)
    assert person is not None
    mine = spaces_of(person)
    found = mine.filter(name=request.session.get("space", DEFAULT)).first() or mine.first()
    if found is None:
        raise NotAllowed("You have no role in any space yet. An administrator can give you one.")
    return found


def _closed_space_error(name: str) -> NotFound:
    """The same words for a space that is not there and one that is not yours, so that names cannot be fished for."""
    return NotFound(f"There is no space called {name[:80]!r}, or it is not open to you.", field="X-Space")


def _role(key: ApiKey | None, person: User | None, space: Row) -> Role | None:
    if key is not None:
        return role_of_key(key, space)
    return role_in(person, space) if person is not None else None


def _ident(key: ApiKey | None, person: User | None) -> str:
    return f"key {key.pk}" if key else f"person {person.pk if person else 0}"


def the_space(request: ApiRequest) -> Space:
    """Raises StoreLocked or StoreUnavailable."""
    reads_deleted = request.auth.role.allows(Role.CURATOR)
    return replace(open_row(request.auth.space), reads_deleted=reads_deleted)
