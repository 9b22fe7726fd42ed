"""Commands that need a checkout, because what they run is not in the package."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import PalimpsestCommand

NEEDS_CHECKOUT = "This measures the project itself and is not part of the package: clone the project, run it there."


class MissingCommand(PalimpsestCommand):
    """What stands for a command of `benchmarks/` where that folder is not there."""

    help = NEEDS_CHECKOUT

    def run_from_argv(self, argv: list[str]) -> None:
        sys.exit(NEEDS_CHECKOUT)

    def act(self, **_: Any) -> None:
        raise BadInput(NEEDS_CHECKOUT)


def command_of_checkout(module: str) -> type[PalimpsestCommand]:
    """Return the `Command` of a module of `benchmarks/`, or `MissingCommand` where that folder is not there."""
    try:
        command: type[PalimpsestCommand] = import_module(module).Command
    except ModuleNotFoundError as error:
        if error.name not in {"benchmarks", module}:
            raise
        return MissingCommand
    return command
