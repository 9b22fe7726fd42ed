from __future__ import annotations

import sys
from typing import Any

from memoryapp.management.command import VerbCommand
from memoryapp.management.door import open_door, segment, wait_for_job
from memoryapp.management.show import job_file_lines, job_list_lines, one_job_lines, progress_bar


class Command(VerbCommand):
    help = "List jobs, follow one to its end, stop it, try it again, see what it made of each file."
    otherwise = "list"

    def add_verbs(self) -> None:
        listed = self.verb("list", self.list, help="List jobs, newest first.")
        listed.add_argument("--status", choices=["queued", "running", "done", "failed", "cancelled"])
        listed.add_argument("--kind", default="", help="ingest, read, consolidate, …")
        listed.add_argument("--limit", type=int, default=20)
        self.verb("show", self.show, help="Show how far a job is and what it reports.").add_argument("id")
        self.verb("follow", self.follow, help="Wait for a job's end; Ctrl-C stops the job.").add_argument("id")
        self.verb("cancel", self.cancel, help="Stop a job. What it has written stays.").add_argument("id")
        self.verb("retry", self.retry, help="Queue a failed or cancelled job again.").add_argument("id")
        files = self.verb("files", self.files, help="Show what a job made of each file.")
        files.add_argument("id")
        files.add_argument("--outcome", default="", help="“not read” for those that need a look")
        files.add_argument("--limit", type=int, default=50)

    def list(self, **options: Any) -> None:
        asked = {"kind": options.get("kind", ""), "limit": options.get("limit", 20)}
        asked |= {"status": options["status"]} if options.get("status") else {}
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/jobs", params=asked)
        self.tell(page, job_list_lines(page), as_json=options["json"])

    def show(self, **options: Any) -> None:
        self._told("GET", "", options)

    def cancel(self, **options: Any) -> None:
        self._told("POST", "/cancel", options)

    def retry(self, **options: Any) -> None:
        self._told("POST", "/retry", options)

    def follow(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door, progress_bar("Working") as tell:
            job = wait_for_job(door, segment(options["id"]), on_progress=tell)
        self.tell(job, one_job_lines(job), as_json=options["json"])
        if job["status"] != "done":
            sys.exit(1)

    def files(self, **options: Any) -> None:
        asked = {"outcome": options["outcome"], "limit": options["limit"]}
        with open_door(space=options["space"]) as door:
            page = door.request("GET", f"/jobs/{segment(options['id'])}/files", params=asked)
        self.tell(page, job_file_lines(page), as_json=options["json"])

    def _told(self, method: str, act: str, options: dict[str, Any]) -> None:
        with open_door(space=options["space"]) as door:
            job = door.request(method, f"/jobs/{segment(options['id'])}{act}")
        self.tell(job, one_job_lines(job), as_json=options["json"])
