from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memoryapp.domain.errors import BadInput, Clash, TooLarge
from memoryapp.domain.limits import LIMITS
from memoryapp.management.command import VerbCommand, text_of
from memoryapp.management.door import open_door, segment
from memoryapp.program import program_name
from memoryapp.tree import unzip_files, zip_files
from memoryapp.tree.bank_index import INDEX
from memoryapp.tree.paths import climbs, is_markdown

Answer = dict[str, Any]
_FATES = ("added", "changed", "unchanged", "kept", "gone", "removed")
_MOST = 20  # paths told of one kind


def outline_lines(outline: Answer) -> Iterator[str]:
    """The tree, indented, with sizes, weights and keywords."""
    shown = [row for row in outline["items"] if row["path"]]
    order = {row["path"]: (row["position"], row["path"]) for row in shown}

    def place(row: Answer) -> list[tuple[int, str]]:
        parts = row["path"].split("/")
        above = ("/".join(parts[:n]) for n in range(1, len(parts) + 1))
        return [order.get(path, (0, path)) for path in above]

    for row in sorted(shown, key=place):
        name = row["path"].rpartition("/")[2]
        title = f"  {row['title']}" if row["title"] != name else ""
        size = f"  {size_words(row['size'])}" if row["file"] else ""
        full = ", to be split" if row["overfull"] else ""
        weight = f"  ×{row['weight']:g}" if row["weight"] != 1 else ""
        words = f"  {', '.join(row['keywords'])}" if row["keywords"] else ""
        yield f"{'  ' * row['path'].count('/')}{name}{title}{size}{full}{weight}{words}"
    yield f"{len(shown):,} nodes, {size_words(outline['bytes'])}." if shown else "The tree has no nodes yet."


def import_lines(done: Answer) -> Iterator[str]:
    """Counts in one line, then the paths of what is not simply as it was."""
    counted = [f"{len(done[name]):,} {name}" for name in _FATES if done[name] or name in ("added", "changed")]
    counted += [f"{len(done['conflicts']):,} in conflict"] if done["conflicts"] else []
    rehearsed = " (dry run: nothing was changed)" if done["dry_run"] else ""
    yield f"{', '.join(counted)}{rehearsed}"
    for name in ("added", "changed", "kept", "removed", "gone"):
        paths = [path for path in done[name] if name != "gone" or path not in done["removed"]]
        yield from (f"{name}: {path}" for path in paths[:_MOST])
        if len(paths) > _MOST:
            yield f"{name}: … {len(paths) - _MOST:,} more"
    yield from (f"in conflict: {one['path']}  [{one['conflict']}]" for one in done["conflicts"])
    yield from (f"{one['where']} {one['what']}" for one in done["problems"])
    if done["ignored"]:
        yield f"{len(done['ignored']):,} files are no part of the tree."
    if done["run"]:
        yield f"`{program_name()} undo {done['run']}` takes it back."


def reach_lines(found: Answer) -> Iterator[str]:
    for one in found["items"]:
        matched = ", ".join(f"{m['word']} = {m['keyword']} {m['grade']:g}" for m in one["matches"])
        via = "" if one["own"] else f", by {one['via']}"
        loaded = "" if one["loaded"] else "  (not given)"
        yield f"{one['score']:.2f}  {one['path']}  {size_words(one['size'])}  {matched}{via}{loaded}"
    if not found["items"]:
        yield "No node has a keyword of this question."
        return
    yield f"{size_words(found['bytes_loaded'])} of {size_words(found['bytes_bank'])} would be given."


def route_lines(found: Answer) -> Iterator[str]:
    for one in found["items"]:
        others = f"  (next: {', '.join(one['others'])})" if one["others"] else ""
        yield f"{one['path']}  {one['why']}{others}"


def split_lines(found: Answer) -> Iterator[str]:
    verb = "would become" if found["dry_run"] else "became"
    yield f"{found['path']}, {size_words(found['size'])}, {verb} {len(found['pieces'])} nodes beneath it."
    for piece in found["pieces"]:
        yield f"  {piece['path']}  {size_words(piece['size'])}  {', '.join(piece['headings'])}"
    if found["run"]:
        yield f"`{program_name()} undo {found['run']}` takes it back."


