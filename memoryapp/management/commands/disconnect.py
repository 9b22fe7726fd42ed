from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from memoryapp.connect.agents import AGENTS
from memoryapp.connect.pipeline import Unusable, disconnect, plan_disconnect
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.management.wiring import Rows, WiringCommand, as_rows
from memoryapp.program import program_name


class Command(WiringCommand):
    help = (
        "Take back what connect changed in an agent's settings: to the byte where nobody else changed them since, and "
        "otherwise our entries alone."
    )

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        self.add_shared_arguments(parser, every="every agent that was connected")

    def act(self, **options: Any) -> None:
        data, project = settings.DATA_DIR, Path.cwd() if options["project"] else None
        agents = self.meant(options, list(AGENTS.values()))
        if not agents:
            raise BadInput(f"Name an agent, or say --all. `{program_name()} connect` lists them.")
        rows: Rows = []
        failed = False
        for agent in agents:
            try:
                steps = plan_disconnect(data, agent, project=project)
                if not steps and not options["all"]:
                    where = "in this folder" if project else "here"
                    raise NotFound(f"{agent.title} was not connected {where} by this memory ({data}).")
                if not options["dry_run"]:
                    disconnect(data, agent, steps)
            except Unusable as error:
                failed = True
                self.stderr.write(f"{agent.title}: {error.detail} {error.block}")
                continue
            rows += as_rows(agent, steps)
            if not options["json"]:
                self.tell(agent, steps, dry_run=options["dry_run"])
        if options["json"]:
            self.print_json(rows)
        if failed:
            sys.exit(1)
