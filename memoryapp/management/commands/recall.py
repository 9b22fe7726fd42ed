from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from memoryapp.domain.filters import AsOfBy
from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door
from memoryapp.management.show import result_lines


class Command(PalimpsestCommand):
    help = "Search memory."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query")
        parser.add_argument(
            "--strategy",
            default="hybrid",
            help="a strategy or a profile; changes may follow: hybrid;vector=1.4 (default: hybrid)",
        )
        parser.add_argument("--top-k", type=int, default=10)
        parser.add_argument("--as-of", help="what was held at that instant, in the words of then (ISO 8601)")
        parser.add_argument(
            "--as-of-by",
            choices=list(AsOfBy),
            default=AsOfBy.RECORDED,
            help="recorded: what was believed then; valid: what was true then, as it is known today",
        )
        parser.add_argument("--explain", action="store_true", help="show what each score is made of")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        asked = {
            "query": options["query"],
            "strategy": options["strategy"],
            "top_k": options["top_k"],
            "trace": options["explain"],
            "as_of": options["as_of"],
            "as_of_by": options["as_of_by"],
        }
        with open_door(space=options["space"], with_model=True) as door:
            answer = door.request("POST", "/search", json=asked)
        if options["json"]:
            self.print_json(answer)
            return
        for line in result_lines(answer, explain=options["explain"]):
            self.stdout.write(line)
