"""What is derived may be lost, damaged or another's: it is made again, and every strategy answers as before."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.results import Query
from memoryapp.index import disk
from memoryapp.integrity import check
from memoryapp.remember import remember
from memoryapp.search import search
from memoryapp.spaces import Space
from tests.faults.acts import ACTS, Place
from tests.faults.acts.act import NAME
from tests.faults.told import FULL, MET, SEED
from tests.samples import AGENT

STRATEGIES = ("hybrid", "rrf", "dual-arm", "bridge", "recall", "context-tree", "keyword", "vector")
ASKED = ("who uses Redis at work", "Mara lives in Oslo", "green tea", "배포", "hours away", "the limit")
Answers = dict[tuple[str, str], list[tuple[str, float]]]


def answers(space: Space) -> Answers:
    """Without the query cache: each is asked of a space that was just opened."""
    return {
        (strategy, text): [
            (hit.memory.id, round(hit.score, 4)) for hit in search(space, Query(text, strategy=strategy)).hits
        ]
        for strategy in STRATEGIES
        for text in ASKED
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Place, Answers]:
    """A space in which every room has worked, closed in order, and what it answers."""
    place = Place(tmp_path_factory.mktemp("whole"))
    ACTS["embed"].prepare(place)
    with place.opened() as space:
        told = answers(space)
    assert sum(map(len, told.values())) > 100
    return place, told


@pytest.fixture
def place(whole: tuple[Place, Answers], tmp_path: Path) -> Iterator[Place]:
    copied = Place(tmp_path / "whole")
    shutil.copytree(whole[0].folder, copied.folder)
    yield copied


def file_of(place: Place) -> Path:
    return place.index / NAME / disk.NAME


def cut(path: Path, share: float) -> None:
    os.truncate(path, int(path.stat().st_size * share))


def another_version(path: Path) -> None:
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    header = arrays["header"].tobytes().replace(f", {disk.FORMAT}, ".encode(), b", 99, ", 1)
    np.savez(path, **(arrays | {"header": np.frombuffer(header, dtype=np.uint8)}))


DAMAGE: dict[str, Callable[[Path], object]] = {
    "the folder is gone": lambda path: shutil.rmtree(path.parents[1]),
    "the file is gone": lambda path: path.unlink(),
    "it is empty": lambda path: cut(path, 0),
    "it is cut short": lambda path: cut(path, 0.6),
    "it is noise": lambda path: path.write_bytes(random.Random(SEED).randbytes(path.stat().st_size)),
    "it is of another version": another_version,
    "a folder stands in its place": lambda path: (path.unlink(), path.mkdir()),
    "the index's folder is a file": lambda path: (shutil.rmtree(path.parent), path.parent.write_text("")),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_an_index_that_is_lost_or_damaged_is_made_again(
    whole: tuple[Place, Answers], place: Place, damage: str
) -> None:
    DAMAGE[damage](file_of(place))
    with place.opened() as space:
        assert answers(space) == whole[1]
        assert space.index.status().reason
        assert check(space).sound


def test_a_store_that_was_put_back_is_not_searched_by_what_came_after(
    whole: tuple[Place, Answers], place: Place, tmp_path: Path
) -> None:
    """Its folder alone is replaced by an older copy; the index beside it knows more than it should."""
    shutil.copytree(place.folder / "spaces", tmp_path / "older")
    with place.opened() as space:
        remember(space, [NewMemory("Nobody uses Redis at work any more, says the later one.")], actor=AGENT)
    shutil.rmtree(place.folder / "spaces")
    (tmp_path / "older").rename(place.folder / "spaces")
    with place.opened() as space:
        assert answers(space) == whole[1]
        assert check(space).sound


def test_whichever_bytes_are_wrong_the_answers_are_right(whole: tuple[Place, Answers], place: Place) -> None:
    """Bytes drawn at random are changed, one or many: the file is refused or was not hurt where it matters."""
    draw = random.Random(SEED)
    pristine = file_of(place).read_bytes()
    for _ in range(200 if FULL else 6):
        spoilt = bytearray(pristine)
        for at in draw.sample(range(len(spoilt)), draw.choice((1, 1, 3, 200))):
            spoilt[at] ^= draw.randint(1, 255)
        file_of(place).write_bytes(spoilt)
        MET["spoilt"] += 1
        with place.opened() as space:
            assert answers(space) == whole[1]
            assert check(space).sound
