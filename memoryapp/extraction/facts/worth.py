"""Points for how likely a parsed sentence states something worth remembering.

Points that add up do better than filters in sequence (docs/EXTRACTION.md): one weak sign drops nothing. What is named
exactly (code, a path, an address, a version, an error) counts by itself: the tagger knows no such words, so that
“test_refund is flaky” would have no noun at all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from memoryapp.extraction.facts.classification import identifies
from memoryapp.extraction.facts.filter import opens_like_a_reaction
from memoryapp.extraction.facts.parse import ParsedSentence, Word
from memoryapp.extraction.facts.rewrite import speaks_for_all
from memoryapp.extraction.facts.words import FIRST, KIN, LIGHT, LIKING, SECOND

_PAST = ("VBD", "VBN")
_OWNING = ("my", "our")
SHORT = 5  # words


def worth(sentence: ParsedSentence, text: str, *, speakers: Collection[str] = ()) -> float:
    """Points of one sentence. `speakers`: names of those who talk, in small letters; they say nothing new."""
    words = sentence.words
    lower = {word.lower for word in words}
    telling = [word for word in words if word.lower not in LIGHT and word.lower not in speakers]
    nouns = sum(word.is_noun or _is_pursuit(word, sentence) for word in telling)
    content = sum(word.tag[:2] in ("NN", "VB", "JJ", "CD") for word in telling)
    points = min(nouns, 4) + 0.5 * min(content, 6) - 1.25
    points += _of_oneself(sentence, lower)
    if lower & KIN:
        points += 0.5
    if _names_its_subject(sentence, speakers):
        points += 1.25
    if identifies(text):
        points += 1.5
    if speaks_for_all(text):
        points -= 0.75
    if opens_like_a_reaction(text):
        points -= 0.5
    if len(words) <= SHORT:
        points -= 0.5
    if lower & SECOND:
        points -= 0.5
    if sentence.subject is None:
        points -= 0.5
    if words and words[0].tag == "VB" and sentence.root == 0:
        points -= 0.5
    return points


def _is_pursuit(word: Word, sentence: ParsedSentence) -> bool:
    """What somebody likes doing is a thing: “I like hiking” says as much as “I like tea”."""
    return word.tag == "VBG" and word.dep in ("xcomp", "dobj") and sentence.words[word.head].lower in LIKING


def _names_its_subject(sentence: ParsedSentence, speakers: Collection[str]) -> bool:
    if sentence.subject is None:
        return False
    word = sentence.words[sentence.subject]
    return word.tag.startswith("NNP") and word.lower not in speakers


def _of_oneself(sentence: ParsedSentence, lower: set[str]) -> float:
    """I, we and my sister count most; what happened to me, less."""
    points = 0.0
    if lower & FIRST:
        points += 2.0 if not lower.isdisjoint(("i", "we", "me", "us")) else 1.5
    subject = sentence.subject
    if subject is not None:
        owned = any(sentence.words[place].lower in _OWNING for place in sentence.children[subject])
        points += 0.75 if owned or sentence.words[subject].lower in FIRST else 0.0
    if lower & {"feel", "felt", "feeling"}:
        points += 1.0
    return points


_FILES = (
    "py|js|ts|tsx|md|json|ya?ml|toml|sh|sql|env|txt|cfg|ini|log|html|css|rs|go|java|cpp|lock|xml|csv|parquet|duckdb"
)


def _shapes() -> Iterator[str]:
    yield r"`[^`\n]{2,}`"
    yield r"\bhttps?://\S+"
    yield r"\b[\w.+-]{1,64}@[\w-]{1,64}\.\w+"
    yield r"(?<![^\s(\"'])(?:~|\.{1,2})?/\w[\w.-]*/[\w./-]+"  # /var/log/app.log; not and/or
    yield rf"(?<![\w.])[\w.-]*[\w-]\.(?:{_FILES})\b"
    yield r"\b[A-Za-z]\w*_\w+"
    yield r"\b\w+\(\)"
    yield r"\bv?\d+\.\d+\.\d+\b"
    yield r"(?<=\s)--?[a-z][\w-]+(?:=\S+)?(?=\s|$)"
    yield r"\b(?!Error\b|Warning\b|Exception\b)[A-Z]\w*(?:Error|Exception|Warning)\b"
    yield r"\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b"  # a commit


_EXACT = re.compile("|".join(_shapes()))


def names_exactly(text: str) -> bool:
    """Whether something is named that can be looked up letter by letter."""
    return bool(_EXACT.search(text))


def opens_exactly(text: str) -> bool:
    """Whether that is the first thing named: “`make test` now runs in parallel”."""
    return bool(_EXACT.match(text))
