from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door, wait_for_job
from memoryapp.management.show import progress_bar


class Command(PalimpsestCommand):
    help = "Read a folder or file of Markdown into memory. What has not changed is neither embedded nor written again."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", help="a folder, a .md, .markdown or .txt file, or a .zip of them")
        parser.add_argument("--dry-run", action="store_true", help="print the same counts and change nothing")
        told = "of a new source: read it again when an agent opens a session"
        parser.add_argument("--on-session-start", action="store_true", help=told)
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        path = str(Path(options["path"]).expanduser().absolute())  # the app may run in another folder
        with open_door(space=options["space"]) as door, progress_bar("Reading") as tell:
            asked = {"path": path, "dry_run": options["dry_run"], "on_session_start": options["on_session_start"]}
            job = door.request("POST", "/ingest", json=asked)["job"]
            ended = wait_for_job(door, job["id"], on_progress=tell)
        self.tell_ingest(ended, as_json=options["json"])
