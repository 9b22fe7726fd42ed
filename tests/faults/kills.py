"""Orders kills and judges what is left of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memoryapp.integrity import check
from memoryapp.store.database import Database
from memoryapp.store.rows import record
from tests.faults.acts import ACTS, Place
from tests.faults.content import Content, content, difference
from tests.faults.told import MET
from tests.live import ROOT

PLAIN = re.compile(r"StoreFull: There is no room left on the disk|StoreError: Space “reeds” could not be rewritten")


@dataclass(frozen=True, slots=True)
class Kill:
    """Of an act: at which of its steps (from 1), when, and for “during” how long after its begin, in seconds."""

    act: str
    at: int
    when: str
    wait: float = 0.0

    def __str__(self) -> str:
        return f"{self.act}, step {self.at}, {self.when}" + (f" {self.wait * 1000:.1f} ms" if self.wait else "")


@dataclass(slots=True)
class Killer:
    """The process that forks the children, the prepared folders, and what an act ends in that nobody kills."""

    scratch: Path
    _process: subprocess.Popen[str] | None = None
    _steps: dict[str, int] = field(default_factory=dict)
    _whole: dict[str, Content] = field(default_factory=dict)
    _number: int = 0

    def order(self, place: Place, act: str, kill: Kill | None = None, *, room: int = 0) -> dict[str, Any]:
        """The act in a child: how it ended, what it acknowledged. `room`: bytes that a file may take; 0: any."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.child"],
                cwd=ROOT,
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._process.stdin is not None and self._process.stdout is not None
        told: dict[str, Any] = {"act": act, "folder": str(place.folder), "room": room}
        told |= {"at": kill.at, "when": kill.when, "wait": kill.wait} if kill else {}
        self._process.stdin.write(json.dumps(told) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            self._process.wait(30)
            self._process.stdout.close()  # type: ignore[union-attr]

    def steps(self, act: str) -> int:
        """How many steps the act has where nobody kills it."""
        self._measure(act)
        return self._steps[act]

    def copy(self, act: str) -> Place:
        """A folder in which the act can begin."""
        prepared = self.scratch / act / "prepared"
        if not prepared.exists():
            prepared.mkdir(parents=True)
            ACTS[act].prepare(Place(prepared))
        # Never the same path twice: an engine that was closed in this process may still be tidying up behind itself.
        self._number += 1
        place = Place(self.scratch / act / str(self._number))
        shutil.copytree(prepared, place.folder)
        return place

    def _measure(self, act: str) -> None:
        if act in self._steps:
            return
        place = self.copy(act)
        answer = self.order(place, act)
        assert answer["exit"] == 0 and not answer["refused"], answer
        self._steps[act] = answer["steps"]
        self._whole[act] = self._judged(place)

    def judge(self, kill: Kill, *more: Kill) -> bool:
        """Kills the act, and each further time the one that goes on with it, with nobody in between who closes the
        folder in order; looks, lets it come to its end, and looks again. Whether it was killed at all: a process may
        end before a kill under way reaches it."""
        self.steps(kill.act)
        place = self.copy(kill.act)
        told = ", then ".join(map(str, (kill, *more)))
        reached, lines = False, []
        for one in (kill, *more):
            answer = self.order(place, kill.act, one)
            assert answer["exit"] in (0, -9), f"{told}: {answer['error']}"
            reached |= answer["exit"] == -9
            MET["kills"] += answer["exit"] == -9
            MET["killed again"] += answer["exit"] == -9 and one is not kill
            lines += answer["told"]
        if not ACTS[kill.act].as_one:
            self._there(place, lines, told)
        self._judged(place, told=f"after {told}")
        self._done_again(place, kill.act, told)
        shutil.rmtree(place.folder)
        return reached

    def refused(self, act: str, room: int) -> bool:
        """The act on a disk on which a file may have so many bytes: what it says, what is there then, and after it was
        done again with room. Whether it was refused at all, or fits."""
        self.steps(act)
        place = self.copy(act)
        answer = self.order(place, act, room=room)
        assert answer["exit"] == 0, answer["error"]
        assert not answer["refused"] or PLAIN.match(answer["refused"]), answer["refused"]
        told = f"{act} with {room:,} bytes of room"
        MET["full disks"] += 1
        MET["refused"] += bool(answer["refused"])
        if not ACTS[act].as_one:
            self._there(place, answer["told"], told)
        self._judged(place, told=f"after {told}")
        self._done_again(place, act, told)
        shutil.rmtree(place.folder)
        return bool(answer["refused"])

    def _done_again(self, place: Place, act: str, told: str) -> None:
        last = self.order(place, act)
        assert last["exit"] == 0 and not last["refused"], f"{told}: it cannot be done again: {last}"
        found = self._judged(place, told=f"after {told}, and done again")
        left_out = ACTS[act].leaves_out
        expected = {table: rows for table, rows in self._whole[act].items() if table not in left_out}
        differs = difference(expected, {table: rows for table, rows in found.items() if table not in left_out})
        assert not differs, f"{told}: done again it ends otherwise than without it:\n{differs}"

    def _judged(self, place: Place, *, told: str = "without a kill") -> Content:
        with place.opened() as space:
            report = check(space)
            assert report.sound, f"{told}: {report.broken[:5]}"
            return content(space.db)

    def _there(self, place: Place, lines: list[str], told: str) -> None:
        with place.opened() as space:
            missing = absent(space.db, lines)
        assert not missing, f"{told}: acknowledged and not there: {missing[:5]} of {len(lines)}"


def absent(db: Database, lines: list[str]) -> list[str]:
    """Those of these records (table:key) that are not in the store."""
    wanted = []
    for line in dict.fromkeys(lines):
        table, _, key = line.partition(":")
        wanted.append((line, record(table, json.loads(key) if key[:1] in '"[' else key)))
    if not wanted:
        return []
    found = db.query("RETURN $keys.map(|$key| record::exists($key))", keys=[key for _, key in wanted])[0]
    return [line for (line, _), there in zip(wanted, found, strict=True) if not there]
