"""The process that is killed. One process imports the product and forks, before any engine is opened, a child for each
act: so that a kill costs what the act costs, and not a start.

    python -m tests.faults.child   reads an order a line (JSON), answers {"exit", "told", "steps", "refused", "error"}

A *step* is a statement that writes to the store, or a rename or removal of a file below the folder of the spaces. An
order names the step at which the process ends by SIGKILL: before it, after it (the answer has arrived, and nobody was
told), or while it is under way. Or it names the room that a file may take, in bytes, as a full disk does.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from surrealdb import RecordID

from memoryapp.domain.errors import StoreError
from memoryapp.store import database
from tests.faults.acts import ACTS, Place

_FILES = {"os.rename", "os.remove", "os.rmdir", "shutil.rmtree"}
_GOING = {"graphed", "unrelated", "unlinked", "settled"}  # variables that name records which the statement takes away


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Steps:
    """Counts the steps of this process and ends it at one of them. `tell` is given the records of every write that was
    answered."""

    def __init__(self, order: dict[str, Any], tell: Callable[[str], None]) -> None:
        self.number = 0
        self._at = int(order.get("at") or 0)
        self._when = str(order.get("when") or "before")
        self._wait = float(order.get("wait") or 0)
        self._spaces = str(Path(order["folder"]) / "spaces")
        self._tell = tell
        self._ask = database.Database._ask
        self._lock = threading.Lock()
        self._live = False

    @contextmanager
    def counted(self) -> Iterator[None]:
        steps, ask = self, self._ask

        async def asked(db: database.Database, statement: str, variables: dict[str, Any], *, logs: bool) -> list[Any]:
            if not database._writing(statement):
                return await ask(db, statement, variables, logs=logs)
            mine = steps.begin()
            found = await ask(db, statement, variables, logs=logs)
            if mine and steps._when == "after":
                kill()
            for line in records(variables):
                steps._tell(line)
            return found

        database.Database._ask = asked  # type: ignore[method-assign]
        sys.addaudithook(self._file)
        self._live = True
        try:
            yield
        finally:
            self._live = False
            database.Database._ask = ask  # type: ignore[method-assign]

    def begin(self) -> bool:
        """Counts a step, and whether it is the one."""
        with self._lock:
            self.number += 1
            mine = self.number == self._at
        if mine and self._when == "before":
            kill()
        if mine and self._when == "during":
            threading.Timer(self._wait, kill).start()
        return mine

    def _file(self, event: str, arguments: tuple[Any, ...]) -> None:
        counts = self._live and event in _FILES and str(arguments[0]).startswith(self._spaces)
        # A file's step is told as it begins, and not as it ends.
        if counts and self.begin() and self._when == "after":
            kill()


def records(variables: dict[str, Any]) -> Iterator[str]:
    """What is there once these were written, as table:key."""
    for name, value in variables.items():
        if name in _GOING:
            continue
        for row in value if isinstance(value, list) else [value]:
            if isinstance(row, dict) and isinstance(row.get("id"), RecordID):
                yield f"{row['id'].table_name}:{json.dumps(row['id'].id)}"


def act(order: dict[str, Any], told: int) -> None:
    """Does the act in this process, writing what is acknowledged to the open file `told`, a line each."""

    def tell(line: str) -> None:
        os.write(told, f"{line}\n".encode())

    if room := order.get("room"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(room), resource.RLIM_INFINITY))
    steps = Steps(order, tell)
    try:
        with steps.counted():
            ACTS[order["act"]].do(Place(Path(order["folder"]), hours=1, tell=tell))
    except StoreError as refused:
        tell(f"refused {type(refused).__name__}: {refused.detail}")
    tell(f"steps {steps.number}")


def forked(order: dict[str, Any]) -> dict[str, Any]:
    """The act in a child of this process, and how that ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            act(order, writing)
            code = 0
        except BaseException:
            os.write(writing, ("error " + json.dumps(traceback.format_exc()[-3000:]) + "\n").encode())
        finally:
            os._exit(code)
    os.close(writing)
    with open(reading) as stream:
        lines = stream.read().splitlines()
    _, status = os.waitpid(child, 0)
    steps = [int(line.split()[1]) for line in lines if line.startswith("steps ")]
    errors = [json.loads(line.removeprefix("error ")) for line in lines if line.startswith("error ")]
    refused = [line.removeprefix("refused ") for line in lines if line.startswith("refused ")]
    told = [line for line in lines if not line.startswith(("steps ", "error ", "refused "))]
    return {
        "exit": os.waitstatus_to_exitcode(status),
        "told": told,
        "steps": steps[0] if steps else None,
        "refused": "\n".join(refused),
        "error": "\n".join(errors),
    }


def main() -> None:
    for line in sys.stdin:
        print(json.dumps(forked(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
