from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door


class Command(PalimpsestCommand):
    help = "Fill a new, empty space from a backup."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file that `backup` wrote")
        parser.add_argument("--space", required=True, help="the new space to make and fill")
        parser.add_argument("--encoder", default="", help="the new space's model, best the one it had (default: ours)")
        parser.add_argument("--dry-run", action="store_true", help="check the file and say what it holds")

    def act(self, **options: Any) -> None:
        file = Path(options["file"]).expanduser()
        if not file.is_file():
            raise BadInput(f"There is no file {file}.")
        with open_door() as door:
            known = {space["name"] for space in door.request("GET", "/spaces")["items"]}
        made = options["space"] not in known
        if options["dry_run"] and made:
            options["space"] = "default"  # only looked at: any space will do
        elif made:
            with open_door(quiet=True) as door:
                # Read to its end first: a file that cannot be restored leaves no empty space behind.
                door.send_file("/backups/restore", file, fields={"dry_run": "true"})
                door.request("POST", "/spaces", json={"name": options["space"], "encoder": options["encoder"]})
        with open_door(space=options["space"], quiet=True) as door:
            fields = {"dry_run": "true"} if options["dry_run"] else {}
            told = door.send_file("/backups/restore", file, fields=fields)
        if options["json"]:
            self.print_json(told)
            return
        verb = "holds" if options["dry_run"] else f"restored into space “{options['space']}”:"
        counts = ", ".join(f"{n:,} {table}" for table, n in told["rows"].items() if n)
        self.stdout.write(f"{file.name} {verb} {counts or 'nothing'}.")