def retained_lines(done: Answer) -> Iterator[str]:
    for one in done["items"]:
        yield f"{one['outcome']}: {one['path']}  {one['line']}  ({one['why']})"
    if done["run"]:
        yield f"`{program_name()} undo {done['run']}` takes it back."


def size_words(size: int) -> str:
    """ "812 B", "3.6 KB"."""
    return f"{size:,} B" if size < 1_000 else f"{size / 1_000:.1f} KB"


def read_tree(path: Path) -> dict[str, bytes]:
    """The files of a tree by their path in it: a folder, a .zip or one markdown file. Of a folder with an index or a
    bank, links that lead elsewhere and hidden folders are left out. Raises BadInput, TooLarge."""
    if path.is_dir():
        return _folder(path)
    if not path.exists():
        raise BadInput(f"There is nothing at {path}.")
    if path.stat().st_size > LIMITS.upload_bytes:
        raise TooLarge(f"{path} has more than {LIMITS.upload_bytes >> 20} MiB.")
    data = path.read_bytes()
    if path.suffix.lower() == ".zip":
        return unzip_files(data)
    if is_markdown(path.name):
        return {path.name: data}
    raise BadInput(f"{path} is no folder, no .zip and no markdown.")


def _folder(root: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    size = 0
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            if name != INDEX and not is_markdown(name):
                continue
            file = Path(folder) / name
            if not file.resolve().is_relative_to(root.resolve()) or not file.is_file():
                continue
            size += file.stat().st_size
            if size > LIMITS.archive_bytes:
                raise TooLarge(f"The markdown in {root} has more than {LIMITS.archive_bytes >> 20} MiB.")
            files[file.relative_to(root).as_posix()] = file.read_bytes()
    if not files:
        raise BadInput(f"There is neither {INDEX} nor markdown in {root}.")
    return files


def write_tree(
    files: Mapping[str, str], last: Mapping[str, str], target: Path, *, overwrite: bool
) -> tuple[list[str], list[str]]:
    """(written, as they were). A file that is neither as it was last handed out nor as it is to be is written over only
    where `overwrite` says so: raises Clash that names them, and nothing is written. Removes nothing."""
    if target.suffix.lower() == ".zip":
        return _archive(files, target, overwrite=overwrite), []
    if target.exists() and not target.is_dir():
        raise BadInput(f"{target} is a file. Name a folder, or a .zip.")
    changed, same, wanted = [], [], []
    for name, text in files.items():
        if climbs(name):
            raise BadInput(f"“{name}” leads out of {target}.")
        file = target / name
        there = _hash(file.read_bytes()) if file.is_file() else None
        if there == _hash(text.encode("utf-8")):
            same.append(name)
            continue
        wanted.append(name)
        if there is not None and there != last.get(name):
            changed.append(name)
        if file.exists() and not file.resolve().is_relative_to(target.resolve()):
            raise BadInput(f"{file} is a link that leads out of {target}.")
    if changed and not overwrite:
        shown = ", ".join(changed[:5]) + (f" and {len(changed) - 5} more" if len(changed) > 5 else "")
        raise Clash(f"Changed since in {target}: {shown}. Import them first, or pass --overwrite. Nothing was written.")
    # The index last: where this is cut off, the markdown it tells of is there.
    for name in sorted(wanted, key=lambda one: (one == INDEX, one)):
        _write(target / name, files[name].encode("utf-8"))
    return wanted, same


def _archive(files: Mapping[str, str], target: Path, *, overwrite: bool) -> list[str]:
    if target.exists() and not overwrite:
        raise Clash(f"{target} is there already. Choose another name, or pass --overwrite.")
    if not target.parent.is_dir():
        raise BadInput(f"There is no folder {target.parent}.")
    _write(target, zip_files({name: text.encode("utf-8") for name, text in files.items()}))
    return list(files)


def _write(file: Path, data: bytes) -> None:
    """Appears only when it is whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f".{file.name}.partial")
    partial.write_bytes(data)
    partial.replace(file)


def hashes(files: Mapping[str, str]) -> dict[str, str]:
    """sha256 of each file."""
    return {name: _hash(text.encode("utf-8")) for name, text in files.items()}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


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
            packed.write_bytes(zip_files(files))
            done = door.send_file("/tree/import", packed, fields=asked)
        self.tell(done, import_lines(done), as_json=options["json"])

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
