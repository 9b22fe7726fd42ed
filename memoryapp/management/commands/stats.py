from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door
from memoryapp.management.show import stats_lines


class Command(PalimpsestCommand):
    help = "Count what a space holds, by state, kind and trust."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            found = door.request("GET", "/stats")
        if options["json"]:
            self.print_json(found)
            return
        for line in stats_lines(found):
            self.stdout.write(line)
