"""The program's own words: an overview in groups, help with examples, a line for a command that is not there."""

from __future__ import annotations

import difflib
import json
import sys

from django.core.management import ManagementUtility, get_commands
from django.core.management.base import BaseCommand

from memoryapp.management.catalogue import CATALOGUE, as_json, first_words, overview
from memoryapp.program import program_name, program_version

USAGE = 2  # the exit code for what is not understood


class PalimpsestUtility(ManagementUtility):
    """Django's, told in our words. Its own commands (migrate, shell …) work as ever."""

    def execute(self) -> None:
        words = [word for word in self.argv[1:] if not word.startswith("-")]
        if self.argv[1:2] in (["version"], ["--version"]):
            sys.stdout.write(f"Palimpsest {program_version()}\n")
            return
        if not self.argv[1:]:
            sys.stdout.write(first_words() + "\n")
            return
        if words in ([], ["help"]):
            if set(self.argv[1:]) <= {"help", "--help", "-h", "--json"}:
                sys.stdout.write(self.main_help_text() + "\n")
                return
        elif words[0] == "help" and self.argv[1] == "help":
            # "help conflicts resolve" is "conflicts resolve --help".
            self.argv = [self.argv[0], *words[1:], "--help"]
        super().execute()

    def main_help_text(self, commands_only: bool = False) -> str:
        if commands_only:
            return super().main_help_text(commands_only=True)
        return json.dumps(as_json(), ensure_ascii=False, indent=2) if "--json" in self.argv else overview()

    def fetch_command(self, subcommand: str) -> BaseCommand:
        if subcommand not in get_commands():
            near = difflib.get_close_matches(subcommand, CATALOGUE, n=1)
            meant = f" Did you mean “{near[0]}”?" if near else ""
            sys.stderr.write(f"There is no command “{subcommand}”.{meant} `{program_name()} help` lists them.\n")
            sys.exit(USAGE)
        return super().fetch_command(subcommand)
