from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand, text_of
from memoryapp.management.door import open_door


class Command(PalimpsestCommand):
    help = "Print what an agent would be given for a message."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("message", help="“-” reads it from standard input")
        parser.add_argument("--budget", type=int, metavar="TOKENS")
        parser.add_argument("--as-of", help="what was believed then (ISO 8601)")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        message = text_of(options["message"], missing="There is no message.")
        asked = {"message": message, "budget": options["budget"], "as_of": options["as_of"]}
        with open_door(space=options["space"], with_model=True) as door:
            found = door.request("POST", "/context", json=asked)
        if options["json"]:
            self.print_json(found)
            return
        self.stdout.write(found["text"] or "Nothing is known that belongs to it.")
        about = "about " if found["estimate"] else ""
        self.stderr.write(f"{about}{found['tokens']:,} of {found['budget']:,} tokens")
