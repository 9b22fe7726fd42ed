from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from memoryapp.management.door import open_door, segment
from memoryapp.management.show_tree import (
    brought_lines,
    outline_lines,
    reach_lines,
    retained_lines,
    route_lines,
    split_lines,
)
from memoryapp.management.tree_files import hashes, read_tree, write_tree
from memoryapp.management.verbs import VerbCommand, text_of
from memoryapp.tree import zipped


class Command(VerbCommand):
    help = "Look at the Context Tree; bring one in and take it out as files; ask what a question reaches."
    otherwise = "show"

    def add_verbs(self) -> None:
        self.verb("show", self.show, help="Show the tree, or the markdown of one node.").add_argument(
            "path", nargs="?", default="", help="as identity/values"
        )
        brought = self.verb("import", self.bring, help="Bring tree-index.json and bank/**/*.md in. Edits survive.")
        brought.add_argument("path", type=Path, help="a folder, a .zip or one .md file")
        brought.add_argument("--dry-run", action="store_true", help="tell the same and change nothing")
        brought.add_argument("--prune", action="store_true", help="delete nodes that are no longer in it")
        taken = self.verb("export", self.take, help="Write the tree as files. Removes nothing.")
        taken.add_argument("path", type=Path, help="a folder, or a .zip")
        taken.add_argument("--overwrite", action="store_true", help="also files that were changed there since")
        self.verb("reach", self.reach, help="Show which nodes a question reaches, and by which words.").add_argument(
            "question", help="“-” reads it from standard input"
        )
        self.verb("route", self.route, help="Show where something would go. Changes nothing.").add_argument(
            "text", help="“-” reads it from standard input"
        )
        split = self.verb("split", self.split, help="Show what a node would be split into by topic.")
        split.add_argument("path")
        split.add_argument("--apply", action="store_true", help="do it")
        retained = self.verb("retain", self.retain, help="Put memories into the tree as lines.")
        retained.add_argument("ids", nargs="+", metavar="ID")
        retained.add_argument("--into", metavar="PATH", help="this node, wherever they would be routed")

    def show(self, **options: Any) -> None:
        path = options.get("path", "").strip("/")
        with open_door(space=options["space"]) as door:
            if not path:
                found = door.request("GET", "/tree")
            else:
                found = door.request("GET", f"/tree/nodes/{'/'.join(map(segment, path.split('/')))}")
        if path and not options["json"]:
            self.stdout.write(found["text"], ending="")
            return
        self.tell(found, outline_lines(found), as_json=options["json"])

    def bring(self, **options: Any) -> None:
        files = read_tree(options["path"].expanduser().absolute())
        asked = {name: str(options[name]).lower() for name in ("dry_run", "prune")}
        with open_door(space=options["space"]) as door, tempfile.TemporaryDirectory() as folder:
            packed = Path(folder) / "tree.zip"
            packed.write_bytes(zipped(files))
            done = door.send_file("/tree/import", packed, fields=asked)
        self.tell(done, brought_lines(done), as_json=options["json"])

    def take(self, **options: Any) -> None:
        target = options["path"].expanduser().absolute()
        with open_door(space=options["space"]) as door:
            found = door.request("POST", "/tree/export", json={"format": "json"})
            written, same = write_tree(found["files"], found["last"], target, overwrite=options["overwrite"])
            # Only what lies there now was handed out: it is remembered once it is written.
            run = door.request("POST", "/tree/export/kept", json={"files": hashes(found["files"])})["run"]
        told = {"path": str(target), "written": written, "unchanged": same, "run": run}
        lines = iter([f"{len(written):,} files written, {len(same):,} as they were, in {target}."])
        self.tell(told, lines, as_json=options["json"])

    def reach(self, **options: Any) -> None:
        question = text_of(options["question"], missing="The question is empty.")
        with open_door(space=options["space"]) as door:
            found = door.request("POST", "/tree/reach", json={"question": question})
        self.tell(found, reach_lines(found), as_json=options["json"])

    def route(self, **options: Any) -> None:
        text = text_of(options["text"], missing="There is nothing to route.")
        with open_door(space=options["space"], with_model=True) as door:
            found = door.request("POST", "/tree/route", json={"texts": [{"text": text}]})
        self.tell(found, route_lines(found), as_json=options["json"])

    def split(self, **options: Any) -> None:
        asked = {"path": options["path"], "dry_run": not options["apply"]}
        with open_door(space=options["space"], with_model=True) as door:
            found = door.request("POST", "/tree/split", json=asked)
        self.tell(found, split_lines(found), as_json=options["json"])

    def retain(self, **options: Any) -> None:
        asked = {"memories": options["ids"]} | ({"path": options["into"]} if options["into"] else {})
        with open_door(space=options["space"], with_model=True) as door:
            done = door.request("POST", "/tree/retain", json=asked)
        self.tell(done, retained_lines(done), as_json=options["json"])
