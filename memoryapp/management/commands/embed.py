from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door, wait_for_job
from memoryapp.management.show import one_job_lines, progress_bar


class Command(PalimpsestCommand):
    help = "Make the embeddings that are missing, or with --model all of them by another model, and switch to it."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--model", default="", help="the space's model from then on")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        with open_door(space=options["space"], with_model=True) as door, progress_bar("Embedding") as tell:
            job = door.request("POST", "/encoder/embed", json={"model": options["model"]})["job"]
            ended = wait_for_job(door, job["id"], on_progress=tell)
        if options["json"]:
            self.print_json(ended)
        else:
            for line in one_job_lines(ended):
                self.stdout.write(line)
        if ended["status"] != "done":
            sys.exit(1)
