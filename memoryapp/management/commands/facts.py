from __future__ import annotations

from typing import Any

from memoryapp.domain.filters import AsOfBy
from memoryapp.management.command import VerbCommand, text_of
from memoryapp.management.door import open_door
from memoryapp.management.show_memories import fact_lines, preview_lines


class Command(VerbCommand):
    help = "List facts, or try out what would be learned from a text."
    otherwise = "list"

    def add_verbs(self) -> None:
        listed = self.verb("list", self.list, help="List facts, last learned first.")
        listed.add_argument("--category", action="append", default=[], help="may be repeated")
        listed.add_argument("--state", choices=["held", "superseded", "archived", "deleted"], default="held")
        listed.add_argument("--subject", default="", help="a name the facts are about")
        listed.add_argument("--min-trust", type=float)
        listed.add_argument("--sort", choices=["learned", "confirmed", "trust", "strength"], default="learned")
        listed.add_argument("--limit", type=int, default=20)
        listed.add_argument("--as-of", help="those that were held at that instant, in the words of then (ISO 8601)")
        listed.add_argument(
            "--as-of-by",
            choices=list(AsOfBy),
            help="recorded (by default): what was believed then; valid: what was true then, as it is known today",
        )
        listed.add_argument("--inherited-from", default="", help="a parent space whose facts are listed")
        tried = self.verb("preview", self.preview, help="Show what would be learned from TEXT. Stores nothing.")
        tried.add_argument("text", help="a text as somebody said it; “-” reads it from standard input")
        tried.add_argument("--speaker", default="user")
        tried.add_argument("--at", help="when it was said (ISO 8601; by default now)")

    def list(self, **options: Any) -> None:
        asked: dict[str, Any] = {
            "kinds": "fact",
            "states": options.get("state", "held"),
            "sort": options.get("sort", "learned"),
            "limit": options.get("limit", 20),
            "categories": options.get("category", []),
            "entities": [options["subject"]] if options.get("subject") else [],
        }
        for name in ("min_trust", "as_of", "as_of_by", "inherited_from"):
            if options.get(name):
                asked[name] = options[name]
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/memories", params=asked)
        self.tell(page, fact_lines(page), as_json=options["json"])

    def preview(self, **options: Any) -> None:
        text = text_of(options["text"], missing="There is nothing to read: the text is empty.")
        asked = {"text": text, "speaker": options["speaker"], "at": options["at"]}
        with open_door(space=options["space"], with_model=True) as door:
            found = door.request("POST", "/facts/preview", json=asked)
        self.tell(found, preview_lines(found), as_json=options["json"])
