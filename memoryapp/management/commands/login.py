from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings

from memoryapp.accounts.login import LINK_LASTS, make_login_token
from memoryapp.accounts.people import person_named
from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.prepare import prepare_people
from memoryapp.management.running import told_in
from memoryapp.program import program_name


class Command(PalimpsestCommand):
    help = "Print a link that logs a person in once."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("person", nargs="?", help="who (default: the first administrator)")

    def act(self, **options: Any) -> None:
        admin = prepare_people()
        person = person_named(options["person"]) if options["person"] else admin
        told = told_in(settings.DATA_DIR)
        link = f"{told.url if told else 'http://127.0.0.1:8000'}/login/{make_login_token(person)}"
        if options["json"]:
            self.print_json({"link": link, "person": person.username, "seconds": int(LINK_LASTS.total_seconds())})
        else:
            self.stdout.write(link)
            if told is None:
                self.stderr.write(f"Palimpsest is not running on this data folder; start it first: {program_name()} up")
