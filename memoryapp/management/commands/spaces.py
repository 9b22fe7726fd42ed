from __future__ import annotations

import json
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import VerbCommand
from memoryapp.management.door import open_door, segment
from memoryapp.management.show import first_step_lines, reset_lines, setting_lines, space_lines


class Command(VerbCommand):
    help = "List spaces, make one, show and change its title, its parent and its settings."
    otherwise = "list"

    def add_verbs(self) -> None:
        self.verb("list", self.list, help="List the spaces, with their model and their parent.")
        made = self.verb("create", self.create, help="Make a new, empty space.")
        made.add_argument("name", help="lower-case letters, digits and hyphens")
        made.add_argument("--title", default="")
        made.add_argument("--parent", help="the space whose memories it reads beside its own")
        made.add_argument("--encoder", default="", help="its embedding model (default: the parent's, else ours)")
        shown = self.verb("show", self.show, help="Show a space's settings: value, default, and what differs (*).")
        shown.add_argument("name")
        shown.add_argument("words", nargs="*", metavar="WORD", help="only settings whose name or help has all of these")
        shown.add_argument("--changed", action="store_true", help="only those that differ from the default")
        changed = self.verb("set", self.set, help="Change a space. SETTING=VALUE sets one, SETTING= resets it.")
        changed.add_argument("name")
        changed.add_argument("numbers", nargs="*", metavar="SETTING=VALUE", help="conflict_policy=auto, rrf_k=30, …")
        changed.add_argument("--title")
        changed.add_argument("--parent", help="another parent; empty for none")
        steps = self.verb("first-steps", self.first_steps, help="Show what is done of a space's first steps.")
        steps.add_argument("name")
        switch = steps.add_mutually_exclusive_group()
        switch.add_argument("--show", action="store_true", help="show them on Home")
        switch.add_argument("--hide", action="store_true", help="hide them on Home")
        reset = self.verb("reset", self.reset, help="Reset all settings of a space, and print what sets them again.")
        reset.add_argument("name")

    def list(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/spaces")
        self.tell(page, space_lines(page), as_json=options["json"])

    def create(self, **options: Any) -> None:
        asked = {name: options[name] for name in ("name", "title", "parent", "encoder")}
        with open_door() as door:
            made = door.request("POST", "/spaces", json=asked)
        self.tell(made, space_lines({"items": [made]}), as_json=options["json"])

    def show(self, **options: Any) -> None:
        with open_door() as door:
            found = door.request("GET", f"/spaces/{segment(options['name'])}")
        words = [word.lower() for word in options["words"]]
        wanted = [
            one
            for one in found["fields"]
            if (one["changed"] or not options["changed"]) and all(word in _setting_text(one) for word in words)
        ]
        self.tell({**found, "fields": wanted}, setting_lines(wanted), as_json=options["json"])

    def first_steps(self, **options: Any) -> None:
        with open_door(space=options["name"]) as door:
            if options["show"] or options["hide"]:
                found = door.request("PATCH", "/first-steps", json={"shown": options["show"]})
            else:
                found = door.request("GET", "/first-steps")
        self.tell(found, first_step_lines(found), as_json=options["json"])

    def reset(self, **options: Any) -> None:
        name = options["name"]
        with open_door() as door:
            before = door.request("GET", f"/spaces/{segment(name)}")["settings"]
            changed = door.request("PATCH", f"/spaces/{segment(name)}", json={"settings": {}})
        self.tell(changed, reset_lines(name, before), as_json=options["json"])

    def set(self, **options: Any) -> None:
        name = options["name"]
        asked: dict[str, Any] = {} if options["title"] is None else {"title": options["title"]}
        asked |= {} if options["parent"] is None else {"parent": options["parent"] or None}
        with open_door() as door:
            if options["numbers"]:
                known = door.request("GET", f"/spaces/{segment(name)}")["settings"]
                asked["settings"] = _changed_settings(known, options["numbers"])
            if not asked:
                raise BadInput("Say what is to change: SETTING=VALUE, --title or --parent.")
            changed = door.request("PATCH", f"/spaces/{segment(name)}", json=asked)
        self.tell(changed, space_lines({"items": [changed]}), as_json=options["json"])


def _setting_text(setting: dict[str, Any]) -> str:
    return " ".join(str(setting[part]) for part in ("name", "label", "help", "group")).lower()


def _changed_settings(settings: dict[str, Any], typed: list[str]) -> dict[str, Any]:
    """The space's own settings after these were typed. Raises BadInput for one without “=”."""
    found = dict(settings)
    for one in typed:
        name, given, text = one.partition("=")
        if not given:
            raise BadInput(f"“{one}” is no SETTING=VALUE.")
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
