from __future__ import annotations

from typing import Any

from django.conf import settings

from memoryapp.accounts.spaces import DEFAULT
from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.prepare import collect_static, prepare_people
from memoryapp.program import program_name


class Command(PalimpsestCommand):
    help = "Make a server's database ready: its tables, the first administrator, the default space."

    def act(self, **options: Any) -> None:
        person = prepare_people()
        collected = not settings.SERVESTATIC_USE_FINDERS and collect_static()
        database = settings.DATABASES["default"]["ENGINE"].rpartition(".")[2]
        if options["json"]:
            told = {"database": database, "administrator": person.username, "space": DEFAULT, "static": collected}
            self.print_json(told)
            return
        self.stdout.write(f"The tables of people, keys and jobs are there ({database}).")
        self.stdout.write(f"Administrator: {person.username}. `{program_name()} login` prints a link for them.")
        self.stdout.write(f"The space “{DEFAULT}” is there.")
        if collected:
            self.stdout.write(f"Static files were collected in {settings.STATIC_ROOT}.")
