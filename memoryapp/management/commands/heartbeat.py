from __future__ import annotations

import sys
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import ApiDoor, open_door, segment, wait_for_job
from memoryapp.management.show import progress_bar


def heartbeat_lines(items: list[dict[str, Any]]) -> Iterator[str]:
    """Two lines an act: when it is done, and what came of it last."""
    for one in items:
        due = f", next {_moment(one['next_at'])}" if one["next_at"] else ""
        yield f"{one['act']:<12} {schedule_words(one) if one['on'] else 'off'}{due if one['on'] else ''}"
        yield f"{'':<12} {outcome_words(one)}"


def schedule_words(one: dict[str, Any]) -> str:
    """“daily at 03:00 Asia/Seoul”, “every 6 h”, “as soon as there is something to do”."""
    if one["at"]:
        return f"daily at {one['at']}{' ' + one['zone'] if one['zone'] else ''}"
    if not one["every_minutes"]:
        return "as soon as there is something to do"
    hours, minutes = divmod(one["every_minutes"], 60)
    return f"every {hours} h" if not minutes else f"every {one['every_minutes']} min"


def outcome_words(one: dict[str, Any]) -> str:
    if one["running"]:
        return "running now"
    if not one["last_at"]:
        return "not done yet"
    word = "failed: " if one["failed"] else "skipped: " if one["skipped"] else ""
    took = f" ({one['took']:.1f} s)" if one["took"] is not None else ""
    return f"{_moment(one['last_at'])}  {word}{one['told']}{took}"


def _moment(text: str) -> str:
    return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M")


class Command(PalimpsestCommand):
    help = "Show what a space does by itself and when, set an act, or do one now."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--run", default="", metavar="ACT", help="do this act now, and wait for its end")
        parser.add_argument("--set", default="", metavar="ACT", help="set this act, with what follows")
        parser.add_argument("--on", action=BooleanOptionalAction, help="whether it is done at all")
        parser.add_argument("--every", type=int, metavar="MINUTES", help="0: as soon as there is something to do")
        parser.add_argument("--at", metavar="HH:MM", help="at a time of day instead")
        parser.add_argument("--zone", help="of --at, such as Asia/Seoul")
        parser.add_argument("--keep", type=int, metavar="COUNT", help="backups that are kept, of the act backup")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        with open_door(space=options["space"], with_model=bool(options["run"])) as door:
            job = self._run(door, options["run"]) if options["run"] else None
            if options["set"]:
                door.request("PATCH", "/heartbeat", json={"act": options["set"]} | _schedule(options))
            shown = door.request("GET", "/heartbeat")["items"]
        if options["set"]:
            shown = [one for one in shown if one["act"] == options["set"]]
        if job is not None:
            shown = [one for one in shown if one["act"] == options["run"]]
        if options["json"]:
            self.print_json({"items": shown, "job": job})
        else:
            for line in heartbeat_lines(shown):
                self.stdout.write(line)
        if job is not None and job["status"] != "done":
            self.stderr.write(job["error"] or f"The job was {job['status']}.")
            sys.exit(1)

    def _run(self, door: ApiDoor, act: str) -> dict[str, Any]:
        begun = door.request("POST", f"/heartbeat/{segment(act)}/run")["job"]
        with progress_bar(act) as tell:
            return wait_for_job(door, begun["id"], on_progress=tell)


def _schedule(options: dict[str, Any]) -> dict[str, Any]:
    """What was said of when it is done. Raises BadInput for nothing."""
    said = {"on": options["on"], "every_minutes": options["every"], "at": options["at"], "zone": options["zone"]}
    said["keep"] = options["keep"]
    found = {name: value for name, value in said.items() if value is not None}
    if not found:
        raise BadInput("Say what is to change: --on, --no-on, --every, --at, --zone or --keep.")
    return found
