from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door, segment


class Command(PalimpsestCommand):
    help = "Take back all that a run did, or one change alone, in a run of its own. `audit` shows both."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", help="a run or, with --change, one change of it")
        parser.add_argument("--change", action="store_true", help="take one change of the audit back")
        parser.add_argument("--dry-run", action="store_true", help="say how many changes there are, and change nothing")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            what = "audit" if options["change"] else "runs"
            asked = {"dry_run": options["dry_run"]}
            undone = door.request("POST", f"/{what}/{segment(options['run'])}/undo", json=asked)
        if options["json"]:
            self.print_json(undone)
            return
        verb = "would be taken back" if undone["dry_run"] else "taken back"
        self.stdout.write(f"{undone['undone']:,} {'change' if undone['undone'] == 1 else 'changes'} {verb}.")
        for reason in undone["skipped"]:
            self.stdout.write(f"left: {reason}")
