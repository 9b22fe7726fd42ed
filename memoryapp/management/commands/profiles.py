from __future__ import annotations

from typing import Any

from memoryapp.management.command import VerbCommand
from memoryapp.management.door import open_door, segment
from memoryapp.management.show_search import profile_lines
from memoryapp.program import program_name


class Command(VerbCommand):
    help = "Give plans a name: a profile is a strategy of the space from then on. Without a verb, list them."
    otherwise = "list"

    def add_verbs(self) -> None:
        self.verb("list", self.list, help="List the profiles.")
        save = self.verb("save", self.save, help="Give a plan a name, or the name another plan.")
        save.add_argument("name", help="lower-case letters, digits and hyphens")
        save.add_argument("plan", help='a strategy or profile with changes: "hybrid;vector=1.4;factors=trust+feedback"')
        save.add_argument("--note", default="")
        delete = self.verb("delete", self.delete, help="Take the name away. Runs by it stay.")
        delete.add_argument("name")

    def list(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            found = door.request("GET", "/profiles")
        self.tell(found, profile_lines(found), as_json=options["json"])

    def save(self, **options: Any) -> None:
        asked = {"plan": options["plan"], "note": options["note"]}
        with open_door(space=options["space"]) as door:
            saved = door.request("PUT", f"/profiles/{segment(options['name'])}", json=asked)
        self.tell(saved, profile_lines({"items": [saved]}), as_json=options["json"])

    def delete(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            gone = door.request("DELETE", f"/profiles/{segment(options['name'])}")
        anew = f'{program_name()} profiles save {gone["profile"]["name"]} "{gone["profile"]["plan"]}"'
        told = f"Deleted. `{anew}` makes it anew."
        self.tell(gone, iter([told]), as_json=options["json"])
