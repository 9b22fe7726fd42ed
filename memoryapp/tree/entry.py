"""One node as an index has it: which of its fields say what, under whichever names."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput
from memoryapp.domain.node import KEYWORD_CHARS, MOST_KEYWORDS, MOST_WEIGHT, check_keywords, parent_of
from memoryapp.tree.naming import is_markdown
from memoryapp.tree.spelled import Container

_TITLE_CHARS = 300
_LARGEST = 2**63 - 1  # integers the store can keep
_IDS = ("path", "id", "key", "slug")
_TITLES = ("title", "name", "label")
_KEYWORDS = ("keywords", "tags")
_PARENTS = ("parent", "parent_id", "parentId")
_CHILDREN = ("children", "nodes")
_FILES = ("file", "bank", "bank_file", "bankFile", "content_file", "filename")


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
    return is_markdown(name)


def storable(given: dict[str, Any]) -> dict[str, Any]:
    """What the store can keep of fields that are not ours: without nulls, halves of characters and integers of more
    than 64 bits, which become words."""
    return {_words(name): kept for name, value in given.items() if (kept := _kept(value)) is not None}


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return storable(value)
    if isinstance(value, list):
        return [kept for item in value if (kept := _kept(item)) is not None]
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
