from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from memoryapp.domain.errors import BadInput
from memoryapp.management.command import VerbCommand, text_of
from memoryapp.management.door import open_door, segment
from memoryapp.management.show_memories import case_lines, conflict_lines
from memoryapp.program import program_name

OUTCOMES = ["keep", "replace", "both", "merge", "neither"]


class Command(VerbCommand):
    help = "List conflicts, look at one, propose, decide, accept what is proposed, take a decision back."
    otherwise = "list"

    def add_verbs(self) -> None:
        listed = self.verb("list", self.list, help="List conflicts, newest first.")
        listed.add_argument("--status", choices=["waiting", "automatic", "decided", "snoozed"], default="waiting")
        listed.add_argument("--limit", type=int, default=20)
        shown = self.verb("show", self.show, help="Show both sides, what is proposed, and what each outcome changes.")
        shown.add_argument("id")
        decided = self.verb("resolve", self.resolve, help="Decide: keep, replace, both, merge or neither.")
        decided.add_argument("id")
        decided.add_argument("outcome", choices=OUTCOMES)
        decided.add_argument("--text", help="what is to stand, for merge; “-” reads it from standard input")
        decided.add_argument("--reason", default="")
        proposed = self.verb("propose", self.propose, help="Say how it should be decided, for somebody who may.")
        proposed.add_argument("id")
        proposed.add_argument("outcome", choices=OUTCOMES)
        proposed.add_argument("--text", help="what is to stand, for merge; “-” reads it from standard input")
        proposed.add_argument("--reason", default="")
        accepted = self.verb("accept", self.accept, help="Decide many as their detectors propose, in one run.")
        accepted.add_argument("ids", nargs="*", metavar="ID", help="these alone (default: all that wait)")
        accepted.add_argument("--certain", action="store_true", help="only those that a sure rule found")
        accepted.add_argument("--dry-run", action="store_true", help="say which, and decide none")
        undone = self.verb("undo", self.undo, help="Take a decision back: the conflict waits again.")
        undone.add_argument("id")
        put_off = self.verb("snooze", self.snooze, help="Put a conflict off for some hours.")
        put_off.add_argument("id")
        put_off.add_argument("--hours", type=float, default=24.0, help="0 wakes it (default: 24)")

    def list(self, **options: Any) -> None:
        asked = {"status": options.get("status", "waiting"), "limit": options.get("limit", 20)}
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/conflicts", params=asked)
        self.tell(page, conflict_lines(page), as_json=options["json"])

    def show(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            found = door.request("GET", f"/conflicts/{segment(options['id'])}")
        self.tell(found, case_lines(found), as_json=options["json"])

    def resolve(self, **options: Any) -> None:
        said = _outcome_body(options)
        with open_door(space=options["space"]) as door:
            done = door.request("POST", f"/conflicts/{segment(options['id'])}/resolve", json=said)
        line = f"{done['status']}: {options['outcome']}. " + (
            f"`{program_name()} undo {done['run']}` takes it back." if done["run"] else ""
        )
        self.tell(done, iter([line.strip()]), as_json=options["json"])

    def propose(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            said = _outcome_body(options) | {"propose": True}
            kept = door.request("POST", f"/conflicts/{segment(options['id'])}/resolve", json=said)
        count = len(kept["conflict"]["proposals"])
        line = (
            f"Proposed: {options['outcome']}. {count} {'proposal waits' if count == 1 else 'proposals wait'} with it."
        )
        self.tell(kept, iter([line]), as_json=options["json"])

    def accept(self, **options: Any) -> None:
        asked = {"outcome": "proposal", "certain": options["certain"], "dry_run": options["dry_run"]}
        asked |= {"ids": options["ids"]} if options["ids"] else {"all": True}
        with open_door(space=options["space"]) as door:
            done = door.request("POST", "/conflicts/resolve", json=asked)
        verb = "would be decided" if done["dry_run"] else "decided"
        lines = [f"{len(done['decided']):,} {verb}."]
        lines += [f"`{program_name()} undo {done['run']}` takes all of it back."] if done["run"] else []
        lines += [f"left {one['id']}: {one['why']}" for one in done["left"]]
        self.tell(done, iter(lines), as_json=options["json"])

    def undo(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            done = door.request("POST", f"/conflicts/{segment(options['id'])}/undo")
        self.tell(done, iter(["The conflict waits again."]), as_json=options["json"])

    def snooze(self, **options: Any) -> None:
        hours = options["hours"]
        if not 0 <= hours <= 24 * 366:
            raise BadInput("--hours goes from 0, which wakes it, to a year.")
        until = (datetime.now(UTC) + timedelta(hours=hours)).isoformat() if hours else None
        with open_door(space=options["space"]) as door:
            done = door.request("POST", f"/conflicts/{segment(options['id'])}/snooze", json={"until": until})
        line = f"Snoozed until {until:.16} UTC." if until else "It waits again."
        self.tell(done, iter([line]), as_json=options["json"])


def _outcome_body(options: dict[str, Any]) -> dict[str, Any]:
    """The outcome as the API takes it. Raises BadInput for a text that is empty."""
    said: dict[str, Any] = {"outcome": options["outcome"], "reason": options["reason"]}
    if options["text"] is not None:
        said["text"] = text_of(options["text"], missing="A merge needs the text that is to stand.")
    return said
