"""The Context Tree as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memoryapp.program import program_name

Told = dict[str, Any]
_FATES = ("added", "changed", "unchanged", "kept", "gone", "removed")
_MOST = 20  # paths told of one kind


def outline_lines(outline: Told) -> Iterator[str]:
    """The tree, indented, with sizes, weights and keywords."""
    shown = [row for row in outline["items"] if row["path"]]
    order = {row["path"]: (row["position"], row["path"]) for row in shown}

    def place(row: Told) -> list[tuple[int, str]]:
        parts = row["path"].split("/")
        above = ("/".join(parts[:n]) for n in range(1, len(parts) + 1))
        return [order.get(path, (0, path)) for path in above]

    for row in sorted(shown, key=place):
        name = row["path"].rpartition("/")[2]
        title = f"  {row['title']}" if row["title"] != name else ""
        size = f"  {size_told(row['size'])}" if row["file"] else ""
        full = ", to be split" if row["overfull"] else ""
        weight = f"  ×{row['weight']:g}" if row["weight"] != 1 else ""
        words = f"  {', '.join(row['keywords'])}" if row["keywords"] else ""
        yield f"{'  ' * row['path'].count('/')}{name}{title}{size}{full}{weight}{words}"
    yield f"{len(shown):,} nodes, {size_told(outline['bytes'])}." if shown else "The tree has no nodes yet."


def brought_lines(done: Told) -> Iterator[str]:
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


def reach_lines(found: Told) -> Iterator[str]:
    for one in found["items"]:
        matched = ", ".join(f"{m['word']} = {m['keyword']} {m['grade']:g}" for m in one["matches"])
        via = "" if one["own"] else f", by {one['via']}"
        loaded = "" if one["loaded"] else "  (not given)"
        yield f"{one['score']:.2f}  {one['path']}  {size_told(one['size'])}  {matched}{via}{loaded}"
    if not found["items"]:
        yield "No node has a keyword of this question."
        return
    yield f"{size_told(found['bytes_loaded'])} of {size_told(found['bytes_bank'])} would be given."


def route_lines(found: Told) -> Iterator[str]:
    for one in found["items"]:
        others = f"  (next: {', '.join(one['others'])})" if one["others"] else ""
        yield f"{one['path']}  {one['why']}{others}"


def split_lines(found: Told) -> Iterator[str]:
    verb = "would become" if found["dry_run"] else "became"
    yield f"{found['path']}, {size_told(found['size'])}, {verb} {len(found['pieces'])} nodes beneath it."
    for piece in found["pieces"]:
        yield f"  {piece['path']}  {size_told(piece['size'])}  {', '.join(piece['headings'])}"
    if found["run"]:
        yield f"`{program_name()} undo {found['run']}` takes it back."


def retained_lines(done: Told) -> Iterator[str]:
    for one in done["items"]:
        yield f"{one['outcome']}: {one['path']}  {one['line']}  ({one['why']})"
    if done["run"]:
        yield f"`{program_name()} undo {done['run']}` takes it back."


def size_told(size: int) -> str:
    """ "812 B", "3.6 KB"."""
    return f"{size:,} B" if size < 1_000 else f"{size / 1_000:.1f} KB"
