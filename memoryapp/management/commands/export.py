from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door


class Command(PalimpsestCommand):
    help = "Write everything of a space into one zip that other programs can read, and `import` takes back whole."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", help="where to (default: SPACE-DATE.palimpsest.zip in this folder)")
        parser.add_argument("--space", default="default")
        parser.add_argument("--no-vectors", action="store_true", help="leave the embeddings out; an import makes them")
        parser.add_argument("--force", action="store_true", help="overwrite the file if it is there")

    def act(self, **options: Any) -> None:
        usual = f"{options['space']}-{time.strftime('%Y%m%d-%H%M%S')}.palimpsest.zip"
        target = Path(options["file"] or usual).expanduser().absolute()
        if target.is_dir():
            target = target / usual
        if target.exists() and not options["force"]:
            raise BadInput(f"{target} is there already. Choose another name, or pass --force.")
        if not target.parent.is_dir():
            raise BadInput(f"There is no folder {target.parent}.")
        with open_door(space=options["space"]) as door:
            size = door.fetch("/export?vectors=false" if options["no_vectors"] else "/export", target)
        target.chmod(0o600)
        if options["json"]:
            self.print_json({"file": str(target), "bytes": size, "space": options["space"]})
        else:
            self.stdout.write(f"{target}: {size:,} bytes.")
