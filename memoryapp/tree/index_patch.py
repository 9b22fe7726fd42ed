"""The tree as an index says it: the one that was brought, changed only where the tree was, else a new one in our own
shape. Order, fields that are not ours and every letter of what is the same stay.

Each node takes its entry of the index (`claim_entries`); where they differ, the entry is changed (`_say`), and the
containers are put right (`contain`): what is gone is taken out, what is new put in, what moved is put under its new
name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memoryapp.domain.node import ROOT, Node, file_of
from memoryapp.tree.bank_index import TOP, Entry, Index, known_fields, read_index
from memoryapp.tree.index_record import IndexRecord, is_as_listed, read_index_record
from memoryapp.tree.json_document import Container
from memoryapp.tree.paths import BANK

OURS = ("title", "keywords", "weight", "parent", "children", "file")


def index_text(text: str, nodes: Sequence[Node], files: Mapping[str, str]) -> str:
    """`text`: the index as it was last brought or taken, "" where there was none. `nodes`: all that are held but ROOT;
    `files`: where the markdown of each lies, by path. Equal to `text` where nothing changed that an index tells."""
    if not text:
        return _fresh_index({}, nodes, files)
    index = read_index(text)
    claims = claim_entries(index, nodes, files, all_of_them=False)
    if not claims.differ:
        return text
    told = _patch_index(index, claims, names=_names(index))
    if _is_faithful(told, claims):
        return told
    # A shape that cannot say what the tree is now: fields of the whole stay, the nodes are said in our own.
    document = index.text.value if isinstance(index.text.value, dict) else {}
    return _fresh_index({k: v for k, v in document.items() if not isinstance(v, (dict, list))}, nodes, files)


def _fresh_index(whole: Mapping[str, Any], nodes: Sequence[Node], files: Mapping[str, str]) -> str:
    start = {"version": 1, **whole, "nodes": {}}
    index = read_index(json.dumps(start, ensure_ascii=False, indent=2) + "\n")
    claims = claim_entries(index, nodes, files, all_of_them=True)
    return _patch_index(index, claims, names={name: name for name in OURS})


def _names(index: Index) -> dict[str, str]:
    """Under which name the document says what; nothing where it does not."""
    entries = index.entries.values()
    return {what: next(filter(None, (getattr(one.fields, what) for one in entries)), "") for what in OURS}


def _patch_index(index: Index, claims: Claims, *, names: Mapping[str, str]) -> str:
    under = claims.under(index)
    short = any(one.file and not one.file.startswith(BANK) for one in index.entries.values())
    for place in claims.places.values():
        if place.entry is not None:
            _say(place.entry, place.changes(), names, short=short)
    moved = {path for path, place in claims.places.items() if place.moved}
    for place in claims.places.values():
        if place.entry is None:
            place.entry = _new_entry(place, index, names, short=short)
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


def _new_entry(place: Place, index: Index, names: Mapping[str, str], *, short: bool) -> Entry:
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


def _is_faithful(text: str, claims: Claims) -> bool:
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


# ── entries and their nodes


@dataclass(slots=True, eq=False)
class Place:
    """A node that the index is to tell, and its entry where it has one. `said`: what an index last said of it; `file`:
    where its markdown lies now."""

    node: Node
    entry: Entry | None
    said: IndexRecord | None
    file: str | None

    @property
    def moved(self) -> bool:
        """It is new in the index, or at another path there."""
        return self.entry is None or self.entry.path != self.node.path

    @property
    def reordered(self) -> bool:
        return self.said is not None and self.said.position != self.node.position

    def changes(self) -> dict[str, Any]:
        """Fields in which the node differs from its entry; what that does not say is as it was when it was read."""
        node, entry, said = self.node, self.entry, self.said
        if entry is None:
            return {}
        told = {
            "title": entry.title or (said.title if said else node.title),
            "keywords": entry.keywords if entry.keywords is not None else said.keywords if said else (),
            "weight": entry.weight if entry.weight is not None else said.weight if said else 1.0,
            "file": said.file if said else self.file,
        }
        now = {"title": node.title, "keywords": node.keywords, "weight": node.weight, "file": self.file}
        return {name: value for name, value in now.items() if value != told[name]}


@dataclass(slots=True)
class Claims:
    """`places` by the path of now, those above first; `gone`: entries whose node is no more."""

    places: dict[str, Place] = field(default_factory=dict)
    gone: list[Entry] = field(default_factory=list)

    @property
    def differ(self) -> bool:
        return bool(self.gone) or any(one.moved or one.reordered or one.changes() for one in self.places.values())

    def under(self, index: Index) -> dict[str, list[Place]]:
        """The places directly under each path: in the document's order, or in their own where that changed."""
        found: dict[str, list[Place]] = {}
        for place in self.places.values():
            found.setdefault(place.node.parent, []).append(place)
        for above, some in found.items():
            if any(place.moved or place.reordered for place in some):
                some.sort(key=lambda one: (one.node.position, one.node.path))
            else:
                known = {path: n for n, path in enumerate(index.paths_under(above))}
                some.sort(key=lambda one: known[one.node.path])
        return found


