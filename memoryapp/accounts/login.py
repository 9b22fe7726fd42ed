"""Coming in: one-time links, and passwords with a brake. Opening the session itself is the page's part."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from memoryapp.accounts.models import LoginFailure, LoginLink
from memoryapp.domain.cleaning import without_unseen

FAILURES_ALLOWED = 5  # of one name from one address
FAILURES_OF_ADDRESS = 50  # of all names: somebody who tries one password on many people is slow, too
FAILURES_COUNT_FOR = timedelta(minutes=5)
_NAME_CHARS = 150
LINK_LASTS = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class LoginAttempt:
    """`person` is None where the door stayed shut; `wait_seconds` > 0 where it is held shut for a while."""

    person: User | None
    wait_seconds: int = 0


def make_login_token(person: User, *, lasts: timedelta = LINK_LASTS) -> str:
    """The secret part of a link `/login/<token>`; good once, until it expires. Old links are cleared away."""
    LoginLink.objects.filter(expires_at__lt=timezone.now() - timedelta(days=1)).delete()
    token = secrets.token_urlsafe(32)
    LoginLink.objects.create(user=person, token_hash=_hash(token), expires_at=timezone.now() + lasts)
    return token


def login_token_person(token: str) -> User | None:
    """Whom the token would let in, without using it up. None: unknown, used, expired, or a person who is shut out."""
    link = _usable_links(token).select_related("user").first()
    return link.user if link and link.user.is_active else None


def use_login_token(token: str) -> User | None:
    """Whom the token lets in, or None as in `login_token_person`.

    One UPDATE decides, so of two requests with the same link exactly one gets in.
    """
    if not _usable_links(token).update(used_at=timezone.now()):
        return None
    person = LoginLink.objects.select_related("user").get(token_hash=_hash(token)).user
    return person if person.is_active else None


def try_password(request: HttpRequest, name: str, password: str) -> LoginAttempt:
    """Checks a name and a password. After 5 failures within 5 minutes for one name from one address, or 50 for all
    names from it, further tries are not even looked at until the oldest of them is 5 minutes old."""
    name, address = without_unseen(name).strip()[:_NAME_CHARS], address_of(request)
    counted_as = name.casefold()[:_NAME_CHARS]  # folded, a name may be three times as long
    wait = _seconds_to_wait(counted_as, address)
    if wait:
        return LoginAttempt(None, wait)
    LoginFailure.objects.filter(at__lt=timezone.now() - FAILURES_COUNT_FOR).delete()
    # Counted before it is looked at: of many tries sent at once, no more are looked at than of tries in a row.
    counted = LoginFailure.objects.create(name=counted_as, address=address)
    if _count_earlier_failures(counted) >= FAILURES_ALLOWED:
        counted.delete()
        return LoginAttempt(None, max(1, _seconds_to_wait(counted_as, address)))
    person = authenticate(request, username=name, password=password)
    if isinstance(person, User):
        LoginFailure.objects.filter(name=counted_as, address=address).delete()
        return LoginAttempt(person)
    return LoginAttempt(None, _seconds_to_wait(counted_as, address))


def address_of(request: HttpRequest) -> str:
    """The peer's address. A forwarded-for header is not believed: anybody can send one."""
    return str(request.META.get("REMOTE_ADDR") or "")[:45]


def _count_earlier_failures(counted: LoginFailure) -> int:
    """How many that count were there before this one."""
    since = timezone.now() - FAILURES_COUNT_FOR
    same = LoginFailure.objects.filter(name=counted.name, address=counted.address, at__gt=since)
    return same.filter(pk__lt=counted.pk).count()


def _seconds_to_wait(name: str, address: str) -> int:
    since = timezone.now() - FAILURES_COUNT_FOR
    recent = LoginFailure.objects.filter(address=address, at__gt=since).order_by("-at").values_list("at", flat=True)
    mine = list(recent.filter(name=name)[:FAILURES_ALLOWED])
    all_names = list(recent[:FAILURES_OF_ADDRESS])
    waits = [
        max(1, round((times[-1] - since).total_seconds()))
        for times, allowed in ((mine, FAILURES_ALLOWED), (all_names, FAILURES_OF_ADDRESS))
        if len(times) >= allowed
    ]
    return max(waits, default=0)


def _usable_links(token: str) -> QuerySet[LoginLink]:
    return LoginLink.objects.filter(token_hash=_hash(token), used_at=None, expires_at__gt=timezone.now())


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
