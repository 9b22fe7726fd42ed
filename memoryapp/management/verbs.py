"""Commands of several verbs: `manage.py conflicts resolve ID OUTCOME`. Each verb is a method and its own words."""

from __future__ import annotations

import sys
from abc import abstractmethod
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Callable, Iterator
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import PalimpsestCommand

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

    def tell(self, answer: Any, lines: Iterator[str], *, as_json: bool) -> None:
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