def claim_entries(index: Index, nodes: Sequence[Node], files: Mapping[str, str], *, all_of_them: bool) -> Claims:
    """Each node takes the entry at the path that the index last said, else the one at its own. A node that never stood
    in the index, and says nothing but what its file does, stays out unless `all_of_them` are to be in it."""
    entries = dict(index.entries)
    said = {node.path: read_index_record(node) for node in nodes}
    first = {path: one.path for path, one in said.items() if one and one.in_index and one.path in entries}
    taken = set(first.values())
    claims = Claims()
    known = {node.path: node for node in nodes}
    for path in sorted(known, key=lambda one: (one.count("/"), known[one].position, one)):
        node, kept = known[path], said[path]
        at = first.get(path) or (path if path not in taken else "")
        entry = entries.pop(at, None)
        silent = kept is not None and not kept.in_index and is_as_listed(node, kept)
        if entry is not None or all_of_them or not silent:
            claims.places[path] = Place(node, entry, kept, files.get(path))
            above = node.parent
            while index.nested and above != ROOT and above in known and above not in claims.places:
                claims.places[above] = Place(known[above], None, said[above], files.get(above))
                above = known[above].parent
    claims.gone = list(entries.values())
    return claims


Under = dict[str, list[Place]]


# ── containers


def contain(index: Index, claims: Claims, under: Under, *, moved: set[str], names: Mapping[str, str]) -> None:
    """`under`: the places under each path, in order; `moved`: paths of those that are new or came from elsewhere."""
    ids = {name for entry in index.entries.values() for name in entry.names}
    came_from = {
        place.entry.above for place in claims.places.values() if place.moved and place.entry and place.entry.path
    }
    stirred = came_from | {entry.above for entry in claims.gone} | {claims.places[path].node.parent for path in moved}
    stirred |= {place.node.parent for place in claims.places.values() if place.reordered}
    for path in moved:
        _rename(claims.places[path], ids)
    if index.nested:
        _nest(index, claims, under, stirred, names)
        return
    _lay(index, claims, under)
    for above in stirred:
        _name_children(index, claims, above, under.get(above, []), ids, names)
    for path in moved:
        _name_parent(index, claims, claims.places[path], names)


def _rename(place: Place, ids: set[str]) -> None:
    """A moved entry under its new path. An id that is no path stays, where its path follows from what is above it."""
    entry, node = place.entry, place.node
    if entry is None or not entry.path:
        return  # new: it has its name
    own = entry.own
    free = node.name == own or node.name not in ids
    new = node.name if "/" not in own and entry.above != ROOT and free else node.path
    if entry.key == own:
        entry.key = new
    for name in {entry.fields.path, entry.fields.handle} - {""}:
        if entry.body.get(name) in (own, entry.path):
            entry.body[name] = new


