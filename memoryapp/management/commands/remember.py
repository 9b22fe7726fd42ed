from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand, text_of
from memoryapp.management.door import open_door


class Command(PalimpsestCommand):
    help = "Write one memory, or one for each atom. TEXT - reads it from standard input."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("text")
        parser.add_argument("--title")
        parser.add_argument("--kind", choices=["note", "fact"], default="note")
        parser.add_argument(
            "--atoms", action="store_true", help='TEXT is PENMAN: "(prefers :subject Alice :object Python)"'
        )
        parser.add_argument("--speaker", help="who says it; “I” in an atom is this one")
        parser.add_argument("--tag", action="append", default=[], dest="tags", metavar="TAG", help="may be repeated")
        parser.add_argument("--expires", dest="expires_at", metavar="DATE", help="no longer recalled from then on")
        parser.add_argument("--review", dest="review_at", metavar="DATE", help="when to ask whether it still holds")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        text = text_of(options["text"], missing="There is nothing to remember: the text is empty.")
        written: dict[str, Any] = {"tags": options["tags"]}
        written |= {"atoms": text} if options["atoms"] else {"text": text, "kind": options["kind"]}
        for name in ("title", "speaker", "expires_at", "review_at"):
            if options[name]:
                written[name] = options[name]
        with open_door(space=options["space"]) as door:
            memory = door.request("POST", "/memories", json=written)
        if options["json"]:
            self.print_json(memory)
        else:
            for one in (memory, *memory["more"]):
                self.stdout.write(str(one["id"]))
