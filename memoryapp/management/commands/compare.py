from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand, text_of
from memoryapp.management.door import open_door
from memoryapp.management.show_search import compare_lines

SIDE_BY_SIDE = ("hybrid", "rrf")  # where no strategy is named


class Command(PalimpsestCommand):
    help = "Ask one question by several strategies and show the answers side by side."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query")
        parser.add_argument(
            "--strategy",
            action="append",
            dest="strategies",
            metavar="NAME",
            help='a strategy or profile, with changes or without: "hybrid;vector=1.4"; once for each column',
        )
        parser.add_argument("--top-k", type=int, default=10)
        parser.add_argument("--as-of", help="as it was held then (ISO 8601)")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        asked = {
            "query": text_of(options["query"], missing="The question is empty."),
            "strategies": options["strategies"] or SIDE_BY_SIDE,
            "top_k": options["top_k"],
            "as_of": options["as_of"],
        }
        with open_door(space=options["space"], with_model=True) as door:
            made = door.request("POST", "/search/compare", json=asked)
        if options["json"]:
            self.print_json(made)
            return
        for line in compare_lines(made):
            self.stdout.write(line)
