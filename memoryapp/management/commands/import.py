from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.jobs.summary import summary_of
from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import ApiDoor, open_door, wait_for_job
from memoryapp.management.folder import as_one_file
from memoryapp.management.show import progress_bar


class Command(PalimpsestCommand):
    help = "Take in an export, or what another program kept: mem0, basic-memory, MCP memory, ChatGPT, Claude."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", help="an export or another program's file or folder")
        parser.add_argument("--space", default="default")
        parser.add_argument(
            "--as",
            dest="form",
            default="",
            metavar="FORM",
            help="what it is, where it is not recognised: mem0, basic-memory, mcp-memory, openai-chat, claude-chat, "
            "letta, langgraph, graphiti, claude-code, memory-list",
        )
        parser.add_argument("--merge", action="store_true", help="add an export's memories to those that are here")
        parser.add_argument("--dry-run", action="store_true", help="say what would come, and change nothing")

    def act(self, **options: Any) -> None:
        path = Path(options["path"]).expanduser()
        if not path.exists():
            raise BadInput(f"File or folder not found: {path}")
        fields = {"form": options["form"]}
        fields |= {name: "true" for name in ("merge", "dry_run") if options[name]}
        with open_door(space=options["space"]) as door, as_one_file(path) as file:
            job = self._done(door, file, fields)
        if options["json"]:
            self.print_json(job)
        elif job["status"] == "done":
            self._tell(job["report"])
        if job["status"] != "done":
            self.stderr.write(job.get("error") or f"The import was {job['status']}.")
            sys.exit(1)

    def _done(self, door: ApiDoor, file: Path, fields: dict[str, str]) -> dict[str, Any]:
        with progress_bar("Importing") as tell:
            started = door.send_file("/import", file, fields=fields)
            return wait_for_job(door, started["job"]["id"], on_progress=tell)

    def _tell(self, report: dict[str, Any]) -> None:
        self.stdout.write(summary_of("import", report))
        for note in report.get("notes", ()):
            self.stdout.write(note)
        told = report.get("told", [])
        for one in told:
            self.stdout.write(f"  {one['count']:,} skipped: {one['where']}: {one['why']}")
        if rest := report.get("skipped", 0) - sum(one["count"] for one in told):
            self.stdout.write(f"  {rest:,} more are named on the job's page.")
