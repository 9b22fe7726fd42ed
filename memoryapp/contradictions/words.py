"""Plain words of a text: contractions written out, numbers as digits, sentences, stems."""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache

import Stemmer

from memoryapp.contradictions.vocabulary import GROUP_OF, LIGHT, STOP

_CACHE = 65_536
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "–": "-", "—": " - ", "\u00a0": " "})
_SPOKEN = re.compile(r"^\s*([A-Z][\w.-]{1,20}(?: [A-Z][\w.-]{1,20})?)\s*:\s+(?=\S)")
_LEAD = re.compile(
    r"^(?:(?:well|so|okay|ok|oh|yes|no|update|correction|note)\b\s*[,:;-]\s*|"
    r"(?:actually|fyi|btw|by the way|also|in fact|to be clear|(?:just )?remember that|it turns out(?: that)?|"
    r"i told you(?: that)?)\b[\s,:;-]*)+",
    re.IGNORECASE,
)
_CONTRACTED = (
    (re.compile(r"\b(?:ain't)\b", re.I), "is not"),
    (re.compile(r"\bwon't\b", re.I), "will not"),
    (re.compile(r"\b(can)(?:'t|not)\b", re.I), r"\1 not"),
    (re.compile(r"\b(\w+)n't\b", re.I), r"\1 not"),
    (re.compile(r"\b(i)'m\b", re.I), r"\1 am"),
    (re.compile(r"\b(\w+)'re\b", re.I), r"\1 are"),
    (re.compile(r"\b(\w+)'ve\b", re.I), r"\1 have"),
    (re.compile(r"\b(\w+)'ll\b", re.I), r"\1 will"),
    (re.compile(r"\b(\w+)'d\b", re.I), r"\1 would"),
    (re.compile(r"\b(he|she|it|that|there|who|what|where|here)'s\b(?! been)", re.I), r"\1 is"),
    (re.compile(r"\b(he|she|it)'s been\b", re.I), r"\1 has been"),
)
_PHRASES = (
    (re.compile(r"\bcommand[- ]line(?: tool| interface)?\b", re.I), "CLI"),
    (re.compile(r"\btime[- ]zone\b", re.I), "timezone"),
    (re.compile(r"\bpull requests?\b|\bmerge requests?\b", re.I), "PR"),
    (re.compile(r"\bbeen to\b", re.I), "visited"),
    (re.compile(r"\bcame into the world\b", re.I), "was born"),
    (re.compile(r"\boperating system\b", re.I), "OS"),
    (
        re.compile(
            r"\b(?:(?<!went )(?<!goes )(?<!gone )(?<!rose )(?<!put )up to|at most|no more than)\b|"
            r"\bmax\b|^Max(?= [a-z]+ (?:size|length|width|count|rate))"
        ),
        "maximum",
    ),
    (re.compile(r"\b(?:at least|no fewer than|no less than)\b|\bmin\b(?= [a-z])"), "minimum"),
    (re.compile(r"\b(?:get|gets|got|getting) up\b", re.I), "wake up"),
)
_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = dict(
    zip(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], range(20, 100, 10), strict=True)
)
_NUMBER = {word: n for n, word in enumerate(_SMALL)} | _TENS
_ORDINAL = {
    word: n
    for n, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        1,
    )
}
_UNITS = "|".join(_SMALL[1:10])
_WORDED = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})[- ](?P<unit>{_UNITS})|(?P<number>{'|'.join(_NUMBER)})|"
    rf"(?P<ordinal>{'|'.join(_ORDINAL)})|(?P<dozen>(?:a )?dozen)|(?P<hundred>a (?:hundred|thousand|couple of)))\b"
    r"(?P<times> hundred| thousand| million)?",
    re.IGNORECASE,
)
_TIMES = {"": 1, " hundred": 100, " thousand": 1_000, " million": 1_000_000}
_NOT_ONE = re.compile(r"\s*(?:of|another|day|who|that|is|was|can|should|more time|and only)\b", re.IGNORECASE)
_BEFORE_ONE = re.compile(r"\b(?:no|any|some|every|this|that|which|the|each|another|loved|at)[ -]$", re.IGNORECASE)
_BEFORE_SECOND = re.compile(r"(?:\b(?:a|per|each|every|split|\d+)|-)[ -]$", re.IGNORECASE)
_BORDER = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(\d\uac00-\ud7a3])|\s*;\s+|\s*\n+\s*|\s+-\s+")
_ABBREVIATED = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Inc|Ltd|Jr|Sr|vs|No|e\.g|i\.e)\.$")
_WORD = re.compile(r"[^\W_]+(?:[.'+#-][^\W_]+)*[+#]*")

