"""The row of a key with its space and its maker, asked anew for every request and made into objects only when it is
another than before.

Django takes ten times as long to put the question together, and the objects, as the database to answer it. So the
statement is kept, and so are the objects beside the very row they were made from: a key that was revoked, a space that
was set otherwise and a maker who was shut out, by whichever process, are another row.
"""

from __future__ import annotations

from collections import OrderedDict
from copy import copy
from functools import cache
from threading import Lock
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from memoryapp.accounts.models import ApiKey

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
        return _copied(known[1])
    key = _asked(prefix).first()
    if key is not None and _row(prefix) == row:  # else it was written between the two, and may be yet again
        with _lock:
            _made[prefix] = row, _copied(key)
            _made.move_to_end(prefix)
            while len(_made) > KEPT:
                _made.popitem(last=False)
    return key


def _asked(prefix: str) -> QuerySet[ApiKey]:
    return ApiKey.objects.select_related("space", "created_by").filter(prefix=prefix).order_by()


def _row(prefix: str) -> Row | None:
    with connection.cursor() as cursor:
        cursor.execute(_statement(connection.vendor), [prefix])
        return cursor.fetchone()


@cache
def _statement(vendor: str) -> str:
    """For `vendor`, which the connection is of."""
    return str(_asked("").query.sql_with_params()[0])


def _copied(key: ApiKey) -> ApiKey:
    mine = copy(key)
    if key.space is not None:
        mine.space = copy(key.space)
        mine.space.settings = dict(key.space.settings)
    if key.created_by is not None:
        mine.created_by = copy(key.created_by)
    return mine
