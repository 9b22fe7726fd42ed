from __future__ import annotations

from typing import Any

from memoryapp.management.command import VerbCommand
from memoryapp.management.door import open_door
from memoryapp.management.show import key_lines


class Command(VerbCommand):
    help = "List API keys with their last use, rotate or revoke one. The command `key` makes one."
    otherwise = "list"

    def add_verbs(self) -> None:
        self.verb("list", self.list, help="List the keys; never the keys themselves.")
        other = self.verb("rotate", self.rotate, help="Print another key of the same rights; the old one is void.")
        other.add_argument("id", type=int, help="its number in the list")
        gone = self.verb("revoke", self.revoke, help="Take a key back: it opens nothing from now on.")
        gone.add_argument("id", type=int, help="its number in the list")

    def list(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/keys")
        self.tell(page, key_lines(page), as_json=options["json"])

    def rotate(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            made = door.request("POST", f"/keys/{options['id']}/rotate")
        self.tell(made, [made["key"]], as_json=options["json"])

    def revoke(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            gone = door.request("DELETE", f"/keys/{options['id']}")
        self.tell(gone, key_lines({"items": [gone]}), as_json=options["json"])
