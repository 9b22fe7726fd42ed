from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from memoryapp.management.command import VerbCommand
from memoryapp.management.door import open_door, segment
from memoryapp.management.show import shorten_text

Answer = dict[str, Any]


def inbox_lines(page: Answer) -> Iterator[str]:
    """Facts under the session that they were learned in."""
    counts = {one["session"]: one["count"] for one in page["sessions"]}
    for session, items in groupby(page["items"], key=lambda item: item["fact"]["session"] or ""):
        found = list(items)
        by = f", {found[0]['agent']}" if found[0]["agent"] else ""
        yield f"{session or 'without a session'}{by}: {counts.get(session, len(found)):,}"
        for item in found:
            fact = item["fact"]
            marks = ["disputed"] * bool(fact["conflicts"]) + ["replaces another"] * bool(item["replaces"])
            yield f"    {fact['trust']:.2f}  {shorten_text(fact['text'])}{_marks_text(marks)}  [{fact['id']}]"
    if not page["items"]:
        yield "Nothing waits."
    elif page["next_cursor"]:
        yield f"… {page['total']:,} in all"


def exclusion_lines(found: Answer) -> Iterator[str]:
    for one in found["items"]:
        counted = f"{one['kept_out']:,} kept out"
        yield (
            f"Facts like “{shorten_text(one['text'])}” are not learned  ({one['likeness']:g}, {counted})  [{one['id']}]"
        )
    if not found["items"]:
        yield "Nothing is excluded."


def _marks_text(marks: list[str]) -> str:
    return f"  ({', '.join(marks)})" if marks else ""


class Command(VerbCommand):
    help = "List what was learned and waits, accept it, drop it, mark it as seen; say what is not to be learned again."
    otherwise = "list"

    def add_verbs(self) -> None:
        listed = self.verb("list", self.list, help="List facts that nobody has looked at, by session.")
        _add_filter_options(listed)
        listed.add_argument("--limit", type=int, default=20)
        for name, do, told in (
            ("accept", self.accept, "Confirm facts that wait, in one run."),
            ("drop", self.drop, "Delete facts that wait, in one run."),
        ):
            acted = self.verb(name, do, help=told)
            acted.add_argument("ids", nargs="*", metavar="ID", help="these alone; without any, --all is needed")
            acted.add_argument("--all", action="store_true", help="all that waits, of --session or --agent")
            _add_filter_options(acted)
            acted.add_argument("--dry-run", action="store_true", help="say which, and change nothing")
        self.verb("seen", self.seen, help="Mark all that waits now as seen.")
        never = self.verb("never", self.never, help="Delete a fact, and learn nothing like it again.")
        never.add_argument("id")
        never.add_argument(
            "--likeness", type=float, help="cosine from which something is like it (default: the space's)"
        )
        self.verb("exclusions", self.exclusions, help="List what is not learned, and how much each kept out.")
        change = self.verb("likeness", self.likeness, help="Change from which cosine something is like that fact.")
        change.add_argument("id")
        change.add_argument("likeness", type=float)
        removed = self.verb("allow", self.allow, help="Learn facts like that one again.")
        removed.add_argument("id")

    def list(self, **options: Any) -> None:
        asked: dict[str, Any] = {"limit": options.get("limit", 20)} | _filter_options(options)
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/inbox", params=asked)
        self.tell(page, inbox_lines(page), as_json=options["json"])

    def accept(self, **options: Any) -> None:
        self._deal(options, "accept", "accepted")

    def drop(self, **options: Any) -> None:
        self._deal(options, "drop", "dropped")

    def _deal(self, options: dict[str, Any], act: str, verb: str) -> None:
        asked = {"ids": options["ids"], "all": options["all"], "dry_run": options["dry_run"]} | _filter_options(options)
        with open_door(space=options["space"]) as door:
            done = door.request("POST", f"/inbox/{act}", json=asked)
        lines = [f"{len(done['changed']):,} {'would be ' if done['dry_run'] else ''}{verb}."]
        lines += [f"{len(done['left']):,} left: somebody dealt with them before."] if done["left"] else []
        self.tell(done, iter([*lines, *_undo(done)]), as_json=options["json"])

    def seen(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            done = door.request("POST", "/inbox/seen", json={"until": datetime.now(UTC).isoformat()})
        self.tell(done, iter(["All that was learned by now is marked as seen.", *_undo(done)]), as_json=options["json"])

    def never(self, **options: Any) -> None:
        asked = {"id": options["id"], "likeness": options["likeness"]}
        with open_door(space=options["space"]) as door:
            done = door.request("POST", "/exclusions", json=asked)
        self._tell_exclusion(done, options)

    def exclusions(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            found = door.request("GET", "/exclusions")
        self.tell(found, exclusion_lines(found), as_json=options["json"])

    def likeness(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            asked = {"likeness": options["likeness"]}
            done = door.request("PATCH", f"/exclusions/{segment(options['id'])}", json=asked)
        self._tell_exclusion(done, options)

    def allow(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            done = door.request("DELETE", f"/exclusions/{segment(options['id'])}")
        self.tell(done, iter(["Facts like it are learned again.", *_undo(done)]), as_json=options["json"])

    def _tell_exclusion(self, done: dict[str, Any], options: dict[str, Any]) -> None:
        lines = [*exclusion_lines({"items": [done["exclusion"]]}), *_undo(done)]
        self.tell(done, iter(lines), as_json=options["json"])


def _add_filter_options(parser: ArgumentParser) -> None:
    parser.add_argument("--session", help="of this session alone; “” for facts without one")
    parser.add_argument("--agent", default="", help="of this agent alone")


def _filter_options(options: dict[str, Any]) -> dict[str, Any]:
    asked = {"session": options.get("session"), "agent": options.get("agent") or None}
    return {name: value for name, value in asked.items() if value is not None}


def _undo(done: dict[str, Any]) -> list[str]:
    return [f"`manage.py undo {done['run']}` takes it back."] if done["run"] else []
