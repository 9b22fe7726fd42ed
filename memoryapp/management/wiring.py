"""What `connect` and `disconnect` share: which agents are meant, and how what became of their files is told."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from memoryapp.connect.agents import AGENTS, Agent
from memoryapp.connect.pipeline import Became, Step, agent_named
from memoryapp.domain.errors import BadInput
from memoryapp.management.command import PalimpsestCommand
from memoryapp.program import short_path

Rows = list[dict[str, Any]]


class WiringCommand(PalimpsestCommand):
    """A command about agents' own files."""

    def add_shared_arguments(self, parser: ArgumentParser, *, every: str) -> None:
        parser.add_argument("agent", nargs="*", help=f"which: {', '.join(AGENTS)}")
        parser.add_argument("--all", action="store_true", help=every)
        parser.add_argument("--project", action="store_true", help="the files of this folder instead of your own")
        parser.add_argument("--dry-run", action="store_true", help="show the change as a diff, and change nothing")

    def meant(self, options: dict[str, Any], every: Sequence[Agent]) -> list[Agent]:
        """The agents that were named, or with --all `every`. Raises BadInput and NotFound."""
        if options["all"] and options["agent"]:
            raise BadInput("Name agents, or say --all: not both.")
        return list(every) if options["all"] else [agent_named(name) for name in dict.fromkeys(options["agent"])]

    def tell(self, agent: Agent, steps: Sequence[Step], *, dry_run: bool) -> None:
        """A line a file; with `dry_run` the diff."""
        for step in steps:
            if dry_run and step.diff:
                self.stdout.write(step.diff.rstrip("\n"))
            else:
                self.stdout.write(f"{agent.title}: {short_path(step.file)} {_WORDS[step.became]}.")


_WORDS = {
    Became.MADE: "was made",
    Became.CHANGED: "was changed",
    Became.SAME: "is as it should be",
    Became.RESTORED: "is what it was before, to the byte",
    Became.REMOVED: "was removed: it was not there before",
}


def as_rows(agent: Agent, steps: Sequence[Step]) -> Rows:
    return [{"agent": agent.id, "file": str(step.file), "became": step.became.value} for step in steps]