_stemmer = Stemmer.Stemmer("english")
_stemming = threading.Lock()  # a Snowball stemmer holds a buffer and is not safe to share between threads


@lru_cache(maxsize=16_384)
def clean(text: str) -> str:
    """One line, straight quotes, contractions written out, number words as digits, no opening filler."""
    line = " ".join(unicodedata.normalize("NFC", text).translate(_QUOTES).replace("**", "").replace("`", "").split())
    if "'" in line or "annot" in line:
        for found, written in _CONTRACTED:
            line = found.sub(written, line)
    line = _LEAD.sub("", line)
    for phrase, short in _PHRASES:
        line = phrase.sub(short, line)
    return _WORDED.sub(_digits, line)


def spoken_by(text: str) -> tuple[str | None, str]:
    """(“Minsu”, rest) of “Minsu: rest”; a label of one or two capitalised words."""
    found = _SPOKEN.match(text)
    if not found or found[1].casefold() in ("note", "update", "todo", "fyi", "decision", "correction", "fact"):
        return None, text
    return found[1], text[found.end() :]


def sentences(text: str) -> list[str]:
    """Sentences of cleaned text, their final stops kept; an initial or a title ends none."""
    parts: list[str] = []
    for part in _BORDER.split(text):
        if parts and _ABBREVIATED.search(parts[-1]):
            parts[-1] = f"{parts[-1]} {part}"
        elif part.strip():
            parts.append(part.strip())
    return parts


def words(text: str) -> list[str]:
    """Lower-case words in order; inner dots, hyphens and pluses stay (“3.11”, “on-site”, “c++”)."""
    return _WORD.findall(text.casefold())


def content(text: str) -> frozenset[str]:
    """Stems of the words that carry the topic, synonyms as one: what two statements must share to be of one thing."""
    return frozenset(stem for word in words(text) if (stem := meaning(word)))


@lru_cache(maxsize=_CACHE)
def meaning(word: str) -> str:
    """The stem of a word, or of the group of synonyms it belongs to; "" for a word without a topic."""
    bare = word.removesuffix("'s").removesuffix("'")
    if bare in STOP:
        return ""
    root = stem(bare)
    return "" if bare in LIGHT or root in LIGHT else _GROUPS.get(bare) or _GROUPS.get(root) or root


@lru_cache(maxsize=_CACHE)
def stem(word: str) -> str:
    """Its Snowball stem; a word that is not ASCII as it is."""
    if not word.isascii():
        return word
    with _stemming:
        return str(_stemmer.stemWord(word[:64]))


_GROUPS = {stem(word): group for word, group in GROUP_OF.items()} | GROUP_OF


def _digits(found: re.Match[str]) -> str:
    """The number a word stands for, or the word where it is none (“no one”, “one of them”, “a second”)."""
    before, after = found.string[: found.start()], found.string[found.end() :]
    times = _TIMES[(found["times"] or "").lower()]
    if found["dozen"]:
        return "12"
    if found["hundred"]:
        return {"hundred": "100", "thousand": "1000", "couple of": "2"}[found["hundred"].lower()[2:]]
    if found["tens"]:
        return str((_TENS[found["tens"].lower()] + _NUMBER[found["unit"].lower()]) * times)
    if found["ordinal"]:
        return _ordinal_text(found, before)
    word = found["number"].lower()
    if word == "one" and times == 1 and (_NOT_ONE.match(after) or _BEFORE_ONE.search(before) or not after.strip(" .")):
        return found.group()
    return str(_NUMBER[word] * times)


def _ordinal_text(found: re.Match[str], before: str) -> str:
    word = found["ordinal"].lower()
    if (word == "second" and _BEFORE_SECOND.search(before)) or (word == "first" and not before.strip()):
        return found.group()
    n = _ORDINAL[word]
    return f"{n}{'th' if 10 < n < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}{found['times'] or ''}"
