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
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        with open_door(space=options["space"], with_model=True) as door, progress_bar("Filling") as tell:
            ended = wait_for_job(door, door.request("POST", "/demo")["job"]["id"], on_progress=tell)
        self.tell_job(ended, _lines, as_json=options["json"])


def _lines(job: dict[str, Any]) -> Iterator[str]:
    report = job["report"]
    yield f"{report['days']} days, {report['talks']} talks: {report['memories']} memories are held."
