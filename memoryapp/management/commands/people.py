from __future__ import annotations

from typing import Any

from memoryapp.accounts.roles import Role
from memoryapp.management.command import VerbCommand, text_of
from memoryapp.management.door import open_door, segment
from memoryapp.management.show import person_lines

NOBODY = "none"


class Command(VerbCommand):
    help = "List who may enter a space, add somebody, give a role, shut out and let in again."
    otherwise = "list"

    def add_verbs(self) -> None:
        roles = [role.value for role in Role]
        self.verb("list", self.list, help="List people with their role in the space.")
        added = self.verb("add", self.add, help="Add a person. They come in by the command `login NAME`.")
        added.add_argument("name")
        added.add_argument("--role", choices=roles, default=Role.READER.value)
        added.add_argument("--password", choices=["-"], help="“-” reads one from standard input")
        given = self.verb("role", self.role, help="Give a person another role in the space; none takes it away.")
        given.add_argument("name")
        given.add_argument("role", choices=[*roles, NOBODY])
        self.verb("shut-out", self.shut_out, help="Let a person in no more; their keys follow.").add_argument("name")
        self.verb("let-in", self.let_in, help="Let a person in again.").add_argument("name")

    def list(self, **options: Any) -> None:
        found: list[dict[str, Any]] = []
        cursor = ""
        with open_door(space=options["space"]) as door:
            while True:
                page = door.request("GET", "/people", params={"limit": 200, "cursor": cursor})
                found += page["items"]
                cursor = page["next_cursor"] or ""
                if not cursor:
                    break
        self.tell({"items": found}, person_lines({"items": found}), as_json=options["json"])

    def add(self, **options: Any) -> None:
        asked = {"name": options["name"], "role": options["role"]}
        if options["password"]:
            asked["password"] = text_of("-", missing="Standard input holds no password.").strip("\r\n")
        with open_door(space=options["space"]) as door:
            made = door.request("POST", "/people", json=asked)
        self.tell(made, person_lines({"items": [made]}), as_json=options["json"])

    def role(self, **options: Any) -> None:
        self._change(options, {"role": None if options["role"] == NOBODY else options["role"]})

    def shut_out(self, **options: Any) -> None:
        self._change(options, {"active": False})

    def let_in(self, **options: Any) -> None:
        self._change(options, {"active": True})

    def _change(self, options: dict[str, Any], changes: dict[str, Any]) -> None:
        with open_door(space=options["space"]) as door:
            changed = door.request("PATCH", f"/people/{segment(options['name'])}", json=changes)
        self.tell(changed, person_lines({"items": [changed]}), as_json=options["json"])
