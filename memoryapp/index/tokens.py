"""Index terms of a text: English stems, two-syllable Hangul prefixes, whole words for other scripts, and for those
without spaces bigrams and each Han character, which often is a word.

The same function reads memories and queries, for both engines. FORMAT changes with any rule, so old files are rebuilt.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache

import Stemmer

FORMAT = 2  # of the rules below
_LONGEST = 64  # characters of one term: longer runs are blobs, and their beginning tells them apart well enough
_CACHE = 200_000  # words whose term is remembered

_STOP_WORDS = """
    a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to
    was will with i me my we our you your he him his she her hers its them what which who whom whose when where why how
    do does did doing done have has had having am were been being would could should can may might must shall about so
    than too very just from up down out over under again once here all any both each few more most other some own same
    s t don d ll m re ve y
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

_HANGUL = "\uac00-\ud7a3"
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
# Scripts written without spaces: Han, kana, Thai, Lao, Burmese, Khmer.
UNSPACED = "\u3005\u3006\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
UNSPACED += "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"
# Marks that belong to a word although `\w` does not hold them: accents, Hebrew and Arabic points, Indic vowel signs.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0dff"
_WORD = rf"(?:(?![{_HANGUL}{UNSPACED}])[^\W_]|[{_MARKS}])+"
_RUN = re.compile(rf"(?P<hangul>[{_HANGUL}]+)|(?P<unspaced>[{UNSPACED}]+)|(?P<word>{_WORD}(?:['’ʼ]+{_WORD})*)")
_ASCII_RUN = re.compile(r"[a-z0-9]+")
_PLAIN = re.compile(r"[\x00-\x7f]+(?=[\x00-\x7f]|\Z)")  # stands for itself: nothing behind it could join its last one
_APOSTROPHES = str.maketrans("", "", "'’ʼ")

_stemmer = Stemmer.Stemmer("english")
_stemming = threading.Lock()  # a Snowball stemmer holds a buffer and is not safe to share between threads
_terms: dict[str, str] = {}  # folded word → term; "" for a stop word


def tokens(text: str) -> list[str]:
    """Terms in reading order, repeats kept."""
    if text.isascii():  # the common case, three times as fast as the general one and equal to it
        return [term for word in _ASCII_RUN.findall(text.lower().translate(_APOSTROPHES)) if (term := _term(word))]
    return [term for term, _, _ in spans(text)]


def stem(word: str) -> str:
    """What the forms of one word of letters have in common: its term; "" for a stop word."""
    return "".join(tokens(word))


def spans(text: str) -> list[tuple[str, int, int]]:
    """(term, start, end): each term with the part of `text` it was read from, for marking matched words.

    A Hangul word is marked whole although its term is a prefix; bigrams and characters overlap.
    """
    if not unicodedata.is_normalized("NFKC", text):
        normal, starts, ends = _normalise(text)
        return [(term, starts[begin], ends[end - 1]) for term, begin, end in _read(normal)]
    return _read(text)


def _read(text: str) -> list[tuple[str, int, int]]:
    found: list[tuple[str, int, int]] = []
    for match in _RUN.finditer(text):
        start, end = match.span()
        run = match.group()
        if match.lastgroup == "word":
            if term := _term_of(run):
                found.append((term, start, end))
        elif match.lastgroup == "hangul":
            found.append((run[:2], start, end))
        elif len(run) == 1:
            found.append((run, start, end))
        else:
            for i, one in enumerate(run):  # the character before its bigram: a part of a run is read as it is alone
                if _HAN.match(one):
                    found.append((one, start + i, start + i + 1))
                if i + 1 < len(run):
                    found.append((run[i : i + 2], start + i, start + i + 2))
    return found


@lru_cache(maxsize=50_000)
def _term_of(word: str) -> str:
    """The term of a word as it stands in a text."""
    return _term(_fold(word))


def _fold(word: str) -> str:
    """Lower case, without apostrophes and accents: “Café’s” → “cafes”, “Ёлка” → “елка”."""
    bare = word.casefold().translate(_APOSTROPHES)
    if bare.isascii():
        return bare
    decomposed = unicodedata.normalize("NFKD", bare)
    return "".join(c for c in decomposed if unicodedata.category(c) != "Mn") or bare


def _term(word: str) -> str:
    """The term of a folded word; "" for a stop word. Only ASCII words are stemmed: Snowball English knows no others."""
    known = _terms.get(word)
    if known is not None:
        return known
    if word in STOP_WORDS:
        term = ""
    elif word.isascii():
        with _stemming:
            term = str(_stemmer.stemWord(word[:_LONGEST]))
    else:
        term = word[:_LONGEST]
    if len(_terms) >= _CACHE:
        _terms.clear()
    _terms[word] = term
    return term


def _normalise(text: str) -> tuple[str, list[int], list[int]]:
    """NFKC of `text` cluster by cluster, with where each of its characters begins and ends in `text`."""
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    begin = 0
    while begin < len(text):
        if plain := _PLAIN.match(text, begin):
            at = plain.end()
            parts.append(plain.group())
            starts.extend(range(begin, at))
            ends.extend(range(begin + 1, at + 1))
        else:
            at = begin + 1
            while at < len(text) and _is_combining(text[at]):
                at += 1
            part = unicodedata.normalize("NFKC", text[begin:at])
            parts.append(part)
            starts.extend([begin] * len(part))
            ends.extend([at] * len(part))
        begin = at
    return "".join(parts), starts, ends


def _is_combining(char: str) -> bool:
    """Whether a character composes with the one before it: accents, Hangul vowels and finals, kana voicing marks."""
    return (
        unicodedata.combining(char) != 0 or "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7fb" or char in "ﾞﾟ"
    )
