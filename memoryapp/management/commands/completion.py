from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.shells import SHELLS, script_for
from memoryapp.program import program_words


class Command(PalimpsestCommand):
    help = (
        "Print a script that completes commands, verbs, options, spaces and strategies in your shell, and that calls "
        "this program “palimpsest” there."
    )

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("shell", choices=list(SHELLS))

    def act(self, **options: Any) -> None:
        script = script_for(options["shell"], program=program_words())
        if options["json"]:
            self.print_json({"shell": options["shell"], "script": script})
        else:
            self.stdout.write(script, ending="")
