from __future__ import annotations

import json
from typing import Any

from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.management.door import open_door, segment
from memoryapp.management.show_kept import space_lines
from memoryapp.management.verbs import VerbCommand


class Command(VerbCommand):
    help = "List spaces, make one, set its title, its parent and its own numbers."
    otherwise = "list"

    def add_verbs(self) -> None:
        self.verb("list", self.list, help="List the spaces, with their model and their parent.")
        made = self.verb("create", self.create, help="Make a new, empty space.")
        made.add_argument("name", help="lower-case letters, digits and hyphens")
        made.add_argument("--title", default="")
        made.add_argument("--parent", help="the space whose memories it reads beside its own")
        made.add_argument("--encoder", default="", help="its embedding model (default: the parent's, else ours)")
        changed = self.verb("set", self.set, help="Change a space. NUMBER=VALUE sets a number, NUMBER= takes it back.")
        changed.add_argument("name")
        changed.add_argument("numbers", nargs="*", metavar="NUMBER=VALUE", help="conflict_policy=auto, rrf_k=30, …")
        changed.add_argument("--title")
        changed.add_argument("--parent", help="another parent; empty for none")

    def list(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/spaces")
        self.tell(page, space_lines(page), as_json=options["json"])

    def create(self, **options: Any) -> None:
        asked = {name: options[name] for name in ("name", "title", "parent", "encoder")}
        with open_door() as door:
            made = door.request("POST", "/spaces", json=asked)
        self.tell(made, space_lines({"items": [made]}), as_json=options["json"])

    def set(self, **options: Any) -> None:
        name = options["name"]
        asked: dict[str, Any] = {} if options["title"] is None else {"title": options["title"]}
        asked |= {} if options["parent"] is None else {"parent": options["parent"] or None}
        with open_door() as door:
            if options["numbers"]:
                known = {one["name"]: one["settings"] for one in door.request("GET", "/spaces")["items"]}
                if name not in known:
                    raise NotFound(f"There is no space called {name}.")
                asked["settings"] = _changed(known[name], options["numbers"])
            if not asked:
                raise BadInput("Say what is to change: NUMBER=VALUE, --title or --parent.")
            changed = door.request("PATCH", f"/spaces/{segment(name)}", json=asked)
        self.tell(changed, space_lines({"items": [changed]}), as_json=options["json"])


def _changed(numbers: dict[str, Any], typed: list[str]) -> dict[str, Any]:
    """The space's own numbers after these were typed. Raises BadInput for one without “=”."""
    found = dict(numbers)
    for one in typed:
        name, given, text = one.partition("=")
        if not given:
            raise BadInput(f"“{one}” is no NUMBER=VALUE.")
        if text:
            found[name.strip()] = _value(text)
        else:
            found.pop(name.strip(), None)
    return found


def _value(text: str) -> Any:
    """A number or true or false as such; whatever else as the words it is."""
    try:
        return json.loads(text)
    except ValueError:
        return text
