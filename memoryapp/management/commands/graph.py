from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from memoryapp.management.command import VerbCommand
from memoryapp.management.door import ApiDoor, open_door, wait_for_job
from memoryapp.management.entity_names import entity_named
from memoryapp.management.show import progress_bar
from memoryapp.management.show_graph import graph_job_lines, path_lines, scene_lines


class Command(VerbCommand):
    help = "Look at the graph: what is around an entity, how two hang together. NAME is a name, an alias or an id."

    def add_verbs(self) -> None:
        self.verb(
            "refresh", self.refresh, help="Read what waits for relations, embed names, find those that may be one."
        ).add_argument("--layout", action="store_true", help="draw the map anew as well")
        around = self.verb("around", self.around, help="Show what is around an entity; without a NAME, the whole.")
        around.add_argument("name", nargs="?", default="")
        self._scene(around)
        path = self.verb("path", self.path, help="Show how two entities hang together.")
        path.add_argument("name")
        path.add_argument("other")
        path.add_argument("--longest", type=int, default=6, help="steps at most (default: 6)")
        path.add_argument("--as-of", help="as it was held then (ISO 8601)")
        path.add_argument("--inherited-from", default="", help="a parent space whose graph is looked at")
        export = self.verb("export", self.export, help="Write the graph, or what is around an entity, as GraphML.")
        export.add_argument("file", type=Path, help="“-” writes to standard output")
        export.add_argument("--around", default="", metavar="NAME", dest="name")
        self._scene(export, limit=500)

    def _scene(self, parser: ArgumentParser, *, limit: int = 60) -> None:
        parser.add_argument("--steps", type=int, default=2, help="1 to 3 (default: 2)")
        parser.add_argument("--limit", type=int, default=limit, help=f"entities at most (default: {limit})")
        parser.add_argument("--as-of", help="as it was held then (ISO 8601)")
        parser.add_argument("--seen-once", action="store_true", help="with entities that only one text named so far")
        parser.add_argument("--inherited-from", default="", help="a parent space whose graph is looked at")

    def refresh(self, **options: Any) -> None:
        ended = []
        acts = {"graph": "Reading for relations"} | ({"layout": "Drawing"} if options["layout"] else {})
        with open_door(space=options["space"], with_model=True) as door:
            for act, said in acts.items():
                begun = door.request("POST", f"/heartbeat/{act}/run")["job"]
                with progress_bar(said) as tell:
                    ended.append(wait_for_job(door, begun["id"], on_progress=tell))
        if options["json"]:
            self.print_json({"jobs": ended})
        for job in ended:
            if job["status"] != "done":
                self.stderr.write(job.get("error") or f"The job was {job['status']}.")
                sys.exit(1)
            if not options["json"]:
                for line in graph_job_lines(job):
                    self.stdout.write(line)

    def around(self, **options: Any) -> None:
        with open_door(space=options["space"]) as door:
            scene = door.request("GET", "/graph", params=self._asked(door, options))
        self.tell(scene, scene_lines(scene), as_json=options["json"])

    def path(self, **options: Any) -> None:
        parent = options["inherited_from"]
        with open_door(space=options["space"]) as door:
            asked = {
                "start": entity_named(door, options["name"], inherited_from=parent)["id"],
                "end": entity_named(door, options["other"], inherited_from=parent)["id"],
                "longest": options["longest"],
                "inherited_from": parent,
            }
            asked |= {"as_of": options["as_of"]} if options["as_of"] else {}
            found = door.request("GET", "/graph/path", params=asked)
        self.tell(found, path_lines(found), as_json=options["json"])

    def export(self, **options: Any) -> None:
        with open_door(space=options["space"], quiet=str(options["file"]) == "-") as door:
            found = door.text("/graph/export.graphml", params=self._asked(door, options))
        if str(options["file"]) == "-":
            self.stdout.write(found)
            return
        options["file"].write_text(found, encoding="utf-8")
        told = {"file": str(options["file"]), "bytes": options["file"].stat().st_size}
        self.tell(told, iter([f"{told['bytes']:,} bytes in {told['file']}."]), as_json=options["json"])

    def _asked(self, door: ApiDoor, options: dict[str, Any]) -> dict[str, Any]:
        parent = options["inherited_from"]
        asked: dict[str, Any] = {"steps": options["steps"], "limit": options["limit"], "inherited_from": parent}
        asked |= {"start": entity_named(door, options["name"], inherited_from=parent)["id"]} if options["name"] else {}
        asked |= {"as_of": options["as_of"]} if options["as_of"] else {}
        asked |= {"seen_once": "true"} if options["seen_once"] else {}
        return asked
