"""API keys: made, checked, rotated, revoked. A key reads `pal_<prefix>_<secret>`; the prefix finds the row, the hash
of the secret proves it. Plain SHA-256 is right here: the secret is 256 random bits, not a word somebody chose.

A key never opens more than its maker may open now: else whoever is made a reader, or leaves a space, would keep by a
key what was taken from them.

The row of a key with its space and its maker, asked anew for every request and made into objects only when it is
another than before.

Django takes ten times as long to put the question together, and the objects, as the database to answer it. So the
statement is kept, and so are the objects beside the very row they were made from: a key that was revoked, a space that
was set otherwise and a maker who was shut out, by whichever process, are another row.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict
from copy import copy
from datetime import timedelta
from functools import cache
from threading import Lock
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from memoryapp.accounts.models import ApiKey, Space
from memoryapp.accounts.people import role_in
from memoryapp.accounts.roles import Role
from memoryapp.domain.cleaning import without_unseen
from memoryapp.domain.errors import BadInput, Clash, NotFound

KEPT = 256  # keys
Row = tuple[Any, ...]

_made: OrderedDict[str, tuple[Row, ApiKey]] = OrderedDict()
_lock = Lock()


def key_with_prefix(prefix: str) -> ApiKey | None:
    """As it is in the database now, `space` and `created_by` read along. The objects are the caller's own."""
    row = _row(prefix)
    if row is None:
        return None
    with _lock:
        known = _made.get(prefix)
    if known is not None and known[0] == row:
        return _copy_key(known[1])
    key = _keys_by_prefix(prefix).first()
    if key is not None and _row(prefix) == row:  # else it was written between the two, and may be yet again
        with _lock:
            _made[prefix] = row, _copy_key(key)
            _made.move_to_end(prefix)
            while len(_made) > KEPT:
                _made.popitem(last=False)
    return key


def _keys_by_prefix(prefix: str) -> QuerySet[ApiKey]:
    return ApiKey.objects.select_related("space", "created_by").filter(prefix=prefix).order_by()


def _row(prefix: str) -> Row | None:
    with connection.cursor() as cursor:
        cursor.execute(_statement(connection.vendor), [prefix])
        row: Row | None = cursor.fetchone()
    return row


@cache
def _statement(vendor: str) -> str:
    """For `vendor`, which the connection is of."""
    return str(_keys_by_prefix("").query.sql_with_params()[0])


def _copy_key(key: ApiKey) -> ApiKey:
    mine = copy(key)
    if key.space is not None:
        mine.space = copy(key.space)
        mine.space.settings = dict(key.space.settings)
    if key.created_by is not None:
        mine.created_by = copy(key.created_by)
    return mine


MARK = "pal"
USE_IS_NOTED_EVERY = timedelta(minutes=1)  # a write per request would be the dearest part of a search


def create_key(
    name: str,
    *,
    role: Role,
    space: Space | None = None,
    created_by: User | None = None,
    agent: str = "",
    local: bool = False,
) -> tuple[ApiKey, str]:
    """A new key and its text, which is kept nowhere. `space` None is a key for every space: only an administrator
    may make one. Raises BadInput."""
    name, agent = without_unseen(name).strip(), without_unseen(agent).strip()  # a server keeps no NUL
    if not name or len(name) > 100:
        raise BadInput("A key needs a name of 1 to 100 characters.", field="/name")
    if len(agent) > 100:
        raise BadInput("An agent's name has at most 100 characters.", field="/agent")
    if space is None and created_by is not None and not created_by.is_superuser:
        raise BadInput("Only an administrator can make a key for every space. Choose one space.", field="/space")
    secret = secrets.token_urlsafe(32)
    key = ApiKey.objects.create(
        name=name,
        agent=agent,
        prefix=secrets.token_hex(4),
        secret_hash=_hash(secret),
        role=Role(role).value,
        space=space,
        created_by=created_by,
        local=local,
    )
    return key, f"{MARK}_{key.prefix}_{secret}"


def authenticate_key(text: str) -> ApiKey | None:
    """The key that `text` spells, whose use is noted; None where it opens nothing."""
    key = valid_key(text)
    if key is not None:
        _note_use(key)
    return key


def valid_key(text: str) -> ApiKey | None:
    """The key that `text` spells, or None: unknown, wrong, revoked, or made by a person who has since been shut out."""
    mark, _, rest = text.strip().partition("_")
    prefix, _, secret = rest.partition("_")
    if mark != MARK or not secret:
        return None
    key = key_with_prefix(prefix)
    # Compared even when there is no such key, so that the time taken does not tell which prefixes exist.
    same = hmac.compare_digest(_hash(secret), key.secret_hash if key else "0" * 64)
    if key is None or not same or key.revoked_at is not None:
        return None
    if key.created_by is not None and not key.created_by.is_active:
        return None
    return key


def key_named(text: str, space: Space) -> ApiKey:
    """The key of this number or prefix ("pal_1a2b3c4d") that opens the space, revoked or not. Raises NotFound."""
    prefix = text.strip().removeprefix(f"{MARK}_").partition("_")[0]
    known = ApiKey.objects.filter(Q(space=space) | Q(space=None), local=False)
    number = Q(pk=int(prefix)) if prefix.isdecimal() and len(prefix) < 8 else Q(prefix=prefix)
    found = known.filter(number).first()
    if found is None:
        raise NotFound(f"There is no key {prefix[:20]!r} that opens “{space.name}”.", field="key")
    return found


def role_of_key(key: ApiKey, space: Space) -> Role | None:
    """What the key may do in that space: no more than its maker may do there now; None where it may not even look."""
    if key.space_id not in (None, space.pk):
        return None
    role = Role(key.role)
    if key.created_by is None:  # made on the machine itself, or by a person who is no more
        return role
    held = role_in(key.created_by, space)
    return held if held is None or not held.allows(role) else role


def is_for_every_space(key: ApiKey) -> bool:
    """Whether it opens every space, those to come too."""
    return key.space_id is None and (key.created_by is None or key.created_by.is_superuser)


def revoke_key(key: ApiKey) -> None:
    """From now on the key opens nothing. Revoking twice is no error."""
    ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now())
    key.refresh_from_db()


def rotate_key(key: ApiKey) -> tuple[ApiKey, str]:
    """A new key with the same name, rights and maker; the old one is revoked in the same instant. Raises Clash for one
    that opens nothing any more."""
    with transaction.atomic():
        if not ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now()):
            raise Clash(f"The key “{key.name}” was revoked. Make another one.")
        return create_key(
            key.name, role=Role(key.role), space=key.space, created_by=key.created_by, agent=key.agent, local=key.local
        )


def create_local_key(person: User) -> tuple[ApiKey, str]:
    """The key by which this machine's commands speak to the app, as that administrator; one of an earlier start
    goes."""
    with transaction.atomic():
        ApiKey.objects.filter(local=True).delete()
        return create_key("Commands on this machine", role=Role.ADMIN, created_by=person, local=True)


def _note_use(key: ApiKey) -> None:
    now = timezone.now()
    if key.last_used_at is None or now - key.last_used_at >= USE_IS_NOTED_EVERY:
        stale = Q(last_used_at=None) | Q(last_used_at__lte=now - USE_IS_NOTED_EVERY)
        ApiKey.objects.filter(stale, pk=key.pk).update(last_used_at=now)
        key.last_used_at = now


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
