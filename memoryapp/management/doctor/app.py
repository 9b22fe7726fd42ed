"""The app: whether it runs, who holds the folder, and how store, model, index and jobs are, asked by its own API."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings

from memoryapp.management.doctor.finding import Finding
from memoryapp.management.door import Door, open_door
from memoryapp.management.running import LOCK_FILE, is_held, running_in, told_in
from memoryapp.program import program_name

_PATIENCE = 60.0  # seconds for the model to load
_STUCK_AFTER = timedelta(minutes=2)
_ANOTHER_FOLDER = "name another folder: --data DIR"


def process() -> Iterator[Finding]:
    """Who holds the folder, and whether it answers."""
    folder = settings.DATA_DIR
    told, held = told_in(folder), is_held(folder)
    if (running := running_in(folder)) is not None:
        yield Finding("Process", "ok", f"{running.pid} runs the app at {running.url}")
    elif held:
        holder = (folder / LOCK_FILE).read_text(encoding="utf-8").strip() or "of an unknown number"
        why = f"does not answer at {told.url}" if told else "is no app that answers: a command, or a start under way"
        fix = f"Wait a little; else stop it (kill {holder}), or {_ANOTHER_FOLDER}"
        yield Finding("Process", "bad", f"process {holder} holds the folder and {why}", fix)
    elif told is not None:
        alive = _is_alive(told.pid)
        told_of = f"the app ended without saying so (process {told.pid}{', now another program' if alive else ''})"
        yield Finding(
            "Process", "warn", told_of, f"Start it again: {program_name()} up. Nothing that it acknowledged is lost."
        )
    else:
        yield Finding("Process", "ok", "the app is not running; commands open the folder themselves")


def store_and_model(*, whole: bool = False) -> Iterator[Finding]:
    """`whole`: also every invariant, against all that is held."""
    with open_door(quiet=True) as door:
        ready = _wait_until_settled(door)
        yield Finding("App", "ok", f"answers by {door.where}")
        fine = ready["store"] == "ok"
        yield Finding("Store", "ok" if fine else "bad", str(ready["store"]), "" if fine else "See the log of the app.")
        yield from _model(door, ready)
        counts = door.request("GET", "/stats")
        held = counts["states"].get("held", 0)
        yield Finding("Memories", "ok", f"{held:,} held, {counts['conflicts_waiting']:,} conflicts waiting")
        yield from _languages(counts["languages"])
        yield from _jobs(door)
        if whole:
            yield from _integrity(door)


def _model(door: Door, ready: dict[str, Any]) -> Iterator[Finding]:
    version = door.request("GET", "/version")
    if ready.get("encoder_error"):
        fix = "Search answers by words alone. Name a model that is here: MEMORY_ENCODER, or the space's settings."
        yield Finding("Model", "bad", str(version.get("encoder_error") or ready["encoder_error"]), fix)
        return
    named = version["encoder"]
    others = [one for one in door.request("GET", "/spaces")["items"] if one["encoder"] != named]
    if others:
        told = f"{others[0]['name']} is embedded by {others[0]['encoder']}, while MEMORY_ENCODER names {named}"
        fix = "Each goes on with its own, new spaces take the other; set MEMORY_ENCODER back if that was not meant."
        yield Finding("Model", "warn", f"{ready['encoder']}; {told}", fix)
    else:
        yield Finding("Model", "ok", f"{named}: {ready['encoder']}")


def _languages(found: dict[str, Any]) -> Iterator[Finding]:
    if found["advice"]:
        yield Finding(
            "Languages", "warn", found["advice"], f"{program_name()} embed --model {found['suggested_model']}"
        )
        return
    told = ", ".join(f"{one['share']:.0%} {one['name']}" for one in found["shares"])
    yield Finding("Languages", "ok", told or "too little to tell")


def _jobs(door: Door) -> Iterator[Finding]:
    failed = door.request("GET", "/jobs", params={"status": "failed"})["items"]
    queued = door.request("GET", "/jobs", params={"status": "queued", "limit": 200})["items"]
    running = door.request("GET", "/jobs", params={"status": "running", "limit": 1})["items"]
    before = datetime.now(UTC) - _STUCK_AFTER
    stuck = [one for one in queued if datetime.fromisoformat(one["created_at"]) < before]
    if stuck and not running and running_in(settings.DATA_DIR) is not None:
        told = f"{len(stuck)} have waited for minutes, and no worker takes them"
        yield Finding("Jobs", "bad", told, f"Start a worker, or start the app again: {program_name()} up")
    elif failed:
        told = f"{len(failed)} failed; the last: {failed[0].get('error') or 'no reason given'}"
        yield Finding("Jobs", "warn", told, f"{program_name()} jobs retry ID tries it again; the page Jobs tells more.")
    else:
        yield Finding("Jobs", "ok", "none failed")


def _integrity(door: Door) -> Iterator[Finding]:
    found = door.request("GET", "/integrity")
    if found["sound"]:
        told = f"{len(found['invariants'])} invariants hold for {found['memories']:,} memories"
        yield Finding("Whole", "ok", f"{told}, checked in {found['seconds']:.1f} s")
        return
    first = found["broken"][0]
    told = f"{len(found['broken'])} records are not as they must be; the first: {first['record']} {first['told']}"
    yield Finding("Whole", "bad", told, "Look again with the space at rest; else restore a backup, and report it.")


def _wait_until_settled(door: Door) -> dict[str, Any]:
    """How the app is once its model is loaded or has failed to; a start is not a trouble."""
    until = time.monotonic() + _PATIENCE
    door.request("GET", "/version")  # of a space, which has the model loaded where nobody has used the app yet
    while True:
        ready: dict[str, Any] = door.request("GET", "/health/ready")
        if ready["encoder"] not in ("idle", "loading") or time.monotonic() > until:
            return ready
        time.sleep(0.2)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
