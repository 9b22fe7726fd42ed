from __future__ import annotations

import time
from typing import Any

from memoryapp.management.command import VerbCommand, text_of
from memoryapp.management.door import ApiDoor, open_door, segment, wait_for_job
from memoryapp.management.show import progress_bar
from memoryapp.management.show_memories import session_lines, turn_lines

Turns = list[dict[str, Any]]
PATIENCE = 60.0  # seconds until a turn is read


class Command(VerbCommand):
    help = "A talk as it goes on: open a session, say something in it, end it, look at what was learned."
    otherwise = "list"

    def add_verbs(self) -> None:
        listed = self.verb("list", self.list, help="List sessions, newest first.")
        listed.add_argument("--limit", type=int, default=20)
        opened = self.verb("open", self.open, help="Open a session by your own name for it.")
        opened.add_argument("name")
        opened.add_argument("--agent", default="")
        opened.add_argument(
            "--private", action="store_true", help="nothing that is said in it is found or learned from"
        )
        said = self.verb("say", self.say, help="Say something in an open session, and wait until it is read.")
        said.add_argument("name")
        said.add_argument("text", help="“-” reads it from standard input")
        said.add_argument("--speaker")
        said.add_argument("--role", choices=["user", "assistant", "system", "tool"], default="user")
        said.add_argument("--at", help="when it was said (ISO 8601; by default now)")
        said.add_argument("--private", action="store_true", help="not to be found, learned from or exported")
        said.add_argument("--no-wait", action="store_true", help="do not wait until it is read")
        changed = self.verb("private", self.private, help="Make a session private from now on, or no longer so.")
        changed.add_argument("name")
        changed.add_argument("--off", action="store_true", help="what is said from now on is remembered again")
        changed.add_argument("--erase", action="store_true", help="erase the private words it has kept, for good")
        ended = self.verb("end", self.end, help="End a session; what happened in it is told as an episode.")
        ended.add_argument("name")
        shown = self.verb("show", self.show, help="Show what was said, and what was learned from it.")
        shown.add_argument("name")

    def list(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            page = door.request("GET", "/sessions", params={"limit": options.get("limit", 20)})
        lines = [line for one in page["items"] for line in session_lines(one)] or ["No sessions."]
        self.tell(page, iter(lines), as_json=options["json"])

    def open(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            session = door.request(
                "POST", "/sessions", json={name: options[name] for name in ("name", "agent", "private")}
            )
        self.tell(session, session_lines(session), as_json=options["json"])

    def say(self, **options: Any) -> None:
        text = text_of(options["text"], missing="There is nothing to say: the text is empty.")
        turn = {"text": text} | {name: options[name] for name in ("speaker", "role", "at", "private")}
        with open_door(space=options["space"]) as door:
            taken = door.request("POST", f"/sessions/{segment(options['name'])}/turns", json=turn)
            read = _read(door, options["name"], taken["items"][0], patience=0 if options["no_wait"] else PATIENCE)
        self.tell(read, turn_lines([read]), as_json=options["json"])

    def private(self, **options: Any) -> None:
        address = f"/sessions/{segment(options['name'])}"
        with open_door(space=options["space"]) as door:
            if options["erase"]:
                erased = door.request("DELETE", f"{address}/private")
                self.tell(
                    erased,
                    iter([f"The private words of {erased['erased']} turns are erased."]),
                    as_json=options["json"],
                )
                return
            session = door.request("PATCH", address, json={"private": not options["off"]})
        self.tell(session, session_lines(session), as_json=options["json"])

    def end(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            session = door.request("POST", f"/sessions/{segment(options['name'])}/end", json={})
            if session["job"]:
                with progress_bar("Telling") as tell:
                    wait_for_job(door, session["job"], on_progress=tell)
            session = door.request("GET", f"/sessions/{session['id']}")
            told = door.request("GET", f"/episodes/{session['episode']}") if session["episode"] else None
        self.tell(session | {"told": told}, session_lines(session, told), as_json=options["json"])

    def show(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            session = door.request("GET", f"/sessions/{segment(options['name'])}")
            said = _turns(door, options["name"])
            told = door.request("GET", f"/episodes/{session['episode']}") if session["episode"] else None
        lines = [*session_lines(session, told), *turn_lines(said)]
        self.tell(session | {"said": said, "told": told}, iter(lines), as_json=options["json"])


def _read(door: ApiDoor, name: str, turn: dict[str, Any], *, patience: float) -> dict[str, Any]:
    """The turn with its reading, once there is one or patience has run out."""
    address, until = f"/sessions/{segment(name)}/turns", time.monotonic() + patience
    asked = {"limit": 1, "after": turn["number"] - 1}
    while True:
        found: dict[str, Any] = door.request("GET", address, params=asked)["items"][0]
        if found["reading"]["status"] != "waiting" or time.monotonic() >= until:
            return found
        time.sleep(0.2)


def _turns(door: ApiDoor, name: str) -> Turns:
    found: Turns = []
    cursor = ""
    while True:
        page = door.request("GET", f"/sessions/{segment(name)}/turns", params={"limit": 200, "cursor": cursor})
        found += page["items"]
        cursor = page["next_cursor"] or ""
        if not cursor:
            return found
