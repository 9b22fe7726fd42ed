from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import ApiDoor, open_door, segment
from memoryapp.program import program_name

_TEXT = 80  # characters of a memory
SIDES = ("all", "rose", "fell")


def feedback_lines(page: dict[str, Any]) -> Iterator[str]:
    """How many moved, then a line a memory: its factor, what was said, and how it begins."""
    yield f"{page['rose']} rose, {page['fell']} fell, {page['even']} even"
    for one in page["items"]:
        text = " ".join(one["text"].split())
        told = f"{text[: _TEXT - 1]}…" if len(text) > _TEXT else text
        yield f"{one['id']}  x{one['factor']:.3f}  used {one['used']}, not useful {one['not_useful']}  {told}"
    if page["next_cursor"]:
        yield "… more: --limit"


class Command(PalimpsestCommand):
    help = "Show which memories rose and fell by what agents said of them, say it yourself, or take it back."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--side", choices=SIDES, default="all")
        parser.add_argument("--limit", type=int, default=50)
        parser.add_argument("--used", metavar="ID", help="say that this memory was used")
        parser.add_argument("--not-useful", metavar="ID", help="say that this memory was of no use")
        parser.add_argument("--query", default="", help="what it was given for")
        parser.add_argument("--reset", nargs="+", metavar="ID", help="take back all that was said of these")
        parser.add_argument("--undo", metavar="RESET", help="give back what a reset took")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        with open_door(space=options["space"], with_model=False) as door:
            done = self._said(door, options)
            shown = door.request("GET", "/feedback", params={"side": options["side"], "limit": options["limit"]})
        if options["json"]:
            self.print_json(shown | {"done": done})
            return
        if done and "reset" in done:
            self.stdout.write(f"{done['memories']} memories. Undo: {program_name()} feedback --undo {done['reset']}")
        for line in feedback_lines(shown):
            self.stdout.write(line)

    def _said(self, door: ApiDoor, options: dict[str, Any]) -> dict[str, Any] | None:
        """What was asked for beside the list, in the order of the options."""
        done: dict[str, Any] | None = None
        for option, used in (("used", True), ("not_useful", False)):
            if options[option]:
                body = {"used": used, "query": options["query"]}
                done = door.request("POST", f"/memories/{segment(options[option])}/feedback", json=body)
        if options["reset"]:
            done = door.request("POST", "/feedback/reset", json={"ids": options["reset"]})
        if options["undo"]:
            done = door.request("POST", f"/feedback/resets/{segment(options['undo'])}/undo")
        return done
