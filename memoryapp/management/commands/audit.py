from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door
from memoryapp.management.show_memories import change_lines


class Command(PalimpsestCommand):
    help = "Show who changed what, when and why, newest first."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--since", help="ISO 8601")
        parser.add_argument("--until", help="ISO 8601, exclusive")
        parser.add_argument("--actor", help="exactly this name")
        parser.add_argument("--key", help="with this key: its number, or how it begins (pal_…)")
        parser.add_argument("--agent", help="by the agent that said it is this (X-Agent-ID), whatever its key")
        parser.add_argument("--act", dest="kind", metavar="ACT", help="edit, resolve, extract, undo, …")
        parser.add_argument("--record", help="memory, conflict, entity, or the id of one thing")
        parser.add_argument("--run", help="of this run alone")
        parser.add_argument("--limit", type=int, default=20)
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        asked: dict[str, Any] = {"limit": options["limit"]}
        for name in ("since", "until", "actor", "key", "agent", "record", "run"):
            if options[name]:
                asked[name] = options[name]
        if options["kind"]:
            asked["act"] = options["kind"]
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/audit", params=asked)
        if options["json"]:
            self.print_json(page)
            return
        for line in change_lines(page):
            self.stdout.write(line)
