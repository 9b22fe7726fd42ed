from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door, segment
from memoryapp.management.show_traces import trace_lines, traces_lines


class Command(PalimpsestCommand):
    help = "Show what agents asked, what they were given and how it ended, newest first; or one call."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", nargs="?", help="one call, with the memories that were given")
        parser.add_argument("--agent", help="exactly this name")
        parser.add_argument("--key", help="with this key: its number, or how it begins (pal_…)")
        parser.add_argument("--result", help="answered, unclear, nothing, or no room")
        parser.add_argument("--act", dest="kind", metavar="ACT", help="search or context")
        parser.add_argument("--question", help="exactly this one, in whatever case")
        parser.add_argument("--memory", help="the id of one that was given")
        parser.add_argument("--since", help="ISO 8601")
        parser.add_argument("--until", help="ISO 8601, exclusive")
        parser.add_argument("--delete", action="store_true", help="delete the record of this one call for good")
        parser.add_argument("--limit", type=int, default=20)
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            if options["id"]:
                method = "DELETE" if options["delete"] else "GET"
                found = door.request(method, f"/traces/{segment(options['id'])}")
            else:
                found = door.request("GET", "/traces", params=self._asked(options))
        if options["json"]:
            self.print_json(found)
            return
        if options["id"] and options["delete"]:
            self.stdout.write("Deleted.")
            return
        for line in trace_lines(found) if options["id"] else traces_lines(found):
            self.stdout.write(line)

    def _asked(self, options: dict[str, Any]) -> dict[str, Any]:
        if options["delete"]:
            raise BadInput("Say which call is to be deleted: traces ID --delete")
        names = ("agent", "key", "result", "question", "memory", "since", "until")
        asked = {name: options[name] for name in names if options[name]}
        return asked | {"limit": options["limit"]} | ({"act": options["kind"]} if options["kind"] else {})
