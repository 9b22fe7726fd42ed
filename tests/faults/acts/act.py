"""What an act under fault is: how its folder is prepared, what it does, and what is expected of doing it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from memoryapp import spaces
from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.limits import Tuning
from memoryapp.spaces import Setup, Space
from tests.samples import NOON, REVIEW, HandClock

NAME = "reeds"
MACHINE = Actor(ActorKind.MACHINE, "faults")


def nothing(line: str) -> None:
    """Where nobody listens."""


@dataclass(frozen=True, slots=True)
class Place:
    """A data folder of one embedded space, with what an act needs beside it. `tell` is called with the id of each
    record, as table:key, that somebody was told is kept."""

    folder: Path
    hours: int = 0  # of the clock, after noon
    tell: Callable[[str], None] = field(default=nothing)

    @property
    def url(self) -> str:
        return f"surrealkv://{self.folder / 'spaces'}"

    @property
    def notes(self) -> Path:
        return self.folder / "notes"

    @property
    def index(self) -> Path:
        return self.folder / "index"

    def file(self, name: str) -> Path:
        return self.folder / name

    @contextmanager
    def opened(self) -> Iterator[Space]:
        """The space, opened as the app opens it, and closed in order."""
        clock = HandClock(NOON + timedelta(hours=self.hours))
        spaces.configure(Setup(store_url=self.url, index_dir=self.index, encoder="hashing", clock=clock))
        try:
            space = spaces.open_space(NAME, tuning=Tuning(**REVIEW))
            space.encoder.get(30)
            yield space
        finally:
            spaces.close_all()


@dataclass(frozen=True, slots=True)
class Act:
    """`prepare` fills a folder and closes it. `run` does the act, and is called again after a kill: what it finds done
    it leaves. `leaves_out`: what of the content may differ between an act that was killed and one that was not, with
    the reason beside it. `alone` in place of `run`: the act opens the folder by itself. `as_one`: it is acknowledged at
    its end and not before; cut short, it has never been."""

    name: str
    prepare: Callable[[Place], None]
    run: Callable[[Place, Space], None] | None = None
    alone: Callable[[Place], None] | None = None
    leaves_out: frozenset[str] = frozenset()
    as_one: bool = False

    def do(self, place: Place) -> None:
        if self.alone is not None:
            self.alone(place)
        elif self.run is not None:
            with place.opened() as space:
                self.run(place, space)
