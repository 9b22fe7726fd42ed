"""One request, said but not yet sent: what `Palimpsest` and `AsyncPalimpsest` have in common."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import quote

T = TypeVar("T")
API = "/api/v1"


@dataclass(frozen=True, kw_only=True)
class Call(Generic[T]):
    """`path` is the one of the OpenAPI document, below /api/v1; `names` fills what stands there in braces. `gives` is
    what the answer is read as. `writes`: it carries an Idempotency-Key, so that sending it again is doing it once.
    `version` is sent as If-Match. `upload` is a file's name and content, sent as a form with `json` as its fields;
    `into` is the file that the answer is written to as it comes."""

    method: str
    path: str
    gives: type[T]
    names: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    json: Mapping[str, Any] | None = None
    upload: tuple[str, bytes] | None = None
    into: Path | None = None
    writes: bool = False
    version: int | None = None
    once: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def address(self) -> str:
        """Raises ValueError for an empty id or name: it would be another address."""
        if not all(self.names.values()):
            raise ValueError(f"An id or name is empty, for {self.path}.")
        # A node of the tree is named by a path; its slashes stay.
        filled = {name: quote(value, safe="/" if name == "path" else "") for name, value in self.names.items()}
        return API + self.path.format(**filled)

    @property
    def headers(self) -> dict[str, str]:
        found = {"Idempotency-Key": self.once} if self.writes else {}
        return found | ({"If-Match": f'"{self.version}"'} if self.version is not None else {})


def given(**values: Any) -> dict[str, Any]:
    """What was said, as JSON has it: what is None is left out, times are written in full. A time without an offset is
    the caller's own, not UTC as the API would take it."""
    return {name: _plain_value(value) for name, value in values.items() if value is not None}


def _plain_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat()
    if isinstance(value, Mapping):
        return {name: _plain_value(one) for name, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain_value(one) for one in value]
    return value
