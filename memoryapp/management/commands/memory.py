from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import Verb, VerbCommand, text_of
from memoryapp.management.door import ApiDoor, open_door, segment
from memoryapp.management.show import shorten_text
from memoryapp.management.show_memories import act_lines, history_lines, memory_lines, receipt_lines

EDITABLE = ("title", "category", "confidence")


class Command(VerbCommand):
    help = "Look at one memory, correct it, confirm or pin it, put it aside, bring it back, erase it."

    def add_verbs(self) -> None:
        self._of_one("show", self.show, help="Show a memory, where it comes from and how far it is trusted.")
        self._of_one("history", self.history, help="Show what it said before, who changed it and why.")
        edited = self._of_one("edit", self.edit, help="Change what it says, or what is said of it.")
        edited.add_argument("--text", help="the new words; “-” reads them from standard input")
        edited.add_argument("--title")
        edited.add_argument("--category", choices=["identity", "preferences", "personal", "work", "other"])
        edited.add_argument("--confidence", type=float, help="0 to 1")
        for name, told in (("expires", "no longer recalled from then on"), ("review", "when to ask whether it holds")):
            edited.add_argument(f"--{name}", dest=f"{name}_at", metavar="DATE", help=f"{told}; “never” takes it away")
        edited.add_argument("--tag", action="append", dest="tags", metavar="TAG", help="may be repeated; replaces all")
        self._of_one("neighbours", self.neighbours, help="Show what stands around it in its document or session.")
        self._of_one("confirm", self.confirm, help="Say that it still holds: its trust counts from now.")
        pinned = self._of_one("pin", self.pin, help="Never let decay or consolidation put it aside.")
        pinned.add_argument("--off", action="store_true", help="let it go again")
        self._of_one("restore", self.restore, help="Hold it again.")
        for name, do, told in (
            ("archive", self.archive, "Put it aside: no longer recalled, held again at any time."),
            ("delete", self.delete, "Take it out of every search and list; it can be restored."),
            ("purge", self.purge, "Erase it for good, once you have agreed, and print the receipt."),
        ):
            parser = self._of_one(name, do, help=told)
            parser.add_argument("--dry-run", action="store_true", help="change nothing")
            if name == "purge":
                parser.add_argument("--yes", action="store_true", help="do not ask: it cannot be undone")

    def _of_one(self, name: str, do: Verb, *, help: str) -> ArgumentParser:
        parser = self.verb(name, do, help=help)
        parser.add_argument("id")
        if name not in ("show", "history", "neighbours", "pin"):
            parser.add_argument("--reason", default="")
        return parser

    def show(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            memory = door.request("GET", f"/memories/{segment(options['id'])}")
        self.tell(memory, memory_lines(memory), as_json=options["json"])

    def history(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            found = {"items": [layer for page in _pages(door, options["id"]) for layer in page]}
        self.tell(found, history_lines(found), as_json=options["json"])

    def edit(self, **options: Any) -> None:
        changes = {name: options[name] for name in EDITABLE if options[name] is not None}
        if options["text"] is not None:
            changes["text"] = text_of(options["text"], missing="The new text is empty.")
        if options["tags"] is not None:
            changes["tags"] = options["tags"]
        for name in ("expires_at", "review_at"):
            if options[name] is not None:
                changes[name] = None if options[name] == "never" else options[name]
        if not changes:
            raise BadInput(
                "Nothing is to be changed: name --text, --title, --category, --confidence, --tag, --expires or "
                "--review."
            )
        with open_door(space=options["space"]) as door:
            done = door.request(
                "PATCH", f"/memories/{segment(options['id'])}", json=changes | {"reason": options["reason"]}
            )
        self.tell(done, act_lines(done), as_json=options["json"])

    def neighbours(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            found = door.request("GET", f"/memories/{segment(options['id'])}/neighbours")
        around = [*found["before"], *found["after"]]
        lines = [f"{shorten_text(one['text'])}  [{one['id']}]" for one in around] or ["Nothing stands around it."]
        self.tell(found, iter(lines), as_json=options["json"])

    def confirm(self, **options: Any) -> None:
        self._post("confirm", dry_run=False, options=options)

    def pin(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            asked = {"pinned": not options["off"]}
            done = door.request("POST", f"/memories/{segment(options['id'])}/pin", json=asked)
        self.tell(done, act_lines(done), as_json=options["json"])

    def archive(self, **options: Any) -> None:
        self._post("archive", dry_run=options["dry_run"], options=options)

    def restore(self, **options: Any) -> None:
        self._post("restore", dry_run=False, options=options)

    def delete(self, **options: Any) -> None:
        asked = {"dry_run": options["dry_run"], "reason": options["reason"]}
        with open_door(space=options["space"]) as door:
            done = door.request("DELETE", f"/memories/{segment(options['id'])}", params=asked)
        self.tell(done, act_lines(done), as_json=options["json"])

    def purge(self, **options: Any) -> None:
        path = f"/memories/{segment(options['id'])}/purge"
        said = {"dry_run": True, "reason": options["reason"]}
        with open_door(space=options["space"]) as door:
            if not options["dry_run"]:
                if not options["yes"]:
                    self._agree(door.request("GET", path.removesuffix("/purge")), door.request("POST", path, json=said))
                said["dry_run"] = False
            receipt = door.request("POST", path, json=said)
        self.tell(receipt, receipt_lines(receipt), as_json=options["json"])

    def _agree(self, memory: dict[str, Any], receipt: dict[str, Any]) -> None:
        """Shows on stderr what a purge would take, and asks. Raises BadInput without a yes, or where nobody can be
        asked: standard input is no terminal."""
        if not sys.stdin.isatty():
            raise BadInput("A purge cannot be undone. Look at it with --dry-run first, then pass --yes.")
        for line in (shorten_text(memory["text"]), *receipt_lines(receipt)):
            self.stderr.write(line)
        self.stderr.write("Erase it for good? This cannot be undone. [y/N] ", ending="")
        self.stderr.flush()
        if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
            raise BadInput("Nothing was erased.")

    def _post(self, verb: str, *, dry_run: bool, options: dict[str, Any]) -> None:
        said = {"reason": options["reason"]} | ({"dry_run": True} if dry_run else {})
        with open_door(space=options["space"]) as door:
            done = door.request("POST", f"/memories/{segment(options['id'])}/{verb}", json=said)
        self.tell(done, act_lines(done), as_json=options["json"])


def _pages(door: ApiDoor, key: str) -> Iterator[list[dict[str, Any]]]:
    """The layers of a memory, as many at a time as the API gives."""
    cursor: str | None = ""
    while cursor is not None:
        page = door.request("GET", f"/memories/{segment(key)}/history", params={"cursor": cursor})
        yield page["items"]
        cursor = page["next_cursor"]
