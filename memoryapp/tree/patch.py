"""The tree as an index says it: the one that was brought, changed only where the tree was, else a new one in our own
shape. Order, fields that are not ours and every letter of what is the same stay."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memoryapp.domain.node import Node, file_of
from memoryapp.tree.bank import Index, read_index
from memoryapp.tree.claim import Claims, Place, claimed
from memoryapp.tree.contain import contain
from memoryapp.tree.entry import Entry, known_fields
from memoryapp.tree.naming import BANK

OURS = ("title", "keywords", "weight", "parent", "children", "file")


def index_text(text: str, nodes: Sequence[Node], files: Mapping[str, str]) -> str:
    """`text`: the index as it was last brought or taken, "" where there was none. `nodes`: all that are held but ROOT;
    `files`: where the markdown of each lies, by path. Equal to `text` where nothing changed that an index tells."""
    if not text:
        return _fresh({}, nodes, files)
    index = read_index(text)
    claims = claimed(index, nodes, files, all_of_them=False)
    if not claims.differ:
        return text
    told = _patched(index, claims, names=_names(index))
    if _says(told, claims):
        return told
    # A shape that cannot say what the tree is now: fields of the whole stay, the nodes are said in our own.
    document = index.text.value if isinstance(index.text.value, dict) else {}
    return _fresh({k: v for k, v in document.items() if not isinstance(v, (dict, list))}, nodes, files)


def _fresh(whole: Mapping[str, Any], nodes: Sequence[Node], files: Mapping[str, str]) -> str:
    start = {"version": 1, **whole, "nodes": {}}
    index = read_index(json.dumps(start, ensure_ascii=False, indent=2) + "\n")
    claims = claimed(index, nodes, files, all_of_them=True)
    return _patched(index, claims, names={name: name for name in OURS})


def _names(index: Index) -> dict[str, str]:
    """Under which name the document says what; nothing where it does not."""
    entries = index.entries.values()
    return {what: next(filter(None, (getattr(one.fields, what) for one in entries)), "") for what in OURS}


def _patched(index: Index, claims: Claims, *, names: Mapping[str, str]) -> str:
    under = claims.under(index)
    short = any(one.file and not one.file.startswith(BANK) for one in index.entries.values())
    for place in claims.places.values():
        if place.entry is not None:
            _say(place.entry, place.changes(), names, short=short)
    moved = {path for path, place in claims.places.items() if place.moved}
    for place in claims.places.values():
        if place.entry is None:
            place.entry = _new(place, index, names, short=short)
    contain(index, claims, under, moved=moved, names=names)
    return str(index.text)


def _say(entry: Entry, changes: Mapping[str, Any], names: Mapping[str, str], *, short: bool) -> None:
    body = entry.body
    for what, value in changes.items():
        name = getattr(entry.fields, what) or names[what] or ("" if what == "file" else what)
        if what == "keywords":
            body[name] = _as_before(body.get(name), value)
        elif what == "weight":
            body[name] = int(value) if value.is_integer() and type(body.get(name)) is int else value
        elif what == "title":
            body[name] = value
        elif value is None:
            body.pop(name, None)
        elif name or value != file_of(entry.path):
            body[name or "file"] = value.removeprefix(BANK) if short else value


def _new(place: Place, index: Index, names: Mapping[str, str], *, short: bool) -> Entry:
    """A node that the document does not have, said as it says the others."""
    node, body = place.node, dict[str, Any]()
    ids = next(((one.fields.handle, one.fields.path) for one in index.entries.values() if one.fields.path), None)
    if ids is not None or isinstance(index.home, list):
        body |= dict.fromkeys(ids or ("id",), node.path)
    body[names["title"] or "title"] = node.title
    body[names["keywords"] or "keywords"] = list(node.keywords)
    if names["weight"] or node.weight != 1:
        body["weight"] = node.weight
    if names["parent"] and not index.nested:
        body[names["parent"]] = None
    if names["children"]:
        like = next((one.children for one in index.entries.values() if one.children is not None), [])
        body[names["children"]] = type(like)()
    if place.file is not None and (names["file"] or place.file != file_of(node.path)):
        body[names["file"] or "file"] = place.file.removeprefix(BANK) if short else place.file
    body |= {name: value for name, value in node.given.items() if name not in body}
    return Entry(body, index.home, node.path, known_fields(body))


def _as_before(was: Any, keywords: Sequence[str]) -> Any:
    """Keywords in the form they had: one line with commas, a map to numbers, or a list."""
    if isinstance(was, str):
        return ", ".join(keywords)
    if isinstance(was, dict):
        return {word: was.get(word, 1.0) for word in keywords}
    if isinstance(was, list):
        was[:] = keywords  # the same list, so that it is laid out as it was
        return was
    return list(keywords)


def _says(text: str, claims: Claims) -> bool:
    """Whether the index, read again, says of every node what it is now."""
    again = read_index(text)
    if set(again.entries) != set(claims.places):
        return False
    if {above: [p.node.path for p in some] for above, some in claims.under(again).items()} != {
        above: again.paths_under(above) for above in {entry.above for entry in again.entries.values()}
    }:
        return False
    return all(
        Place(place.node, again.entries[path], place.said, place.file).changes().keys() <= {"file"}
        for path, place in claims.places.items()
    )
