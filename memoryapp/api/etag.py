"""ETag and If-Match: the version of what is changed, so that nobody changes what they have not seen."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest

from memoryapp.domain.errors import BadInput, Stale
from memoryapp.spaces import Space
from memoryapp.store import memories

_TAG = re.compile(r'(?:W/)?"?(\d{1,9})"?')


def expected_versions(request: HttpRequest) -> frozenset[int] | None:
    """The versions that If-Match allows; None where the header is absent or `*`. Raises BadInput."""
    said = request.headers.get("If-Match", "").strip()
    if not said or said == "*":
        return None
    found = [_TAG.fullmatch(part.strip()) for part in said.split(",")]
    if not all(found):
        raise BadInput(
            f'If-Match takes the ETag that it was given with, such as "3", not {said[:60]}.', field="If-Match"
        )
    return frozenset(int(match[1]) for match in found if match)


def expected_of(request: HttpRequest, space: Space, key: str) -> int | None:
    """The version that the caller read of this memory, or None where they named none: what `review` checks inside
    the write itself. Of several named versions it is the present one. Raises NotFound and Stale."""
    return expected_version(request, lambda: memories.get(space.db, key).version)


def expected_version(request: HttpRequest, current_of: Callable[[], int]) -> int | None:
    """The same for a record whose present version `current_of` tells."""
    allowed = expected_versions(request)
    if allowed is None:
        return None
    if len(allowed) == 1:
        return next(iter(allowed))
    current = current_of()
    if current not in allowed:
        raise Stale(f"It was changed since you read it: it now stands at version {current}.", current=current)
    return current
