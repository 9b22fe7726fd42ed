from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import ApiDoor, open_door, segment
from memoryapp.management.show import shortened


class Command(PalimpsestCommand):
    help = "Show what agents asked and found nothing clear for, put a question aside, or delete it."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dismissed", action="store_true", help="list those that were put aside")
        parser.add_argument("--limit", type=int, default=50)
        parser.add_argument("--dismiss", metavar="ID", help="put a question aside")
        parser.add_argument("--restore", metavar="ID", help="bring back one that was put aside")
        parser.add_argument("--delete", metavar="ID", help="delete a question for good")
        parser.add_argument("--clear", action="store_true", help="delete all of them for good")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        with open_door(space=options["space"], with_model=False) as door:
            done = self._done(door, options)
            asked = {"dismissed": options["dismissed"], "limit": options["limit"]}
            shown = door.request("GET", "/questions", params=asked)
        if options["json"]:
            self.print_json(shown | {"done": done})
            return
        if done and "deleted" in done:
            self.stdout.write(f"{done['deleted']:,} deleted.")
        for line in question_lines(shown):
            self.stdout.write(line)

    def _done(self, door: ApiDoor, options: dict[str, Any]) -> dict[str, Any] | None:
        """What was asked for beside the list, in the order of the options."""
        done: dict[str, Any] | None = None
        for option, dismissed in (("dismiss", True), ("restore", False)):
            if options[option]:
                done = door.request("PATCH", f"/questions/{segment(options[option])}", json={"dismissed": dismissed})
        if options["delete"]:
            done = door.request("DELETE", f"/questions/{segment(options['delete'])}")
        if options["clear"]:
            done = door.request("DELETE", "/questions")
        return done


def question_lines(page: dict[str, Any]) -> Iterator[str]:
    """A line a question: how often, when last, by whom."""
    for one in page["items"]:
        yield f"{one['id']}  {one['times']}×  {one['last_at'][:10]}  {one['by']}  {shortened(one['text'])}"
    if not page["items"]:
        yield "No open questions."
    elif page["total"] > len(page["items"]):
        yield f"… {page['total']:,} in all: --limit"
