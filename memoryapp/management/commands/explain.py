from __future__ import annotations

import re
from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand, text_of
from memoryapp.management.door import open_door
from memoryapp.management.show_search import why_lines

_ID = re.compile(r"[0-9a-f]{16}")


class Command(PalimpsestCommand):
    help = "Say where a memory stands for a question, stage by stage, whether it was found or not."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query")
        parser.add_argument("memory", help="its id, or the ref that it was given")
        parser.add_argument(
            "--strategy",
            action="append",
            dest="strategies",
            metavar="NAME",
            help='a strategy or profile, with changes or without: "hybrid;vector=1.4"; may be repeated',
        )
        parser.add_argument("--top-k", type=int, default=10)
        parser.add_argument("--as-of", help="as it was held then (ISO 8601)")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        memory = options["memory"]
        asked = {
            "query": text_of(options["query"], missing="The question is empty."),
            "id" if _ID.fullmatch(memory) else "ref": memory,
            "strategies": options["strategies"] or ["hybrid"],
            "top_k": options["top_k"],
            "as_of": options["as_of"],
        }
        with open_door(space=options["space"], with_model=True) as door:
            found = door.request("POST", "/search/explain", json=asked)
        if options["json"]:
            self.print_json(found)
            return
        for one in found["items"]:
            for line in why_lines(one):
                self.stdout.write(line)
