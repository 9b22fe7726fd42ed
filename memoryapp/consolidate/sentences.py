"""The sentences of a section, without mark-up, each with whether it is a bullet of something done or to be done.
Headings, code, tables and pictures are no sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Memory
from memoryapp.extraction.facts.hangul import is_korean
from memoryapp.extraction.facts.sentences import cut
from memoryapp.index import tokens
from memoryapp.text.hangul import HANGUL

# How much of two sentences is the same, so that what several sections say is taken once.

ALIKE = 0.8  # Dice: above it a second sentence says too little that is new

Terms = frozenset[str]


def terms(text: str) -> Terms:
    """What a sentence says, as the search index reads it: stems, and the beginnings of Korean words."""
    return frozenset(tokens(text))


def repeats(new: Terms, taken: Iterable[Terms]) -> float:
    """The likeness to the first of the taken that it says again, whole or in part; 0.0 where it says none of them
    again. Likeness: Dice, 2·|A ∩ B| / (|A| + |B|). Other numbers are other news: “paid 40” is not “paid 50”."""
    for one in taken:
        size = len(new) + len(one)
        dice = 2 * len(new & one) / size if size else 0.0
        if (dice >= ALIKE or (new and new <= one)) and _numbers(new) <= _numbers(one):
            return dice
    return 0.0


def _numbers(said: Terms) -> Terms:
    return frozenset(term for term in said if any(c.isdigit() for c in term))


_PARSER = MarkdownIt("commonmark", {"maxNesting": 20}).enable(["table", "strikethrough"])
_WIKI_LINK = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_BOX = re.compile(r"^\s*(?:\[[ xX]\]|[✓✔✅☑☐])\s*")
_LABEL = re.compile(
    r"^(?:done|action(?: item)?|actions?|to-?do|next(?: steps?)?|완료|한 일|할 일|다음|실행)\s*[:：–—-]", re.IGNORECASE
)
_HEADS = re.compile(
    r"\b(?:done|actions?|action items?|to-?dos?|next steps?|shipped|completed)\b|완료|한 일|할 일|실행|다음 할",
    re.IGNORECASE,
)
# How a bullet of something done opens: a past form. What is a noun or an adjective in -ed besides does no harm.
_PAST = re.compile(
    r"^(?:[a-z]+ed|built|wrote|sent|made|ran|found|got|cut|took|moved|set|put|met|began|chose|held|kept|left|paid|read"
    r"|sold|bought|brought|caught|taught|gave|drew|went)\b",
    re.IGNORECASE,
)
_ENDING = 4  # last syllables of a Korean sentence, in which its tense is told
_PAST_FINAL = 20  # the place of ㅆ among the final consonants
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Piece:
    """`place`: where in its section it stands, from 0 (it opens it) to below 1."""

    id: str
    section: str
    text: str
    terms: Terms
    place: float
    item: bool
    korean: bool


def sentences(section: Memory) -> tuple[Piece, ...]:
    """In reading order. A person's edit of a section counts: it is cut as it stands."""
    found = list(_markdown_blocks(section.text))
    seen: Counter[str] = Counter()
    pieces = []
    for n, (text, item) in enumerate(found):
        key = derived_id("sentence", section.id, text, str(seen[text]))
        seen[text] += 1
        pieces.append(Piece(key, section.id, text, terms(text), n / len(found), item, is_korean(text)))
    return tuple(pieces)


def _markdown_blocks(markdown: str) -> Iterator[tuple[str, bool]]:
    bullets, table, listed = 0, 0, False
    tokens = _PARSER.parse(markdown)
    for at, token in enumerate(tokens):
        if token.type == "list_item_open":
            bullets += 1
        elif token.type == "list_item_close":
            bullets -= 1
        elif token.type in ("table_open", "table_close"):
            table += 1 if token.type == "table_open" else -1
        elif token.type == "heading_open":
            listed = bool(_HEADS.search(tokens[at + 1].content))
        elif token.type == "inline" and not table and tokens[at - 1].type == "paragraph_open":
            yield from _of_paragraph(_words(token), bullet=bullets > 0, listed=listed)


def _of_paragraph(words: str, *, bullet: bool, listed: bool) -> Iterator[tuple[str, bool]]:
    bare = _BOX.sub("", words)
    # The whole bullet is the item, whichever of its sentences is looked at.
    item = bullet and (listed or bare != words or bool(_LABEL.match(bare) or _PAST.match(bare)))
    for line in bare.split("\n"):
        for piece in cut(line):
            text = " ".join(piece.text.split())
            if _LETTER.search(text):
                yield text, item or (bullet and _is_past_tense(text))


def _words(inline: Token) -> str:
    """What is read of a paragraph: links give their text, a line that is only wrapped goes on."""
    said = []
    for child in inline.children or ():
        if child.type in ("text", "code_inline"):
            said.append(child.content)
        elif child.type == "softbreak":
            said.append(" ")
        elif child.type == "hardbreak":
            said.append("\n")
    return _WIKI_LINK.sub(r"\1", "".join(said))


def _is_past_tense(korean: str) -> bool:
    """A Korean sentence about what was done: its last verb has a past form."""
    return any((ord(one) - 0xAC00) % 28 == _PAST_FINAL for one in HANGUL.findall(korean)[-_ENDING:])
