from __future__ import annotations

import sys
from typing import Any

from memoryapp.domain.memory import Category
from memoryapp.management.command import VerbCommand
from memoryapp.management.door import open_door, wait_for_job
from memoryapp.management.show import progress_bar, summary_lines


class Command(VerbCommand):
    help = "Show what is known in each category, or have it written anew."
    otherwise = "list"

    def add_verbs(self) -> None:
        self.verb("list", self.list, help="Show the summaries.")
        again = self.verb("refresh", self.refresh, help="Write anew what no longer tells what is held.")
        again.add_argument("category", nargs="*", help=f"of {', '.join(Category)} (default: all)")
        again.add_argument("--force", action="store_true", help="also where too little is new")

    def list(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/summaries")
        self.tell(page, summary_lines(page), as_json=options["json"])

    def refresh(self, **options: Any) -> None:
        asked = {"categories": options["category"], "force": options["force"]}
        with open_door(space=options["space"], with_model=True) as door, progress_bar("Writing") as tell:
            job = door.request("POST", "/summaries/refresh", json=asked)["job"]
            ended = wait_for_job(door, job["id"], on_progress=tell)
            page = door.request("GET", "/summaries")
        self.tell(page | {"job": ended}, summary_lines(page), as_json=options["json"])
        if ended["status"] != "done":
            self.stderr.write(ended["error"] or f"The job was {ended['status']}.")
            sys.exit(1)
