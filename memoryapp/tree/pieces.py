"""Runs of units in, the nodes they become out: what each is called, where it lies, what reaches it, what it says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memoryapp.domain.errors import Clash
from memoryapp.domain.node import PATH_CHARS, check_path
from memoryapp.tree.blocks import anchors_of, blocks_of, bytes_of, lines_of_text
from memoryapp.tree.cut import Source
from memoryapp.tree.suggest import Elsewhere, suggested

_NAME_CHARS = 48
_TITLE_CHARS = 80
_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A node to be. `headings`: the titles in it, in order; `cut`: its words as they stand in the node that is split;
    `text`: the same with its links led from its own place; `anchors`: of the headings, by their anchor before."""

    path: str
    title: str
    keywords: tuple[str, ...]
    headings: tuple[str, ...]
    cut: str
    text: str
    anchors: tuple[tuple[str, str], ...]

    @property
    def size(self) -> int:
        """Bytes of the markdown."""
        return bytes_of(self.text)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines [first, last) that become a node, before it has a name. `continued`: it begins inside a section."""

    first: int
    last: int
    text: str
    headings: tuple[str, ...]
    anchors: tuple[tuple[str, str], ...]
    under: str
    continued: bool


def stretches(source: Source, runs: Sequence[tuple[int, int]]) -> list[Stretch]:
    before = dict(zip((block.first for block in source.blocks), anchors_of(source.blocks), strict=True))
    found = []
    for begin, end in runs:
        first, last = source.units[begin].first, source.units[end - 1].last
        text = source.text(first, last)
        inside = source.headings(first, last)
        own = [anchor for anchor in anchors_of(blocks_of(lines_of_text(text))) if anchor]
        found.append(
            Stretch(
                first=first,
                last=last,
                text=text,
                headings=_shown([block.title for block in inside]),
                anchors=tuple(zip((before[block.first] for block in inside), own, strict=False)),
                under=source.units[begin].under,
                continued=not any(block.first == first and block.level for block in inside),
            )
        )
    return found


def named(
    found: Sequence[Stretch], source: Source, *, path: str, title: str, taken: Collection[str], others: Elsewhere
) -> list[tuple[str, str, tuple[str, ...]]]:
    """(path, title, keywords) of each stretch. `taken`: names that nodes beneath `path` have; `others`: the rest of the
    tree."""
    used = {name.casefold() for name in taken}
    chosen = []
    for n, one in enumerate(found):
        beside = Elsewhere.of(other.text for at, other in enumerate(found) if at != n).and_of(others)
        heads = _heads(source, one)
        words = suggested(one.text, title=" ".join(heads) or title, elsewhere=beside)
        called = _title(one, heads, words, title)
        name = _free(_name(one, heads, words), path, used)
        used.add(name.casefold())
        chosen.append((check_path(f"{path}/{name}"), called, words))
    return chosen


def slug(words: str) -> str:
    """Words as the part of a path: small letters and figures of any script, hyphens between; empty where there are
    none."""
    plain = unicodedata.normalize("NFC", words).casefold()
    parts = [re.sub(r"['’.]", "", part) for part in _WORD.findall(plain)]
    name = ""
    for part in parts:
        longer = f"{name}-{part}" if name else part[:_NAME_CHARS]
        if len(longer) > _NAME_CHARS:
            break
        name = longer
    return unicodedata.normalize("NFC", name)


def _heads(source: Source, one: Stretch) -> list[str]:
    """The titles of the highest level in it."""
    inside = [block for block in source.headings(one.first, one.last) if block.title]
    highest = min((block.level for block in inside), default=0)
    return list(dict.fromkeys(block.title for block in inside if block.level == highest))


def _title(one: Stretch, heads: Sequence[str], words: Sequence[str], whole: str) -> str:
    if one.continued and (one.under or not heads):
        # It goes on with a section that began in the piece before: told apart by what is new in it.
        telling = next((word for word in (*heads, *words) if word.casefold() != one.under.casefold()), "")
        return " · ".join(filter(None, (one.under or whole, telling)))
    called = ""
    for head in heads:
        longer = f"{called} · {head}" if called else head
        if called and len(longer) > _TITLE_CHARS:
            break
        called = longer
    return called or whole


def _name(one: Stretch, heads: Sequence[str], words: Sequence[str]) -> str:
    """Of its first heading; where it goes on with another section, of that and what is new in it; else of its most
    telling words."""
    telling = [slug(word) for word in (*heads, *words)]
    if one.continued and one.under:
        begin = slug(one.under)
        return "-".join(dict.fromkeys(filter(None, (begin, next((w for w in telling if w and w != begin), "")))))
    first = next((slug(head) for head in heads if slug(head)), "")
    return first or "-".join(dict.fromkeys(filter(None, telling[:2]))) or slug(one.text[:400])[:_NAME_CHARS]


def _free(name: str, path: str, used: Collection[str]) -> str:
    room = PATH_CHARS - len(path) - 1
    if room < 8:
        raise Clash(f"The path “{path[:40]}…” is so long that nothing fits beneath it. Move the node up first.")
    base = (name or "part")[: room - 5].rstrip("-")
    free, number = base, 2
    while free.casefold() in used:
        free, number = f"{base}-{number}", number + 1
    return free


def _shown(titles: Sequence[str]) -> tuple[str, ...]:
    return tuple(title for title in titles if title)
