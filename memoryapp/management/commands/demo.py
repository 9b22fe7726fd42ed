from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door, wait_for_job
from memoryapp.management.show import progress_bar


class Command(PalimpsestCommand):
    help = "Fill a space with the example: three weeks of a small team's notes and talks, in English and Korean."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        place = parser.add_mutually_exclusive_group()
        place.add_argument("--space", default="default")
        place.add_argument("--new", metavar="NAME", help="a new space, which is made for it")

    def act(self, **options: Any) -> None:
        with open_door(space=options["space"], with_model=True) as door, progress_bar("Filling") as tell:
            if options["new"]:
                job = door.request("POST", "/demo/new", json={"space": options["new"]})["job"]
            else:
                job = door.request("POST", "/demo")["job"]
            ended = wait_for_job(door.into(job["space"]), job["id"], on_progress=tell)
        self.tell_job(ended, _lines, as_json=options["json"])


def _lines(job: dict[str, Any]) -> Iterator[str]:
    report = job["report"]
    yield f"{report['days']} days, {report['talks']} talks: {report['memories']} memories are held."
