"""Exact words: what a query puts in quotation marks, and which memories hold it as it stands.

Quotes ask and do not exclude: a memory that holds them gets a share of its own, and where nobody does, the rest of the
query still answers. How much they ask for is told by how much of the query they are: “"blue release train"” wants those
words, while a long question that mentions a title in quotation marks wants its answer, which may stand beside it.
Case, accents' composition, marks between words and a Korean particle behind them do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Memory
from memoryapp.index import View, tokens
from memoryapp.search.rank import best_slots
from memoryapp.search.rows import held
from memoryapp.search.state import Mask, QuotationScores
from memoryapp.spaces import Space

NOBODY = "No memory holds the words in quotation marks as they stand; they were searched for like the others."
MENTION = 3  # power of the quotations' part in the query's idf: half of it is an eighth of a demand
READ = 300  # memories whose text is looked at, those first that have most of the query's words
_LONGEST = 300  # characters of a quotation
_PAIRS = re.compile(
    r'(?<!\w)"(?=\S)(?P<a>[^"]+?)(?<=\S)"(?![A-Za-z0-9])'
    r"|“(?P<b>[^“”]+)”|„(?P<c>[^„“”]+)[“”]|«(?P<d>[^«»]+)»|「(?P<e>[^「」]+)」|『(?P<f>[^『』]+)』"
)
_WORD = re.compile(r"[^\W_]+")
_HANGUL = re.compile(r"[\uac00-\ud7a3]\Z")


@dataclass(frozen=True, slots=True)
class Quotation:
    """`words`: what stood between the marks; `terms`: of the index, by which memories are looked up; `pattern`: what
    a folded text must hold."""

    words: str
    terms: tuple[str, ...]
    pattern: re.Pattern[str]


def quotations(query: str) -> tuple[Quotation, ...]:
    """Each once, in the query's order. Without a word that is searched for (“to be or not to be”) none can be looked
    up, and it is left out."""
    found: dict[str, Quotation] = {}
    for match in _PAIRS.finditer(query):
        words = next(group for group in match.groups() if group is not None).strip()[:_LONGEST]
        parts = _WORD.findall(_fold_text(words))
        terms = tuple(dict.fromkeys(tokens(words)))
        if parts and terms:
            found.setdefault(" ".join(parts), Quotation(words, terms, _pattern(parts)))
    return tuple(found.values())


def quoted_in(space: Space, view: View, query: str, mask: Mask, tuning: Tuning) -> QuotationScores | None:
    """Which memories hold the query's quotations; None for a query without any. Raises StoreError."""
    asked = quotations(query)
    if not asked:
        return None
    words = view.keyword(tuple(dict.fromkeys(tokens(query))), k1=tuning.bm25_k1, b=tuning.bm25_b)
    inside = {term for one in asked for term in one.terms}
    part = sum(words.idf[term] for term in inside) / sum(words.idf.values())
    scores = np.zeros(view.n, dtype=np.float32)
    by_slot: dict[int, tuple[str, ...]] = {}
    for one in asked:
        there = _holding_all(view, one.terms, mask, tuning)
        slots = best_slots(np.where(there, words.own, np.float32(0)), READ, order=view.roster.order)
        ids = {slot: view.roster.ids[slot] for slot in slots.tolist()}
        rows = held.read(space, list(ids.values()), content=view.content)
        for slot, key in ids.items():
            if key in rows and one.pattern.search(_read(rows[key][0])):
                scores[slot] += np.float32(part**MENTION / len(asked))
                by_slot[slot] = (*by_slot.get(slot, ()), one.words)
    return QuotationScores(scores, by_slot)


def _holding_all(view: View, terms: Sequence[str], mask: Mask, tuning: Tuning) -> Mask:
    there = mask.copy()
    for term in terms:
        there &= view.keyword((term,), k1=tuning.bm25_k1, b=tuning.bm25_b).own > 0
    return there


def _pattern(parts: Sequence[str]) -> re.Pattern[str]:
    """Whole words in their order, whatever marks stand between them. After a Hangul word a particle may follow."""
    end = "" if _HANGUL.search(parts[-1]) else r"(?![^\W_])"
    return re.compile(r"(?<![^\W_])" + r"[\W_]+".join(map(re.escape, parts)) + end)


def _read(memory: Memory) -> str:
    return _fold_text(f"{memory.title}\n{memory.text}")


def _fold_text(text: str) -> str:
    """As words are compared: composed, in small letters, without apostrophes."""
    return re.sub("['’ʼ]", "", unicodedata.normalize("NFKC", text).casefold())
