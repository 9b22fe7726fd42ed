"""A space opened: its database, its search index, its encoder. The rooms above are handed one of these."""

from __future__ import annotations

from memoryapp.spaces.embed import embed, embed_into
from memoryapp.spaces.past import as_it_stood, rows_at, space_at
from memoryapp.spaces.pipeline import (
    close_all,
    close_idle,
    close_space,
    configure,
    current_setup,
    idle_for,
    is_open,
    list_open_spaces,
    open_space,
)
from memoryapp.spaces.space import Setup, Space, space_read, trust_of, zones_in

__all__ = [
    "Setup",
    "Space",
    "as_it_stood",
    "close_all",
    "close_idle",
    "close_space",
    "configure",
    "current_setup",
    "embed",
    "embed_into",
    "idle_for",
    "is_open",
    "list_open_spaces",
    "open_space",
    "rows_at",
    "space_at",
    "space_read",
    "trust_of",
    "zones_in",
]
