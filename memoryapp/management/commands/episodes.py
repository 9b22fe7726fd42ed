from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door
from memoryapp.management.show_memories import episode_lines


class Command(PalimpsestCommand):
    help = "List episodes: what happened in past sessions."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query", nargs="?", default="", help="those like this, weighed with how recent they are")
        parser.add_argument("--session", default="", help="of this session alone")
        parser.add_argument("--limit", type=int, default=10)
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        asked = {"q": options["query"], "session": options["session"], "limit": options["limit"]}
        with open_door(space=options["space"], with_model=bool(options["query"])) as door:
            page = door.request("GET", "/episodes", params=asked)
        if options["json"]:
            self.print_json(page)
            return
        for line in episode_lines(page):
            self.stdout.write(line)
