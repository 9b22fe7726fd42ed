from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.doctor import examine

_SIGNS = {"ok": "✓", "warn": "!", "bad": "✗"}


class Command(PalimpsestCommand):
    help = "Look for the usual troubles and say what to do about each. Exit code 1 if something does not work."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="the port you would start it on (default: 8000)")
        told = "also every invariant, and the chat model anew: takes a while"
        parser.add_argument("--deep", action="store_true", help=told)

    def act(self, **options: Any) -> None:
        found = []
        for finding in examine(port=options["port"], whole=options["deep"]):
            found.append(finding)
            if options["json"]:
                continue
            self.stdout.write(f"{_SIGNS[finding.level]} {finding.name}: {finding.told}")
            if finding.fix and finding.level != "ok":
                self.stdout.write(f"    {finding.fix}")
        if options["json"]:
            self.print_json([finding.as_json() for finding in found])
        if any(finding.level == "bad" for finding in found):
            sys.exit(1)
