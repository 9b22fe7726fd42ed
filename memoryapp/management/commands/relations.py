from __future__ import annotations

from typing import Any

from memoryapp.management.command import VerbCommand
from memoryapp.management.door import open_door, segment
from memoryapp.management.entity_names import entity_named
from memoryapp.management.show import relation_lines
from memoryapp.program import program_name


class Command(VerbCommand):
    help = "List what joins entities, state a relation, correct or refuse one. NAME is a name, an alias or an id."

    def add_verbs(self) -> None:
        listed = self.verb("list", self.list, help="List the relations of an entity.")
        listed.add_argument("name")
        listed.add_argument("--type", default="")
        listed.add_argument("--limit", type=int, default=20)
        added = self.verb("add", self.add, help="State a relation: SUBJECT TYPE OBJECT.")
        added.add_argument("subject")
        added.add_argument("type", help="uses, works_at, part_of, prefers, is_a, … or one of your own")
        added.add_argument("object")
        held = self.verb("hold", self.hold, help="Say that a hint, or what was refused, is so.")
        held.add_argument("id")
        gone = self.verb("refuse", self.refuse, help="Say that it is not so: the same words do not bring it back.")
        gone.add_argument("id")
        gone.add_argument("--dry-run", action="store_true", help="change nothing")

    def list(self, **options: Any) -> None:
        asked: dict[str, Any] = {"limit": options["limit"]} | ({"type": options["type"]} if options["type"] else {})
        with open_door(space=options["space"]) as door:
            asked["entity"] = entity_named(door, options["name"])["id"]
            page = door.request("GET", "/relations", params=asked)
        self.tell(page, relation_lines(page), as_json=options["json"])

    def add(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            asked = {
                "subject": entity_named(door, options["subject"])["id"],
                "type": options["type"],
                "object": entity_named(door, options["object"])["id"],
            }
            self._tell(door.request("POST", "/relations", json=asked), options)

    def hold(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            done = door.request("PATCH", f"/relations/{segment(options['id'])}", json={"state": "held"})
        self._tell(done, options)

    def refuse(self, **options: Any) -> None:
        asked = {"dry_run": options["dry_run"]}
        with open_door(space=options["space"]) as door:
            done = door.request("DELETE", f"/relations/{segment(options['id'])}", params=asked)
        self._tell(done, options)

    def _tell(self, done: dict[str, Any], options: dict[str, Any]) -> None:
        lines = list(relation_lines({"items": [done["relation"]]}))
        lines += [f"`{program_name()} undo {done['run']}` takes it back."] if done["run"] else []
        self.tell(done, iter(lines), as_json=options["json"])
