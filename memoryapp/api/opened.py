"""The space of a request, opened."""

from __future__ import annotations

from dataclasses import replace

from memoryapp.accounts.opening import open_row
from memoryapp.accounts.roles import Role
from memoryapp.api.caller import ApiRequest
from memoryapp.spaces import Space


def the_space(request: ApiRequest) -> Space:
    """Raises StoreLocked or StoreUnavailable."""
    reads_deleted = request.auth.role.allows(Role.CURATOR)
    return replace(open_row(request.auth.space), reads_deleted=reads_deleted)
