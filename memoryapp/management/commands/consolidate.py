from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from memoryapp.management.command import PalimpsestCommand
from memoryapp.management.door import open_door, wait_for_job
from memoryapp.management.show import progress_bar
from memoryapp.program import program_name
from memoryapp.text.wording import count_text

Answer = dict[str, Any]


def preview_lines(preview: Answer) -> Iterator[str]:
    for one in preview["digests"]:
        marks = " (rolled back once)" if one["rolled_back"] else " (written anew)" if one["rewrites"] else ""
        yield f"{one['title']}: {count_text(len(one['originals']), 'section')}{marks}  [{one['id']}]"
        for said in one["sentences"]:
            why = ", ".join(said["why"])
            yield f"  {'+' if said['taken'] else '-'} {said['score']:.2f}  {said['text']}"
            yield f"           {why}" + (f"; left: {said['left']}" if said["left"] else "")
        yield ""
    stays = len(preview["staying"])
    if not preview["digests"]:
        yield f"Nothing to fold: no daily log older than {preview['older_than_days']} days belongs to another."
    else:
        yield (
            f"{count_text(len(preview['digests']), 'digest')} of {count_text(preview['archives'], 'section')}, "
            f"{preview['taken']:,} of {preview['sentences']:,} sentences, "
            f"{preview['bytes_before']:,} to {preview['bytes_after']:,} bytes, {preview['links']:,} links carried over."
        )
    if stays:
        yield f"{count_text(stays, 'section')} {'stays as it is' if stays == 1 else 'stay as they are'}."
    if preview["digests"]:
        yield f"Nothing was written: `{program_name()} consolidate --apply` writes it."


def job_lines(job: Answer) -> Iterator[str]:
    report = job["report"]
    if report["skipped"]:
        yield report["skipped"]
        return
    yield (
        f"{count_text(report['digests'], 'digest')} written, {count_text(report['archived'], 'section')} archived, "
        f"{report['bytes_before']:,} to {report['bytes_after']:,} bytes."
    )
    for one in report["left"]:
        yield f"Left out: {one['title'] or one['id']}: {one['why']}."
    if report["run"]:
        yield f"`{program_name()} undo {report['run']}` takes it back."


class Command(PalimpsestCommand):
    help = "Fold daily logs that have rested into digests. Shows what it would do; --apply does it."

    def add_own_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--apply", action="store_true", help="write the digests and archive their originals")
        parser.add_argument("--only", action="append", metavar="ID", help="only this digest; may be given again")
        parser.add_argument("--ranker", choices=["marks", "central"], help="default: the space's own")
        parser.add_argument("--older-than-days", type=int, metavar="N", help="default: the space's own")
        parser.add_argument("--space", default="default")

    def act(self, **options: Any) -> None:
        asked = {
            "ranker": options["ranker"],
            "older_than_days": options["older_than_days"],
            "digests": options["only"],
            "dry_run": not options["apply"],
        }
        with open_door(space=options["space"], with_model=True) as door:
            answer = door.request("POST", "/consolidate", json=asked)
            if options["apply"]:
                with progress_bar("Consolidating") as tell:
                    answer = wait_for_job(door, answer["job"]["id"], on_progress=tell)
        if options["json"]:
            self.print_json(answer)
        elif not options["apply"] or answer["status"] == "done":
            for line in job_lines(answer) if options["apply"] else preview_lines(answer):
                self.stdout.write(line)
        if options["apply"] and answer["status"] != "done":
            self.stderr.write(answer.get("error") or f"The job was {answer['status']}.")
            sys.exit(1)
