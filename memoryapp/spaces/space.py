"""What a room needs to work on one space, handed over as one thing."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from memoryapp.domain.clock import Clock, utc_now
from memoryapp.domain.errors import NotFound
from memoryapp.domain.limits import Tuning
from memoryapp.encoders import EncoderSlot
from memoryapp.index import SearchIndex
from memoryapp.store.database import Credentials, Database


@dataclass(frozen=True, slots=True)
class Setup:
    """How spaces are opened in this process.

    `store_url`: surrealkv:///folder, mem:// or ws://…; `index_dir`: where derived indexes are kept, None for nowhere;
    `engine`: local or surreal; `encoder`: the model of spaces that name none.
    """

    store_url: str
    index_dir: Path | None
    engine: str = "local"
    encoder: str = "all-MiniLM-L6-v2"
    models_dir: Path | None = None
    credentials: Credentials | None = None
    clock: Clock = utc_now


@dataclass(frozen=True, slots=True)
class Space:
    """`parent` is read along with the space and never written. `at`: the instant as of which it is read, None for now
    (see spaces.past). `reads_deleted`: whether its reader may see words that were deleted. `lease`: while it, and so
    any copy of this handle, is referred to, the space is not closed for being idle: hold the handle, not only its `db`,
    for as long as you work."""

    name: str
    db: Database
    index: SearchIndex
    encoder: EncoderSlot
    tuning: Tuning = field(default_factory=Tuning)
    clock: Clock = utc_now
    parent: Space | None = None
    at: datetime | None = None
    reads_deleted: bool = False
    lease: object = field(default=None, compare=False, repr=False)


def space_read(space: Space, inherited_from: str = "") -> Space:
    """The parent of this name, near or far, or without one the space itself. Raises NotFound for one it does not
    read."""
    above: Space | None = space
    while above is not None:
        if not inherited_from or (above.name == inherited_from and above is not space):
            return above
        above = above.parent
    raise NotFound(f"“{space.name}” reads no space called “{inherited_from[:80]}”.")
