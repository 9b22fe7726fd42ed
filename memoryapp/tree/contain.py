"""The entries of an index in its containers: those that are gone taken out, new ones put in, those that moved under
their new names, and whatever names children or parents put right. What did not change is not touched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memoryapp.domain.node import ROOT
from memoryapp.tree.bank import TOP, Index
from memoryapp.tree.claim import Claims, Place
from memoryapp.tree.entry import Entry
from memoryapp.tree.spelled import Container

Under = dict[str, list[Place]]


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
        inside = index.home if above == ROOT else _inside(claims.places.get(above), index, names, needed=bool(some))
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


def _inside(place: Place | None, index: Index, names: Mapping[str, str], *, needed: bool) -> Container | None:
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
