"""Verbs that go with I, we and you, made to go with a name: “is” of “am”, “tries” of “try”. For `rewrite`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryapp.extract.facts.parse import Parsed
from memoryapp.extract.facts.words import words as listed

HELPERS = ("aux", "auxpass")
_SUBJECTS = ("nsubj", "nsubjpass", "expl")
_FINITE = ("VBP", "VBZ", "VBD", "VB", "MD")
_AGREE = ("VBP", "VBD", "VB")
# Pasts that the tagger takes for the present where it does not know them (“I rewrote it”).
_PAST = re.compile(
    r"(?:re|over|under|out|mis|un|fore|with|be)?(?:wrote|broke|chose|did|drew|drove|fell|flew|forgot|found|gave|got|grew"
    r"|held|heard|kept|knew|led|left|lost|made|met|paid|ran|said|sat|saw|sent|sold|spoke|stood|stole|swore|taught|threw"
    r"|thought|took|told|understood|went|won|woke|wore|began|bought|brought|built|came|caught|felt|froze|slept|spent"
    r"|\w+ed)",
    re.IGNORECASE,
)
_NO_PAST = listed(
    "need feed seed speed proceed succeed exceed heed weed bleed breed embed shed wed found saw fell felt left"
)
_SHORT = {"'m": " is", "'re": " is", "'ve": " has", "'ll": " will", "m": " is"}
_ODD = {"am": "is", "are": "is", "'re": "is", "have": "has", "do": "does", "go": "goes", "be": "is"}
_SIBILANT = ("s", "x", "z", "ch", "sh")


def third(verb: str) -> str:
    """The third person singular of a verb's plain form."""
    small = verb.lower()
    if small in _ODD:
        return _ODD[small]
    if small.endswith(_SIBILANT) or (small.endswith("o") and not small.endswith("oo")):
        return verb + "es"
    if small.endswith("y") and len(small) > 1 and small[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def agreed(sentence: Parsed, subject: int) -> Iterator[tuple[int, str]]:
    """(place, new spelling) of each verb that the pronoun at `subject` governs, those joined by “and” included."""
    verb = _verb_of(sentence, subject)
    if verb is not None:
        yield from _group(sentence, verb, plural=sentence.words[subject].lower != "i")


def _verb_of(sentence: Parsed, subject: int) -> int | None:
    words = sentence.words
    word = words[subject]
    if word.dep in _SUBJECTS and (words[word.head].is_verb or word.head > subject):
        return word.head
    if word.dep == "conj":
        return None  # “my sister and I are”: two, whose verb stays
    following = subject + 1  # where the parser lost its way: the verb that comes next
    while following < len(words) and words[following].tag == "RB":
        following += 1
    return following if following < len(words) and words[following].is_verb else None


def _group(sentence: Parsed, verb: int, *, plural: bool) -> Iterator[tuple[int, str]]:
    """A verb with its helpers, and the verbs joined to it that have no subject of their own."""
    below = [verb]
    seen = set()
    while below:
        here = below.pop()
        if here in seen:
            continue
        seen.add(here)
        finite = _finite(sentence, here)
        if finite is not None:
            yield finite, _spelled(sentence, finite, plural=plural)
        for place in sentence.children[here]:
            word = sentence.words[place]
            if finite == here and sentence.words[here].tag == "VBP" and _is_hidden_verb(sentence, place):
                yield place, third(word.text)
            joined = word.dep == "conj" and word.is_verb and sentence.subject_of(place) is None
            # A plain form after a helper stays (“I will wash and iron it”), after a finite verb it agrees.
            bare = word.tag == "VB" and finite != here
            if joined and not bare and (word.tag in _AGREE or _finite(sentence, place) != place):
                below.append(place)


def _finite(sentence: Parsed, verb: int) -> int | None:
    """The word of a verb group that agrees with its subject: the first helper, else the verb itself."""
    helpers = (place for place in sentence.children[verb] if sentence.words[place].dep in HELPERS)
    first = min(helpers, default=verb)
    return first if sentence.words[first].tag in _FINITE else None


def _is_hidden_verb(sentence: Parsed, place: int) -> bool:
    """“I live in Seoul and work at Hangang Labs”: what is joined to a verb is one, though the tagger read a noun."""
    word, before = sentence.words[place], sentence.words[place - 1]
    after = sentence.words[place + 1].tag if place + 1 < len(sentence.words) else ""
    joined = word.dep == "conj" and before.dep == "cc"
    return joined and word.tag == "NN" and word.text.islower() and after in ("IN", "DT", "PRP$", "RB", "TO")


def _is_past(verb: str) -> bool:
    return verb not in _NO_PAST and _PAST.fullmatch(verb) is not None


def _spelled(sentence: Parsed, place: int, *, plural: bool) -> str:
    word = sentence.words[place]
    if word.lower == "'d":
        return " had" if sentence.words[word.head].tag == "VBN" else " would"
    if word.lower in _SHORT:
        return _SHORT[word.lower]
    if word.lower == "were" and plural:
        return "was"
    if word.tag in ("VBP", "VB") and word.dep != "xcomp" and not _is_past(word.lower):
        return third(word.text)
    return word.text
