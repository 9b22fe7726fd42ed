"""tree-index.json read, whatever its shape: nodes in a map or a list, flat with parents and children named by id, or
nested in each other, under `nodes`, `tree`, `root`, `children` or nothing. `index_patch` writes it again.

An `Entry` is one node as the index has it: which of its fields say what, under whichever names.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput
from memoryapp.domain.node import KEYWORD_CHARS, MOST_KEYWORDS, MOST_WEIGHT, ROOT, check_keywords, parent_of
from memoryapp.tree.json_document import Container, JsonDocument
from memoryapp.tree.paths import as_path, climbs, is_markdown

_TITLE_CHARS = 300
_LARGEST = 2**63 - 1  # integers the store can keep
_IDS = ("path", "id", "key", "slug")
_TITLES = ("title", "name", "label")
_KEYWORDS = ("keywords", "tags")
_PARENTS = ("parent", "parent_id", "parentId")
_CHILDREN = ("children", "nodes")
_FILES = ("file", "bank", "bank_file", "bankFile", "content_file", "filename")
INDEX = "tree-index.json"
_WRAPPERS = ("nodes", "tree", "root", "children")
TOP = ("", "/", "root")  # ids of a node that stands for the tree as a whole


# ── the index


@dataclass(slots=True)
class Index:
    """`entries` by path in the document's order; `whole` the entry that stands for the tree itself, where there is one.
    `home`: the container that nodes at the top are in. `nested`: nodes lie in each other."""

    text: JsonDocument
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
    spelled = JsonDocument(text, name=name)
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


# ── one entry


@dataclass(frozen=True, slots=True)
class Problem:
    """What could not be taken as it was: a path or a file, and a sentence that goes on from it."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Fields:
    """The names under which a node of an index says what; "" where it does not. `handle` is what others call it by,
    where that is not its path."""

    path: str = ""
    handle: str = ""
    title: str = ""
    keywords: str = ""
    weight: str = ""
    parent: str = ""
    children: str = ""
    file: str = ""


def known_fields(body: dict[str, Any]) -> Fields:
    """Which of its fields are which."""
    file = next((name for name in _FILES if isinstance(body.get(name), str)), "")
    if not file and isinstance(body.get("path"), str) and names_file(body["path"]):
        file = "path"
    ids = [name for name in _IDS if name != file and _is_word(body.get(name))]
    titles = [name for name in _TITLES if _is_word(body.get(name))]
    return Fields(
        path=ids[0] if ids else "",
        handle=next((name for name in ids[1:]), ids[0] if ids else ""),
        title=titles[0] if titles else "",
        keywords=next((name for name in _KEYWORDS if isinstance(body.get(name), (list, str, dict))), ""),
        weight="weight" if "weight" in body else "",
        parent=next((name for name in _PARENTS if name in body), ""),
        children=next((name for name in _CHILDREN if isinstance(body.get(name), (list, dict))), ""),
        file=file,
    )


