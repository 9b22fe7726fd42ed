from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import VerbCommand, text_of
from memoryapp.management.door import open_door, segment, wait_for_job
from memoryapp.management.show import progress_bar
from memoryapp.management.show_search import act_lines, golden_lines, import_lines, run_lines, runs_lines

MOST_SHOWN = 50


class Command(VerbCommand):
    help = "Keep questions of which you know what they should find, and see how well strategies do on them."
    otherwise = "list"

    def add_verbs(self) -> None:
        listed = self.verb("list", self.list, help="List the golden queries, the oldest first.")
        listed.add_argument("--limit", type=int, default=MOST_SHOWN)
        add = self.verb("add", self.add, help="Say which memories a question should find.")
        add.add_argument("query")
        add.add_argument("relevant", nargs="+", metavar="MEMORY", help="its id, or the ref that it was given")
        add.add_argument("--note", default="")
        delete = self.verb("delete", self.delete, help="Delete a golden query.")
        delete.add_argument("id")
        taken = self.verb("import", self.take_in, help="Add those of a file of JSON lines.")
        taken.add_argument("file", help="“-” reads standard input")
        taken.add_argument("--dry-run", action="store_true", help="say what would become of each line")
        taken.add_argument("--strict", action="store_true", help="write nothing unless every line can be used")
        export = self.verb("export", self.export, help="Print all as JSON lines, which import reads.")
        export.add_argument("file", nargs="?", default="-", help="where to write them (default: standard output)")
        run = self.verb("run", self.run, help="Ask all of them by one or more strategies, and measure the answers.")
        run.add_argument("--strategy", action="append", dest="strategies", metavar="NAME", help="default: hybrid")
        run.add_argument("--k", type=int, default=10, help="at how many results to measure (default: 10)")
        runs = self.verb("runs", self.runs, help="List the runs, the newest first, or show one.")
        runs.add_argument("id", nargs="?", default="")
        runs.add_argument("--plan", default="", help="only those by this strategy")
        runs.add_argument("--limit", type=int, default=20)

    def list(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/golden", params={"limit": options.get("limit", MOST_SHOWN)})
        self.tell(page, golden_lines(page), as_json=options["json"])

    def add(self, **options: Any) -> None:
        asked = {
            "query": text_of(options["query"], missing="The question is empty."),
            "relevant": options["relevant"],
            "note": options["note"],
        }
        with open_door(space=options["space"]) as door:
            done = door.request("POST", "/golden", json=asked)
        self.tell(done, act_lines(done), as_json=options["json"])

    def delete(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            done = door.request("DELETE", f"/golden/{segment(options['id'])}")
        self.tell(done, act_lines(done), as_json=options["json"])

    def take_in(self, **options: Any) -> None:
        asked = {"lines": _lines_of(options["file"]), "dry_run": options["dry_run"], "strict": options["strict"]}
        with open_door(space=options["space"]) as door:
            done = door.request("POST", "/golden/import", json=asked)
        self.tell(done, import_lines(done), as_json=options["json"])
        if done["bad"]:
            sys.exit(1)

    def export(self, **options: Any) -> None:
        to_terminal = options["file"] == "-"
        with open_door(space=options["space"], quiet=to_terminal) as door:
            lines = door.text("/golden/export")
        if to_terminal:
            self.stdout.write(lines, ending="")
            return
        Path(options["file"]).write_text(lines, encoding="utf-8")
        told = {"file": options["file"], "queries": lines.count("\n")}
        counted = "1 golden query" if told["queries"] == 1 else f"{told['queries']:,} golden queries"
        self.tell(told, iter([f"{counted} in {told['file']}."]), as_json=options["json"])

    def run(self, **options: Any) -> None:
        asked = {"strategies": options["strategies"] or ["hybrid"], "k": options["k"]}
        with open_door(space=options["space"], with_model=True) as door:
            begun = door.request("POST", "/golden/runs", json=asked)["job"]
            with progress_bar("Asking") as tell:
                job = wait_for_job(door, begun["id"], on_progress=tell)
            made = job["report"]["runs"] if job["status"] == "done" else []
            shown = [door.request("GET", f"/golden/runs/{segment(one['id'])}") for one in made]
        if options["json"]:
            self.print_json({"job": job, "runs": shown})
        if job["status"] != "done":
            self.stderr.write(job.get("error") or f"The job was {job['status']}.")
            sys.exit(1)
        if not options["json"]:
            for one in shown:
                for line in run_lines(one):
                    self.stdout.write(line)

    def runs(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            if options["id"]:
                found = door.request("GET", f"/golden/runs/{segment(options['id'])}")
                lines = run_lines(found)
            else:
                asked = {"limit": options["limit"]} | ({"plan": options["plan"]} if options["plan"] else {})
                found = door.request("GET", "/golden/runs", params=asked)
                lines = runs_lines(found)
        self.tell(found, lines, as_json=options["json"])


def _lines_of(file: str) -> str:
    """Raises BadInput for what cannot be read, or holds nothing."""
    if file == "-":
        return text_of(file, missing="Standard input holds no lines.")
    try:
        text = Path(file).read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{file} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{file} is not UTF-8: byte {error.start} cannot be read.") from None
    return text_of(text, missing=f"{file} is empty.")
