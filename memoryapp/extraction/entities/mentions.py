"""Known names in, a matcher out; a text in, the entities it names out. Linear in the text however many names there
are: latin names by whole words, Hangul and other unspaced scripts as substrings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

# Scripts whose words carry particles or stand unspaced: a name is found inside a word there.
_UNSPACED = "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
_HAS_UNSPACED = re.compile(f"[{_UNSPACED}]")
# A particle glued to a latin name ("Python을") begins a new token, so the name still ends at a border.
_TOKEN = re.compile(f"[{_UNSPACED}]+|[^\\W{_UNSPACED}]+|[^\\w\\s]")
_CASED_CHARS = 2  # names this short ("Go", "IT") must be written as they are, or every "go" and "it" would be one
# “the reason that …”, “a cursor is …”: after an article, and before no other noun, a small word is no name.
_ARTICLE = re.compile(
    r"(?<!\w)(?:the|an?|this|these|those|any|no|some|each|every|another|one|which|what|whose|my|your|his|her|its|our"
    r"|their|same|only|main|other|good|first|last|next|new)\s+$",
    re.IGNORECASE,
)
_NOUN_NEXT = re.compile(
    r"\s+(?!(?:a[nst]?|about|after|and|are|because|before|but|by|can|could|did|does|for|from|had|has|have|he|how|i|if|in|into"
    r"|is|it|may|might|must|of|on|or|she|should|so|than|that|the|then|they|this|to|was|we|were|what|when|where|which|while"
    r"|who|why|will|with|would|you)\b)[a-z]",
    re.IGNORECASE,
)
_BEFORE = 12  # characters in which an article fits
_END = ""


class Mention(NamedTuple):
    """`entity` is named at text[start:end]."""

    entity: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Name:
    entity: str
    surface: str

    def is_here(self, text: str, start: int, end: int) -> bool:
        return len(self.surface) > _CASED_CHARS or text[start:end] == self.surface


@dataclass(slots=True)
class Names:
    """Known names, growing as entities become known. `add` every name and alias, then `find` in any number of texts."""

    _trie: dict[str, object] = field(default_factory=dict)
    _unspaced: dict[str, list[tuple[re.Pattern[str], str]]] = field(default_factory=dict)

    def add(self, entity: str, name: str) -> None:
        """One name or alias of an entity. One-syllable names in an unspaced script are left out: they are in every
        third word."""
        surface = " ".join(name.split())
        tokens = [token for token, _, _ in _tokens(_fold_case(surface))]
        if not tokens:
            return
        if _HAS_UNSPACED.search(surface):
            if len(surface) > 1:
                pattern = re.compile(r"\s+".join(re.escape(word) for word in _fold_case(surface).split()))
                self._unspaced.setdefault(_fold_case(surface)[:2], []).append((pattern, entity))
            return
        if len(surface) < 2:
            return
        here = self._trie
        for token in tokens:
            here = here.setdefault(token, {})  # type: ignore[assignment]
        names: list[_Name] = here.setdefault(_END, [])  # type: ignore[assignment]
        names.append(_Name(entity, surface))

    def find(self, text: str) -> tuple[Mention, ...]:
        """Every mention in order; of names that begin at one place the longest, and none inside another."""
        folded = _fold_case(text)
        found = list(self._words(text, folded))
        if self._unspaced and _HAS_UNSPACED.search(text):
            found.extend(self._inside_words(folded))
            found.sort(key=lambda mention: mention.start)
        return tuple(found)

    def entities(self, text: str) -> tuple[str, ...]:
        """The entities named, each once, in order of first mention."""
        return tuple(dict.fromkeys(mention.entity for mention in self.find(text)))

    def _words(self, text: str, folded: str) -> Iterator[Mention]:
        trie = self._trie
        if not trie:
            return
        tokens = list(_tokens(folded))
        at = 0
        while at < len(tokens):
            # Most tokens open no name: one look-up and on.
            here = trie.get(tokens[at][0].lstrip(" ")) if tokens[at][0] else None
            step = 1
            if here is not None:
                mentions, taken = self._longest(text, tokens, at, here)
                yield from mentions
                step = max(taken, 1)
            at += step

    def _longest(
        self, text: str, tokens: list[tuple[str, int, int]], at: int, here: object
    ) -> tuple[list[Mention], int]:
        start = tokens[at][1]
        best: list[Mention] = []
        taken = 0
        depth = at
        while isinstance(here, dict):
            names = here.get(_END)
            end = tokens[depth][2]
            if names:
                mentions = [Mention(name.entity, start, end) for name in names if name.is_here(text, start, end)]
                if mentions:
                    best, taken = mentions, depth - at + 1
            depth += 1
            here = here.get(tokens[depth][0]) if depth < len(tokens) else None
        return best, taken

    def _inside_words(self, folded: str) -> Iterator[Mention]:
        begin = self._unspaced
        at = 0
        while at < len(folded) - 1:
            end = at + 1
            for pattern, entity in begin.get(folded[at : at + 2], ()):
                if match := pattern.match(folded, at):
                    yield Mention(entity, at, match.end())
                    end = max(end, match.end())
            at = end


def is_plain_noun(text: str, start: int, end: int) -> bool:
    """Whether text[start:end], which spells a name, is one small word after an article: “the reason that …” is not
    about the language Reason. Of a kind of thing such a word speaks all the same."""
    written = text[start:end]
    if not (written.isascii() and written.isalpha() and written.islower()):
        return False
    before = text[max(start - _BEFORE, 0) : start]
    return _ARTICLE.search(before) is not None and _NOUN_NEXT.match(text, end) is None


def names_of(known: Iterable[tuple[str, Iterable[str]]]) -> Names:
    """A matcher for (entity id, its names and aliases)."""
    matcher = Names()
    for entity, spellings in known:
        for spelling in dict.fromkeys(
            _fold_case(" ".join(s.split())) if len(s) > _CASED_CHARS else s for s in spellings
        ):
            matcher.add(entity, spelling)
    return matcher


def _fold_case(text: str) -> str:
    """Small letters, one for each letter of the text, so that places stay the same."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(lower if len(lower := letter.lower()) == 1 else letter for letter in text)


def _tokens(folded: str) -> Iterator[tuple[str, int, int]]:
    """Tokens with their places; one after white space has a space before it, so "node.js" is not "node. JS"."""
    last = 0
    for match in _TOKEN.finditer(folded):
        start, end = match.span()
        yield (match.group() if start == last else " " + match.group()), start, end
        last = end
