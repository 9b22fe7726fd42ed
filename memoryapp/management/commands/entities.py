from __future__ import annotations

from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import VerbCommand
from memoryapp.management.door import open_door, segment
from memoryapp.management.entity_names import entity_named, merged_named
from memoryapp.management.show_graph import act_lines, added_lines, alike_lines, card_lines, entity_lines, merge_lines
from memoryapp.program import program_name

_TYPES = "person, tool, concept, place, organization, project, product, event, or one of your own"


class Command(VerbCommand):
    help = (
        "List entities, look at one, add one, take proposed ones in, merge those that are one, part them again. "
        "NAME is a name, an alias or an id."
    )
    otherwise = "list"

    def add_verbs(self) -> None:
        listed = self.verb("list", self.list, help="List entities, those that most memories refer to first.")
        listed.add_argument("text", nargs="?", default="", help="a part of a name or an alias")
        listed.add_argument("--type", action="append", default=[], help="may be repeated")
        listed.add_argument("--state", choices=["known", "proposed", "refused"])
        listed.add_argument("--orphans", action="store_true", help="those that no held memory refers to")
        listed.add_argument("--sort", choices=["memories", "links", "newest", "name"], default="memories")
        listed.add_argument("--limit", type=int, default=20)
        listed.add_argument("--inherited-from", default="", help="a parent space whose entities are listed")
        shown = self.verb("show", self.show, help="Show what an entity is joined to and what was said of it.")
        shown.add_argument("name")
        added = self.verb("add", self.add, help="Name an entity: memories that name it are linked to it.")
        added.add_argument("name")
        added.add_argument("--type", help=_TYPES)
        added.add_argument("--alias", action="append", default=[], help="another name of it; may be repeated")
        alike = self.verb("alike", self.alike, help="List pairs that may be one.")
        alike.add_argument("--limit", type=int, default=20)
        merged = self.verb("merge", self.merge, help="Make GONE one with KEEP. Each keeps its own edges.")
        merged.add_argument("keep")
        merged.add_argument("gone", nargs="+")
        merged.add_argument("--reason", default="")
        merged.add_argument("--dry-run", action="store_true", help="tell what would become of it, and change nothing")
        parted = self.verb("part", self.part, help="Let a merged entity stand for itself again.")
        parted.add_argument("name")
        for name, do, told in (
            ("take-in", self.take_in, "Take proposed names in: they are linked wherever they stand."),
            ("refuse", self.refuse, "Refuse names: they are never proposed again."),
        ):
            self.verb(name, do, help=told).add_argument("names", nargs="+", metavar="NAME")
        renamed = self.verb("rename", self.rename, help="Give an entity another name; the old one becomes an alias.")
        renamed.add_argument("name")
        renamed.add_argument("to", nargs="?", default="")
        renamed.add_argument("--type", help=_TYPES)

    def list(self, **options: Any) -> None:
        asked: dict[str, Any] = {
            "text": options.get("text", ""),
            "sort": options.get("sort", "memories"),
            "limit": options.get("limit", 20),
            "type": options.get("type", []),
            "inherited_from": options.get("inherited_from", ""),
        }
        asked |= {"orphans": True} if options.get("orphans") else {}
        asked |= {"state": options["state"]} if options.get("state") else {}
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/entities", params=asked)
        self.tell(page, entity_lines(page), as_json=options["json"])

    def show(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            key = entity_named(door, options["name"])["id"]
            card = door.request("GET", f"/entities/{segment(key)}")
        self.tell(card, card_lines(card), as_json=options["json"])

    def add(self, **options: Any) -> None:
        asked: dict[str, Any] = {"name": options["name"], "aliases": options["alias"]}
        asked |= {"type": options["type"]} if options["type"] else {}
        with open_door(space=options["space"]) as door:
            done = door.request("POST", "/entities", json=asked)
        self.tell(done, added_lines(done), as_json=options["json"])

    def alike(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/entities/alike", params={"limit": options["limit"]})
        self.tell(page, alike_lines(page), as_json=options["json"])

    def merge(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            asked = {
                "keep": entity_named(door, options["keep"])["id"],
                "gone": [entity_named(door, name)["id"] for name in options["gone"]],
                "reason": options["reason"],
                "dry_run": options["dry_run"],
            }
            done = door.request("POST", "/entities/merge", json=asked)
        self.tell(done, merge_lines(done), as_json=options["json"])

    def part(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            asked = {"entity": merged_named(door, options["name"])}
            done = door.request("POST", "/entities/unmerge", json=asked)
        self.tell(done, act_lines(done), as_json=options["json"])

    def take_in(self, **options: Any) -> None:
        self._decide("take-in", options)

    def refuse(self, **options: Any) -> None:
        self._decide("refuse", options)

    def _decide(self, act: str, options: dict[str, Any]) -> None:
        with open_door(space=options["space"]) as door:
            asked = {"act": act, "ids": [entity_named(door, name)["id"] for name in options["names"]]}
            done = door.request("POST", "/entities/bulk", json=asked)
        lines = [f"{one['name']} is {one['state']}." for one in done["items"]] or ["They were so already."]
        lines += [f"`{program_name()} undo {done['run']}` takes it back."] if done["run"] else []
        self.tell(done, iter(lines), as_json=options["json"])

    def rename(self, **options: Any) -> None:
        changes = {name: options[said] for name, said in (("name", "to"), ("type", "type")) if options[said]}
        if not changes:
            raise BadInput("Say what is to change: a new name, or --type.")
        with open_door(space=options["space"]) as door:
            key = entity_named(door, options["name"])["id"]
            done = door.request("PATCH", f"/entities/{segment(key)}", json=changes)
        self.tell(done, act_lines(done), as_json=options["json"])
