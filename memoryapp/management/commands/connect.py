from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import DEFAULT, space_named
from memoryapp.connect.agents import AGENTS, Agent
from memoryapp.connect.files import write_bytes
from memoryapp.connect.hook import LOG
from memoryapp.connect.pipeline import Unusable, connect, plan_connect, standings
from memoryapp.connect.places import FOLDER, Place, place_of, table_with
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.management.agents import key_for_agents
from memoryapp.management.prepare import prepare_people
from memoryapp.management.wiring import Rows, WiringCommand, as_rows
from memoryapp.program import program_name, short_path


def _check(options: dict[str, Any]) -> None:
    """Raises BadInput for options that do not go together."""
    if options["budget"] is not None and options["budget"] < 1:
        raise BadInput("--budget takes a number of tokens, 1 at least.")
    if options["on"] and options["space"]:
        raise BadInput("--on takes back what was chosen for this folder: say --space by itself.")


class Command(WiringCommand):
    help = (
        "Wire an agent to this memory: its own settings get the tools and, where it has them, hooks that give what is "
        "known and keep what is said. Without an agent: list which can be connected."
    )

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        self.add_shared_arguments(parser, every="every agent that is installed here")
        parser.add_argument("--space", help="the space that this folder's talks belong to (default: default)")
        parser.add_argument(
            "--budget", type=int, metavar="TOKENS", help="that hooks give at most (default: the space's)"
        )
        parser.add_argument("--no-hooks", action="store_true", help="the tools alone")
        switch = parser.add_mutually_exclusive_group()
        switch.add_argument("--off", action="store_true", help="hooks neither ask nor keep anything in this folder")
        switch.add_argument("--on", action="store_true", help="take --off and --space of this folder back")

    def act(self, **options: Any) -> None:
        data, here = settings.DATA_DIR, Path.cwd()
        _check(options)
        installed = [agent for agent in AGENTS.values() if agent.is_installed]
        if options["project"]:
            installed = [agent for agent in installed if agent.project]
        agents = self.meant(options, installed)
        chosen = options["off"] or options["on"] or options["space"]
        if options["all"] and not agents:
            raise NotFound(f"No agent that can be connected is installed here: `{program_name()} connect` lists them.")
        if not agents and not chosen:
            self._list(data, here, as_json=options["json"])
            return
        if chosen and not options["dry_run"]:
            self._choose(data, here, options)
        done = [self._connect(agent, data, here, options) for agent in agents]
        rows = [row for rows in done if rows is not None for row in rows]
        if options["json"]:
            self.print_json(rows)
        elif rows and not options["dry_run"]:
            self.stdout.write(f"`{program_name()} disconnect` takes it back.")
        if None in done:
            sys.exit(1)

    def _connect(self, agent: Agent, data: Path, here: Path, options: dict[str, Any]) -> Rows | None:
        """What was written for this agent, or would be; None where its settings cannot be edited, which is told."""
        project = here if options["project"] else None
        space = (options["space"] or "") if options["project"] else ""
        try:
            wanted = {"space": space, "budget": options["budget"], "hooks": not options["no_hooks"]}
            steps = plan_connect(data, agent, project=project, **wanted)
            if not options["dry_run"]:
                key_for_agents(Role.WRITER, options["space"] or DEFAULT)
                connect(data, agent, steps, project=project)
        except Unusable as error:
            self.stderr.write(f"{agent.title}: {error.detail} Put this there yourself:\n{error.block}")
            return None
        if not options["json"]:
            self.tell(agent, steps, dry_run=options["dry_run"])
            if not options["dry_run"]:
                self.stdout.write(f"{agent.title}: {agent.next}")
        return as_rows(agent, steps)

    def _choose(self, data: Path, here: Path, options: dict[str, Any]) -> None:
        """What the table of folders says of this one from now on."""
        if options["space"]:
            prepare_people()
            space_named(options["space"])
            key_for_agents(Role.WRITER, options["space"])
        try:
            space = options["space"] or place_of(data, here).space
            file, content = table_with(data, here, None if options["on"] else Place(space, options["off"]))
        except ValueError as error:
            raise BadInput(str(error)) from None
        write_bytes(file, content)
        place = place_of(data, here)
        if not options["json"]:
            said = "hooks are off" if place.off else f"talks belong to space “{place.space}”"
            self.stdout.write(f"In {short_path(here)} and below, {said}.")

    def _list(self, data: Path, here: Path, *, as_json: bool) -> None:
        found = standings(data, here)
        if as_json:
            self.print_json(
                [
                    {"agent": one.agent.id, "installed": one.installed, "files": [str(file) for file in one.files]}
                    for one in found
                ]
            )
            return
        for one in found:
            state = (
                "connected: " + ", ".join(map(short_path, one.files))
                if one.files
                else "installed"
                if one.installed
                else ""
            )
            self.stdout.write(f"{one.agent.id:<15} {one.agent.title:<19} {state}".rstrip())
        try:
            place = place_of(data, here)
        except ValueError as error:
            raise BadInput(str(error)) from None
        self.stdout.write(f"\nThis folder: {'hooks are off' if place.off else f'space “{place.space}”'}.")
        log = data / FOLDER / LOG
        if log.exists():
            last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-3:]
            self.stdout.write("\n".join([f"What hooks could not do ({short_path(log)}):", *last]))
