"""A space in which every room has worked, and its export."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp import spaces
from memoryapp.domain.limits import Tuning
from memoryapp.spaces import Space
from memoryapp.transfer.export import export
from tests.samples import REVIEW, HandClock, open_spaces
from tests.transfer.worlds import lived_in

SETTINGS = {"trust_half_life_days": 60.0, **REVIEW}


@pytest.fixture
def space(clock: HandClock, tmp_path: Path) -> Iterator[Space]:
    """Lived in."""
    with open_spaces(clock=clock):
        opened = spaces.open_space("reeds", tuning=Tuning(**REVIEW))
        opened.encoder.get(30)
        (tmp_path / "notes").mkdir()
        yield lived_in(opened, tmp_path / "notes")


@pytest.fixture
def other(clock: HandClock) -> Iterator[Space]:
    with open_spaces(clock=clock):
        opened = spaces.open_space("pond", tuning=Tuning(**REVIEW))
        opened.encoder.get(30)
        yield opened


@pytest.fixture(scope="session")
def _sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once: most tests only need some export."""
    folder = tmp_path_factory.mktemp("sample")
    (folder / "notes").mkdir()
    with open_spaces(clock=HandClock()):
        opened = spaces.open_space("reeds", tuning=Tuning(**REVIEW))
        opened.encoder.get(30)
        export(lived_in(opened, folder / "notes"), folder / "reeds.zip", settings=SETTINGS)
    return folder / "reeds.zip"


@pytest.fixture
def sample(_sample: Path, tmp_path: Path) -> Path:
    """The export of a space that is not open."""
    return Path(shutil.copy(_sample, tmp_path))


@pytest.fixture
def archive(space: Space, tmp_path: Path) -> Path:
    export(space, tmp_path / "reeds.zip", settings=SETTINGS)
    return tmp_path / "reeds.zip"
