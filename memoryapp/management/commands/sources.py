from __future__ import annotations

from pathlib import Path
from typing import Any

from memoryapp.management.command import VerbCommand
from memoryapp.management.door import open_door, segment, wait_for_job
from memoryapp.management.show import document_lines, folder_lines, progress_bar, source_lines
from memoryapp.program import program_name


class Command(VerbCommand):
    help = "Folders and files that are kept in step: list them, add one, read it again, forget it."
    otherwise = "list"

    def add_verbs(self) -> None:
        self.verb("list", self.list, help="List the sources and how often each is read.")
        held = self.verb("folders", self.folders, help="List folders to ingest, and how many files that would read.")
        held.add_argument("path", nargs="?", default="", help="the folder they are in (default: where to begin)")
        added = self.verb("add", self.add, help="Remember a folder or a file, to be read again.")
        added.add_argument("path")
        added.add_argument("--name", default="")
        self._when(added)
        changed = self.verb("set", self.set, help="Change how often a source is read, or its name.")
        changed.add_argument("id")
        changed.add_argument("--name")
        self._when(changed)
        read = self.verb("read", self.read, help="Read a source again. What has not changed costs next to nothing.")
        read.add_argument("id")
        read.add_argument("--dry-run", action="store_true", help="print the same counts and change nothing")
        gone = self.verb("forget", self.forget, help="Read a source no more. Its memories stay.")
        gone.add_argument("id")
        gone.add_argument("--archive", action="store_true", help="put its memories aside as well")
        gone.add_argument("--dry-run", action="store_true", help="change nothing")
        self.verb("document", self.document, help="Show a document and what was cut from it.").add_argument("id")

    def _when(self, parser: Any) -> None:
        parser.add_argument("--every", type=int, metavar="MINUTES", help="0: only when asked")
        parser.add_argument("--on-session-start", action="store_true", default=None, help="also when a session opens")

    def list(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/sources")
        self.tell(page, source_lines(page), as_json=options["json"])

    def folders(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            found = door.request("GET", "/folders", params={"path": options["path"] and _absolute(options["path"])})
        self.tell(found, folder_lines(found), as_json=options["json"])

    def add(self, **options: Any) -> None:
        path = _absolute(options["path"])
        asked = {"path": path, "name": options["name"]} | _schedule(options)
        with open_door(space=options["space"]) as door:
            made = door.request("POST", "/sources", json=asked)
        self.tell(made, source_lines({"items": [made]}), as_json=options["json"])

    def set(self, **options: Any) -> None:
        asked = _schedule(options) | ({"name": options["name"]} if options["name"] else {})
        with open_door(space=options["space"]) as door:
            changed = door.request("PATCH", f"/sources/{segment(options['id'])}", json=asked)
        self.tell(changed, source_lines({"items": [changed]}), as_json=options["json"])

    def read(self, **options: Any) -> None:
        asked = {"dry_run": options["dry_run"]}
        with open_door(space=options["space"]) as door, progress_bar("Reading") as tell:
            job = door.request("POST", f"/sources/{segment(options['id'])}/ingest", json=asked)["job"]
            ended = wait_for_job(door, job["id"], on_progress=tell)
        self.tell_ingest(ended, as_json=options["json"])

    def forget(self, **options: Any) -> None:
        asked = {"archive": options["archive"], "dry_run": options["dry_run"]}
        with open_door(space=options["space"]) as door:
            gone = door.request("DELETE", f"/sources/{segment(options['id'])}", params=asked)
        verb = "would be forgotten" if gone["dry_run"] else "is forgotten"
        aside = f", {gone['archived']:,} memories put aside" if gone["archived"] else ""
        back = f" `{program_name()} undo {gone['run']}` brings them back." if gone["run"] else ""
        self.tell(gone, iter([f"{gone['name']} {verb}{aside}.{back}"]), as_json=options["json"])

    def document(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            found = door.request("GET", f"/documents/{segment(options['id'])}")
        if not options["json"]:
            self.stdout.write(found["text"])
        self.tell(found, document_lines(found), as_json=options["json"])


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())  # the app may run in another folder


def _schedule(options: dict[str, Any]) -> dict[str, Any]:
    said = {"every_minutes": options["every"], "on_session_start": options["on_session_start"]}
    return {name: value for name, value in said.items() if value is not None}