def _lay(index: Index, claims: Claims, under: Under) -> None:
    """One flat container: what stays stays in its place, what is new comes last, siblings change places with each
    other."""
    places = {id(place.entry.body): place for place in claims.places.values() if place.entry}
    gone = {id(entry.body) for entry in claims.gone}
    home = index.home
    pairs: list[tuple[str, Any]] = list(home.items()) if isinstance(home, dict) else [("", body) for body in home]
    pairs = [(key, body) for key, body in pairs if id(body) not in gone]
    standing = {id(body) for _, body in pairs}
    pairs += [
        ("", one.entry.body) for one in _from_above(claims, under) if one.entry and id(one.entry.body) not in standing
    ]
    for some in under.values():
        if any(place.reordered for place in some):
            wanted = [place.entry.body for place in some if place.entry]
            slots = [n for n, (_, body) in enumerate(pairs) if any(body is one for one in wanted)]
            for slot, body in zip(slots, wanted, strict=True):
                pairs[slot] = ("", body)
    if isinstance(home, list):
        home[:] = [body for _, body in pairs]
        return
    old = {id(body): key for key, body in home.items()}
    home.clear()
    for key, body in pairs:
        place = places.get(id(body))
        entry = place.entry if place else None
        home[(entry.key if entry else None) or key or old[id(body)]] = body


def _from_above(claims: Claims, under: Under) -> list[Place]:
    """All places, each before what is under it."""
    found: list[Place] = []
    waiting = [place for place in reversed(claims.places.values()) if place.node.parent not in claims.places]
    waiting.sort(key=lambda one: under[one.node.parent].index(one), reverse=True)
    while waiting:
        found.append(waiting.pop())
        waiting += reversed(under.get(found[-1].node.path, []))
    return found


def _name_children(
    index: Index, claims: Claims, above: str, some: list[Place], ids: set[str], names: Mapping[str, str]
) -> None:
    """The ids of its children, where what is above tells them; other ids that it tells stay, behind them."""
    place = claims.places.get(above)
    parent = index.whole if above == ROOT else place.entry if place else None
    name = (parent.fields.children or names["children"]) if parent else ""
    if parent is None or not name:
        return
    was = parent.body.get(name)
    handles = [place.entry.handle for place in some if place.entry]
    others = [one for one in was if one not in ids and one not in handles] if isinstance(was, list) else []
    if isinstance(was, list):
        was[:] = [*handles, *others]
    elif was is None and handles:
        parent.body[name] = handles


def _name_parent(index: Index, claims: Claims, place: Place, names: Mapping[str, str]) -> None:
    entry, above = place.entry, place.node.parent
    assert entry is not None
    name = entry.fields.parent or names["parent"]
    if not name:
        return
    if above != ROOT:
        named = claims.places.get(above)
        entry.body[name] = named.entry.handle if named and named.entry else above
        return
    top = index.whole.names if index.whole else ()
    said = [one.body[one.fields.parent] for one in index.entries.values() if one.fields.parent and one is not entry]
    entry.body[name] = next((one for one in said if one in (*top, *TOP)), None)


def _nest(index: Index, claims: Claims, under: Under, stirred: set[str], names: Mapping[str, str]) -> None:
    """Nodes that lie in each other: the containers of those whose children came, went or changed places."""
    bodies = {id(entry.body) for entry in index.entries.values()}
    bodies |= {id(place.entry.body) for place in claims.places.values() if place.entry}
    for above in stirred:
        some = [place for place in under.get(above, []) if place.entry]
        inside = (
            index.home if above == ROOT else _inner_container(claims.places.get(above), index, names, needed=bool(some))
        )
        if isinstance(inside, list):
            others = [one for one in inside if id(one) not in bodies]
            inside[:] = [*(place.entry.body for place in some if place.entry), *others]
        elif inside is not None:
            old = {id(body): key for key, body in inside.items()}
            rest = {key: body for key, body in inside.items() if id(body) not in bodies}
            inside.clear()
            for place in some:
                assert place.entry is not None
                kept = None if place.moved and place.entry.path == "" else old.get(id(place.entry.body))
                inside[_key(place.entry, place) if kept is None else kept] = place.entry.body
            inside.update(rest)


def _inner_container(place: Place | None, index: Index, names: Mapping[str, str], *, needed: bool) -> Container | None:
    """The container of what lies in a node; made like the others where there is none and one is needed."""
    if place is None or place.entry is None:
        return None
    entry: Entry = place.entry
    if entry.children is not None or not needed:
        return entry.children
    like = next((one.children for one in index.entries.values() if one.children is not None), index.home)
    name = names["children"] or "children"
    entry.body[name] = made = type(like)()
    return made


def _key(entry: Entry, place: Place) -> str:
    return entry.key if entry.path and entry.key else place.node.name
