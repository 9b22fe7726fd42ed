"""What all our commands share: `--data`, `--json`, and errors told in one line; and commands of several verbs
(`manage.py conflicts resolve ID OUTCOME`), of which each verb is a method with its own words.
"""

from __future__ import annotations

import json
import os
import sys
from abc import ABC, abstractmethod
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, DjangoHelpFormatter
from django.db import DatabaseError, OperationalError

from memoryapp.domain.errors import BadInput, PalimpsestError, StoreUnavailable
from memoryapp.management.catalogue import examples_told
from memoryapp.management.show import report_lines


class _AsWritten(DjangoHelpFormatter):
    """Wraps what a command does; leaves the lines of its examples as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith("examples:") else super()._fill_text(text, width, indent)


class PalimpsestCommand(BaseCommand, ABC):
    """A command writes `act` instead of `handle`; what goes wrong in it is one line on stderr and exit code 1."""

    requires_system_checks: list[str] = []
    # Django's own switches stay usable, but are no use to most people: help shows ours.
    suppressed_base_arguments = {
        "--version",
        "--verbosity",
        "--settings",
        "--pythonpath",
        "--traceback",
        "--no-color",
        "--force-color",
    }

    def create_parser(self, prog_name: str, subcommand: str, **more: Any) -> Any:
        more.setdefault("epilog", examples_told(subcommand))
        more.setdefault("formatter_class", _AsWritten)
        return super().create_parser(prog_name, subcommand, **more)

    def add_arguments(self, parser: ArgumentParser) -> None:
        # main.py reads --data before Django is set up; here it is only so that help knows it.
        parser.add_argument(
            "--data", metavar="DIR", help="the data folder (default: MEMORY_DATA_DIR, else the program's own)"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")
        self.add_own_arguments(parser)

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        """The command's own words."""

    def handle(self, *args: Any, **options: Any) -> None:
        os.umask(0o077)  # what a command writes into the data folder is its owner's alone, whatever folder that is
        try:
            self.act(**options)
        except PalimpsestError as error:
            self.fail(error)
        except BrokenPipeError:  # whoever read our output has gone, as `| head` does: nothing is left to be said
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except PermissionError as error:
            self.fail(BadInput(f"{error.filename} cannot be used ({error.strerror})."))
        except DatabaseError as error:
            if type(error) not in (DatabaseError, OperationalError):  # the others are mistakes of the program
                raise
            where = "of DATABASE_URL" if os.environ.get("DATABASE_URL") else f"in {settings.DATA_DIR}"
            told = str(error).strip().rstrip(".")
            self.fail(StoreUnavailable(f"The database of people, keys and jobs {where} fails: {told}."))
        except UnicodeEncodeError as error:
            if error.encoding != "utf-8":  # a terminal that cannot show what is written to it
                raise
            self.fail(BadInput("What was typed cannot be used: words are UTF-8."))
        except KeyboardInterrupt:
            self.stderr.write("Stopped.")
            sys.exit(130)

    @abstractmethod
    def act(self, **options: Any) -> None:
        """What the command does, with its own words and the shared ones."""

    def fail(self, error: PalimpsestError) -> None:
        self.stderr.write(error.detail)
        sys.exit(1)

    def tell_ingest(self, job: dict[str, Any], *, as_json: bool) -> None:
        """The report of an ingest that has ended; exit code 1 unless it is done."""
        self.tell_job(job, report_lines, as_json=as_json)

    def tell_job(self, job: dict[str, Any], lines: Callable[[dict[str, Any]], Iterator[str]], *, as_json: bool) -> None:
        """The report of a job that has ended, as `lines` of it or as JSON; exit code 1 unless it is done."""
        if as_json:
            self.print_json(job)
        elif job["status"] == "done":
            for line in lines(job):
                self.stdout.write(line)
        if job["status"] != "done":
            self.stderr.write(job.get("error") or f"The job was {job['status']}.")
            sys.exit(1)

    def print_json(self, value: Any) -> None:
        self.stdout.write(json.dumps(value, ensure_ascii=False, indent=2))


Verb = Callable[..., None]


class VerbCommand(PalimpsestCommand):
    """A command writes `add_verbs`, and a method for each verb. Without a verb it does the one named `otherwise`."""

    otherwise = ""

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--space", default="default")
        self._verbs = parser.add_subparsers(
            metavar="VERB",
            dest="verb",
            required=not self.otherwise,
            title="verbs",
            description="VERB --help tells more",
        )
        self.add_verbs()

    @abstractmethod
    def add_verbs(self) -> None:
        """The verbs, by `self.verb`."""

    def verb(self, name: str, do: Verb, *, help: str) -> ArgumentParser:
        """Declares a verb; the returned parser takes its words."""
        parser: ArgumentParser = self._verbs.add_parser(name, help=help, description=help)
        # Without defaults: what stood before the verb must not be overwritten by them.
        parser.add_argument("--json", action="store_true", default=SUPPRESS, help="print JSON")
        parser.add_argument("--space", default=SUPPRESS)
        parser.add_argument("--data", metavar="DIR", default=SUPPRESS, help=SUPPRESS)
        parser.set_defaults(do=do)
        return parser

    def act(self, **options: Any) -> None:
        do: Verb = options.pop("do", None) or getattr(self, self.otherwise)
        do(**options)

    def tell(self, answer: Any, lines: Iterable[str], *, as_json: bool) -> None:
        """The answer as JSON, or as lines."""
        if as_json:
            self.print_json(answer)
            return
        for line in lines:
            self.stdout.write(line)


def text_of(words: str, *, missing: str) -> str:
    """The words of the command line, or what comes on standard input for “-”. Raises BadInput with `missing` for
    blanks."""
    if words == "-":
        try:
            words = sys.stdin.buffer.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadInput(f"Standard input is not UTF-8: byte {error.start} cannot be read.") from None
    if not words.strip():
        raise BadInput(missing)
    return words