@dataclass(slots=True, eq=False)
class Entry:
    """`body` is the JSON object, in `holder` (under `key` where that is a map); `within` the entry whose children it
    stands among. Titles, keywords and weights are None where it says nothing of them."""

    body: dict[str, Any]
    holder: Container
    key: str | None
    fields: Fields
    within: Entry | None = None
    parent: Entry | str | None = None
    refs: list[str] = field(default_factory=list)  # children named by id
    path: str = ""
    position: int = 0
    title: str | None = None
    keywords: tuple[str, ...] | None = None
    weight: float | None = None
    file: str | None = None
    given: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        said = words_in(self.body.get(self.fields.title)) if self.fields.title else ""
        self.title = " ".join(clean(said).split())[:_TITLE_CHARS] or None

    @property
    def own(self) -> str:
        """Its id as the document has it."""
        said = words_in(self.body.get(self.fields.path)) if self.fields.path else ""
        return said or self.key or words_in(self.body.get(self.fields.title or "title"))

    @property
    def names(self) -> tuple[str, ...]:
        """All that others may call it by."""
        said = (self.body.get(name) for name in (self.fields.handle, self.fields.path) if name)
        return tuple(dict.fromkeys(one for one in (self.key, *map(words_in, said)) if one))

    @property
    def handle(self) -> str:
        """What others are to call it by."""
        said = words_in(self.body.get(self.fields.handle)) if self.fields.handle else ""
        return said or self.key or self.own

    @property
    def above(self) -> str:
        return parent_of(self.path)

    @property
    def children(self) -> Container | None:
        """The container of its children, ids and nodes alike."""
        found = self.body.get(self.fields.children) if self.fields.children else None
        return found if isinstance(found, (dict, list)) else None

    def read(self) -> list[str]:
        """Reads what it says; returns what could not be taken as it is."""
        problems: list[str] = []
        if self.fields.keywords:
            self.keywords = _keywords(self.body[self.fields.keywords], problems)
        if self.fields.weight:
            self.weight = _weight(self.body["weight"], problems)
        if self.fields.file:
            self.file = words_in(self.body[self.fields.file]) or None
        ours = {value for name in self.fields.__slots__ if (value := getattr(self.fields, name))}
        self.given = storable({name: value for name, value in self.body.items() if name not in ours})
        said = self.body.get("weight")
        if isinstance(said, (int, float)) and self.weight is not None and said != self.weight:
            self.given |= storable({"weight": said})
        return problems


def words_in(value: Any) -> str:
    """A word or a number as a word; nothing else is one."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def names_file(name: str) -> bool:
    """Whether this name is one of a file, and of no folder."""
    return is_markdown(name)


def storable(given: dict[str, Any]) -> dict[str, Any]:
    """What the store can keep of fields that are not ours: without nulls, halves of characters and integers of more
    than 64 bits, which become words."""
    return {_words(name): kept for name, value in given.items() if (kept := _storable_value(value)) is not None}


def _storable_value(value: Any) -> Any:
    if isinstance(value, dict):
        return storable(value)
    if isinstance(value, list):
        return [kept for item in value if (kept := _storable_value(item)) is not None]
    if isinstance(value, str):
        return _words(value)
    if isinstance(value, int) and not isinstance(value, bool) and not -_LARGEST <= value <= _LARGEST:
        return str(value)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _words(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_word(value: Any) -> bool:
    return bool(words_in(value))


def _keywords(said: Any, problems: list[str]) -> tuple[str, ...]:
    some = said.split(",") if isinstance(said, str) else list(said)
    words = [" ".join(clean(words_in(one)).split()) for one in some]
    if any(not word for word, one in zip(words, some, strict=True) if one != ""):
        problems.append("has keywords that are no words; they were left out.")
    if any(len(word) > KEYWORD_CHARS for word in words):
        problems.append(f"has keywords of more than {KEYWORD_CHARS} characters; they were left out.")
    fitting = list(dict.fromkeys(word for word in words if 0 < len(word) <= KEYWORD_CHARS))
    if len(fitting) > MOST_KEYWORDS:
        problems.append(f"has {len(fitting)} keywords; the first {MOST_KEYWORDS} were taken.")
    try:
        return check_keywords(fitting[:MOST_KEYWORDS])
    except BadInput as error:  # letters that grow when they are composed
        problems.append(error.detail)
        return ()


def _weight(said: Any, problems: list[str]) -> float | None:
    try:
        number = float(said) if isinstance(said, (int, float, str)) and not isinstance(said, bool) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        problems.append(f"has the weight {str(said)[:40]!r}, which is no number; 1 was taken.")
        return None
    if not 0 <= number <= MOST_WEIGHT:
        taken = min(max(number, 0.0), MOST_WEIGHT)
        problems.append(
            f"has the weight {number:g}; {taken:g} was taken, as weights lie between 0 and {MOST_WEIGHT:g}."
        )
        return taken
    return number
