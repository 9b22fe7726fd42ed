"""A disk that takes no more, in the middle of every act: it ends with a plain message, nothing that was acknowledged is
lost, and once there is room the act is done again. And a folder that another process holds."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoryapp.domain.errors import StoreFull, StoreLocked
from memoryapp.domain.remembering import NewMemory
from memoryapp.integrity import check
from memoryapp.remember import remember
from memoryapp.store import memories
from tests.faults.acts import ACTS, Place
from tests.faults.acts.act import NAME
from tests.faults.kills import Killer
from tests.faults.told import FULL
from tests.live import ROOT
from tests.samples import AGENT

ROOM = (6_000, 40_000, 160_000) if FULL else (40_000,)  # bytes that a file may have


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    made = Killer(tmp_path_factory.mktemp("full"))
    yield made
    made.close()


@pytest.mark.parametrize("room", ROOM)
@pytest.mark.parametrize("act", ACTS if FULL else ("ingest", "remember", "restore", "embed", "compact"))
def test_an_act_on_a_full_disk_is_refused_in_plain_words_and_done_once_there_is_room(
    killer: Killer, act: str, room: int
) -> None:
    assert killer.refused(act, room) or FULL  # in the long form some have room enough


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a file system of its own")
def test_on_a_file_system_without_room_what_was_there_is_read_and_what_comes_later_is_kept(tmp_path: Path) -> None:
    """A real one, of a few megabytes, filled to the brim by somebody else."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=14m", "tmpfs", str(tmp_path)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this machine does not let a test mount a file system")
    try:
        _on_a_small_disk(Place(tmp_path / "place"))
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def _on_a_small_disk(place: Place) -> None:
    place.folder.mkdir()
    ballast = place.file("ballast")
    ballast.write_bytes(bytes(8 << 20))
    told: list[str] = []
    with place.opened() as space:
        with pytest.raises(StoreFull, match="no room"):
            for n in range(400):
                told += [one.id for one in remember(space, [NewMemory(f"Note {n}. " + "reeds " * 5_000)], actor=AGENT)]
        assert told and set(memories.get_many(space.db, told)) == set(told)
        with pytest.raises(StoreFull):
            remember(space, [NewMemory("Not yet.")], actor=AGENT)
        ballast.unlink()
        told += [one.id for one in remember(space, [NewMemory("Now there is room.")], actor=AGENT)]
    with place.opened() as space:
        assert set(memories.get_many(space.db, told)) == set(told)
        assert check(space).sound
        assert len(list(memories.scan(space.db))) == len(told)


def test_a_folder_that_another_process_holds_is_left_alone(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with place.opened():
        program = "import sys; from tests.faults.acts import Place; from pathlib import Path\n"
        program += "with Place(Path(sys.argv[1])).opened(): pass"
        second = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)],
            cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert second.returncode != 0
    assert StoreLocked.__name__ in second.stderr and NAME in second.stderr
