from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door


class Command(PalimpsestCommand):
    help = "Write a whole space into one file (gzip, JSON lines). The app may go on running."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="where to, e.g. notes.palimpsest.gz")
        parser.add_argument("--space", default="default")
        parser.add_argument("--force", action="store_true", help="overwrite the file if it is there")

    def act(self, **options: Any) -> None:
        target = Path(options["file"]).expanduser().absolute()
        if target.exists() and not options["force"]:
            raise BadInput(f"{target} is there already. Choose another name, or pass --force.")
        if not target.parent.is_dir():
            raise BadInput(f"There is no folder {target.parent}.")
        with open_door(space=options["space"]) as door:
            size = door.fetch("/backups/export", target)
        if options["json"]:
            self.print_json({"file": str(target), "bytes": size, "space": options["space"]})
        else:
            self.stdout.write(f"{target}: {size:,} bytes.")
