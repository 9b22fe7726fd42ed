"""What the fields of a dataclass say, so that a new field needs no line in each place that handles all of them."""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from functools import cache
from typing import Any, get_args, get_type_hints


def shared_fields(source: object, made: type) -> dict[str, Any]:
    """The attributes of `source` that have the name of a field of `made`, lists as tuples."""
    found = {f.name: getattr(source, f.name) for f in fields(made) if hasattr(source, f.name)}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}


@cache
def moment_fields(made: type) -> tuple[str, ...]:
    """Names of its fields that hold an instant, or none."""
    hints = get_type_hints(made)
    return tuple(name for name, hint in hints.items() if datetime in (hint, *get_args(hint)))
