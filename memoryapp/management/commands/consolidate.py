from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door, wait_for_job
from memoryapp.management.show import progress_bar
from memoryapp.management.show_digests import job_lines, preview_lines


class Command(PalimpsestCommand):
    help = "Fold daily logs that have rested into digests. Shows what it would do; --apply does it."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--apply", action="store_true", help="write the digests and archive their originals")
        parser.add_argument("--only", action="append", metavar="ID", help="only this digest; may be given again")
        parser.add_argument("--ranker", choices=["marks", "central"], help="default: the space's own")
        parser.add_argument("--older-than-days", type=int, metavar="N", help="default: the space's own")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        asked = {
            "ranker": options["ranker"],
            "older_than_days": options["older_than_days"],
            "digests": options["only"],
            "dry_run": not options["apply"],
        }
        with open_door(space=options["space"], with_model=True) as door:
            answer = door.request("POST", "/consolidate", json=asked)
            if options["apply"]:
                with progress_bar("Consolidating") as tell:
                    answer = wait_for_job(door, answer["job"]["id"], on_progress=tell)
        if options["json"]:
            self.print_json(answer)
        elif not options["apply"] or answer["status"] == "done":
            for line in job_lines(answer) if options["apply"] else preview_lines(answer):
                self.stdout.write(line)
        if options["apply"] and answer["status"] != "done":
            self.stderr.write(answer.get("error") or f"The job was {answer['status']}.")
            sys.exit(1)
