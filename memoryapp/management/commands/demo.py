from __future__ import annotations

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.conf import settings

from memoryapp.management.command import PalimpsestCommand
from memoryapp.demo import write_notes
from memoryapp.demo.talks import AGENT, as_turns, talks
from memoryapp.management.door import Door, open_door, wait_for_job
from memoryapp.management.show import progress_bar


class Command(PalimpsestCommand):
    help = "Fill a space with the example: three weeks of a small team's notes and talks, in English and Korean."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        folder = settings.DATA_DIR / "demo"
        write_notes(folder, today=date.today())
        with open_door(space=options["space"]) as door, progress_bar("Reading") as tell:
            job = door.request("POST", "/ingest", json={"path": str(folder)})["job"]
            ended = wait_for_job(door, job["id"], on_progress=tell)
            _hold_talks(door)
        self.tell_ingest(ended, as_json=options["json"])


def _hold_talks(door: Door) -> None:
    """The example's conversations, through the API as an agent would hold them. What was held already stays."""
    for talk in talks(today=date.today()):
        opening = {"name": talk.name, "agent": AGENT, "started_at": talk.started_at.isoformat()}
        opened = door.request("POST", "/sessions", json=opening)
        if opened["ended_at"] is not None:
            continue
        said = [
            {
                "text": t.text,
                "speaker": t.speaker,
                "role": t.role.value,
                "at": f"{t.at:%Y-%m-%dT%H:%M:%SZ}",
                "ref": t.ref,
            }
            for t in as_turns(talk)
        ]
        job = door.request("POST", f"/sessions/{opened['id']}/turns", json={"turns": said})["job"]
        if job is not None:
            wait_for_job(door, job, on_progress=lambda _: None)
        ended = {"ended_at": talk.ended_at.isoformat()}
        told = door.request("POST", f"/sessions/{opened['id']}/end", json=ended)["job"]
        if told is not None:
            wait_for_job(door, told, on_progress=lambda _: None)
