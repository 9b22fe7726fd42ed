"""tree-index.json read, whatever its shape: nodes in a map or a list, flat with parents and children named by id, or
nested in each other, under `nodes`, `tree`, `root`, `children` or nothing. `patch` writes it again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from memoryapp.domain.node import ROOT
from memoryapp.tree.entry import Entry, Problem, known_fields, names_file, words_in
from memoryapp.tree.naming import as_path, climbs
from memoryapp.tree.spelled import Container, Spelled

INDEX = "tree-index.json"
_WRAPPERS = ("nodes", "tree", "root", "children")
TOP = ("", "/", "root")  # ids of a node that stands for the tree as a whole


@dataclass(slots=True)
class Index:
    """`entries` by path in the document's order; `whole` the entry that stands for the tree itself, where there is one.
    `home`: the container that nodes at the top are in. `nested`: nodes lie in each other."""

    text: Spelled
    home: Container
    nested: bool = False
    title: str = ""
    entries: dict[str, Entry] = field(default_factory=dict)
    whole: Entry | None = None
    problems: list[Problem] = field(default_factory=list)

    def paths_under(self, parent: str) -> list[str]:
        """Paths of the entries directly under one, in the order that the document tells."""
        found = [entry for entry in self.entries.values() if entry.above == parent]
        return [entry.path for entry in sorted(found, key=lambda one: one.position)]


def read_index(text: str, *, name: str = INDEX) -> Index:
    """Raises BadInput with line and column where it is no JSON. What cannot be used of it is named in `problems`, and
    the rest is read."""
    spelled = Spelled(text, name=name)
    index = Index(spelled, home={})
    if not isinstance(spelled.value, (dict, list)):
        index.problems.append(Problem(name, "holds no nodes: a map or a list of them is meant."))
        return index
    found = _find(spelled.value, index)
    _place(found, index)
    return index


def _find(document: Container, index: Index) -> list[Entry]:
    """Every node of the document, in its order, not yet with a path."""
    said = document if isinstance(document, dict) else {}
    if isinstance(said.get("title"), str):
        index.title = said["title"]
    inside, name = document, ""
    while isinstance(inside, dict) and name != "nodes":  # {"tree": {"nodes": …}}
        below = next((one for one in _WRAPPERS if isinstance(inside.get(one), (dict, list))), "")
        if not below or (name and _is_node(inside)):
            break
        inside, name = inside[below], below
    found: list[Entry] = []
    if isinstance(inside, dict) and name in ("tree", "root") and _is_node(inside):  # one that holds all others
        index.whole = Entry(inside, document, None, known_fields(inside))
        index.title = index.whole.title or index.title
        inside = index.whole.children if index.whole.children is not None else []
    index.home = inside
    _walk(inside, None, found, index)
    named = said.get("root")
    top_ids = (*TOP, named) if isinstance(named, str) else TOP
    for entry in found if index.whole is None else ():
        if entry.within is None and entry.own in top_ids and (entry.refs or entry.own == named):
            index.whole = entry
            index.title = entry.title or index.title
            break
    return found


def _walk(inside: Container, within: Entry | None, found: list[Entry], index: Index) -> None:
    members: Iterator[tuple[Any, Any]] = iter(inside.items()) if isinstance(inside, dict) else enumerate(inside)
    for key, body in list(members):
        if not isinstance(body, dict):
            if isinstance(inside, list) and within is not None and isinstance(body, str):
                within.refs.append(body)
            elif inside is not index.text.value:  # fields of the whole stand beside bare nodes
                index.problems.append(Problem(str(key), "is no node in the index: it is not an object."))
            continue
        entry = Entry(body, inside, key if isinstance(inside, dict) else None, known_fields(body), within=within)
        found.append(entry)
        if within is not None:
            index.nested = True
        if entry.children is not None:
            _walk(entry.children, entry, found, index)


def _is_node(body: dict[str, Any]) -> bool:
    """Whether it says something of itself, or is a map of nodes by their names."""
    fields = known_fields(body)
    keywords = fields.keywords and not isinstance(body[fields.keywords], dict)
    return bool(fields.path or fields.title or fields.file or fields.children or keywords)


def _place(found: list[Entry], index: Index) -> None:
    """Gives every entry its path, and leaves out those that cannot have one."""
    by_name: dict[str, Entry] = {}
    for entry in found:
        for name in entry.names:
            by_name.setdefault(name, entry)
    listed = {ref: entry for entry in reversed(found) for ref in reversed(entry.refs)}
    for entry in found:
        if entry is not index.whole:
            entry.parent = _parent_of(entry, by_name, listed, index)
    _part_circles(found, index)
    for entry in found:
        if entry is not index.whole and (path := _path_of(entry, index)):
            _take(path, entry, index)
    _missing_children(found, by_name, index)
    _number(index)


def _parent_of(entry: Entry, by_name: dict[str, Entry], listed: dict[str, Entry], index: Index) -> Entry | str | None:
    """The entry above, its path where the index has none of it, or None at the top."""
    if entry.within is not None:
        return entry.within
    named = words_in(entry.body.get(entry.fields.parent or ""))
    above: Entry | str | None = by_name.get(named, named) if named else None
    if not named:
        above = next((listed[name] for name in entry.names if name in listed), None)
    if above is index.whole or (isinstance(above, str) and above.strip("/") in TOP):
        return None
    return None if above is entry else above


def _part_circles(found: list[Entry], index: Index) -> None:
    for entry in found:
        passed = [entry]
        while isinstance(passed[-1].parent, Entry) and passed[-1].parent not in passed:
            passed.append(passed[-1].parent)
        if passed[-1].parent is entry:
            told = " → ".join(one.own for one in passed)
            index.problems.append(Problem(entry.own, f"lies within itself ({told}); it was put at the top."))
            entry.parent = None


def _path_of(entry: Entry, index: Index) -> str:
    raw = entry.own.strip().strip("/")
    if climbs(entry.own):
        index.problems.append(Problem(entry.own, "is no path of a node: it climbs out of the tree."))
        return ""
    chain = [raw]
    above = entry.parent
    while "/" not in chain[0] and above is not None:
        if isinstance(above, str):
            chain.insert(0, above.strip("/"))
            break
        chain.insert(0, above.own.strip("/"))
        above = above.parent
    path = as_path("/".join(chain))
    if not path:
        index.problems.append(Problem(entry.own or "a node", "cannot be a path; it was left out."))
    return path


def _take(path: str, entry: Entry, index: Index) -> None:
    if path in index.entries:
        index.problems.append(Problem(path, "stands twice in the index; the first counts."))
        return
    entry.path = path
    index.entries[path] = entry
    index.problems += [Problem(path, what) for what in entry.read()]


def _missing_children(found: list[Entry], by_name: dict[str, Entry], index: Index) -> None:
    for entry in found:
        for ref in entry.refs:
            if ref not in by_name and not names_file(ref):
                index.problems.append(Problem(entry.path or entry.own, f"names a child “{ref}” that is not there."))


def _number(index: Index) -> None:
    """Positions among siblings: as the one above lists them, else in the document's order."""
    siblings: dict[str, list[Entry]] = {}
    for entry in index.entries.values():
        siblings.setdefault(entry.above, []).append(entry)
    for above, some in siblings.items():
        parent = index.whole if above == ROOT else index.entries.get(above)
        order = {ref: n for n, ref in enumerate(parent.refs)} if parent else {}
        behind = len(order)
        some.sort(key=lambda one: min((order[name] for name in one.names if name in order), default=behind))
        for n, entry in enumerate(some):
            entry.position = n
