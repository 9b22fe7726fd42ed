from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from memoryapp.management.command import VerbCommand
from memoryapp.management.door import open_door, segment, wait_for_job
from memoryapp.management.show import progress_bar


class Command(VerbCommand):
    help = (
        "The backups that the heartbeat keeps of a space: list them, restore or remove one. Without a verb, list them."
    )
    otherwise = "list"

    def add_verbs(self) -> None:
        self.verb("list", self.list, help="List them, the newest first, and the folder they are in.")
        restore = self.verb("restore", self.restore, help="Restore one into a new space, beside the present one.")
        _name(restore)
        restore.add_argument("--into", required=True, metavar="SPACE", help="the new space")
        remove = self.verb("remove", self.remove, help="Remove one, for good.")
        _name(remove)
        purged = self.verb(
            "remove-purged", self.remove_purged, help="Remove all that are older than the last purge, for good."
        )
        for parser in (remove, purged):
            parser.add_argument("--dry-run", action="store_true", help="say which would go, and remove nothing")

    def list(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            found = door.request("GET", "/backups")
        self.tell(found, _lines(found), as_json=options["json"])

    def restore(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            asked = f"/backups/{segment(options['name'])}/restore"
            begun = door.request("POST", asked, json={"space": options["into"]})["job"]
            with progress_bar("Restoring") as tell:
                job = wait_for_job(door.into(options["into"]), begun["id"], on_progress=tell)
        if job["status"] == "done" or options["json"]:
            self.tell(
                job, iter([f"Space “{options['into']}”: {job['report'].get('told', '')}"]), as_json=options["json"]
            )
        if job["status"] != "done":
            self.stderr.write(job.get("error") or f"The restore was {job['status']}.")
            sys.exit(1)

    def remove(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            asked = {"dry_run": options["dry_run"]}
            gone = door.request("DELETE", f"/backups/{segment(options['name'])}", params=asked)
        self.tell(gone, _gone_lines(gone), as_json=options["json"])

    def remove_purged(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            gone = door.request("POST", "/backups/remove-purged", json={"dry_run": options["dry_run"]})
        self.tell(gone, _gone_lines(gone), as_json=options["json"])


def _name(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="the file's name, as `backups` lists it")


def _gone_lines(gone: dict[str, Any]) -> Iterator[str]:
    if not gone["removed"]:
        yield "None is older than a purge."
    for name in gone["removed"]:
        yield f"{name} would be removed." if gone["dry_run"] else f"{name} is removed."


def _lines(found: dict[str, Any]) -> Iterator[str]:
    yield f"{len(found['items'])} in {found['folder']}"
    for one in found["items"]:
        at = datetime.fromisoformat(one["made_at"]).astimezone()
        old = "  before a purge: may hold what was purged" if one["before_purge"] else ""
        yield f"{at:%Y-%m-%d %H:%M}  {one['size'] / 1024**2:9,.2f} MB  {one['name']}{old}"
