"""The words between two names in, a type of the taxonomy out: by a table of synonyms, else by the nearest type as an
encoder sees it, else `related_to`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.relation import RelationType as T
from memoryapp.extract.facts.words import words
from memoryapp.extract.relations.lemmas import forms
from memoryapp.extract.relations.synonyms import SYNONYMS

# Texts in, unit vectors out, one row a text; an Encoder's `encode_documents` is one.
Encode = Callable[[Sequence[str]], NDArray[np.float32]]

NEAR = 0.5  # least cosine of a label to a type
LABEL_CHARS = 60
# What an encoder is shown of each type.
_SHOWN = {kind: kind.value.replace("_", " ") for kind in T if kind not in (T.RELATED_TO, T.IS_A)}
_TURNED = "<"
# Verbs beside those of the table whose forms the rules must know.
_OTHERS = "be have do go get become keep begin think say tell mean choose pick hold grow ship commit travel leave"
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DENIED = re.compile(
    r"\b(?:not|never|no|without|ex|former|formerly|stop\w*|quit\w*|left|leaves?|dis(?:like|agree|trust|miss)\w*|un\w+ed|hat(?:e|es|ed))\b|n't\b"
)
_BEFORE = words("be have do will would can could should may might must to")
_LEFT_OUT = words(
    """
    a an the also always usually often mostly mainly currently now still just really very already actively daily
    recently previously
    """
)


class Typed(NamedTuple):
    """`turned`: the object is the type's subject, “employs” for works_at. `sure`: by the table."""

    type: T
    turned: bool = False
    sure: bool = True


def _table() -> dict[str, Typed]:
    table: dict[str, Typed] = {}
    for kind, listed in SYNONYMS.items():
        for phrase in (" ".join(part.split()) for part in listed.split(",")):
            bare = phrase.removeprefix(_TURNED).strip()
            table.setdefault(bare, Typed(kind, phrase.startswith(_TURNED)))
        table[kind.value.replace("_", " ")] = Typed(kind)
    return table


_TABLE = _table()
FORMS = forms([*(phrase.split()[0] for phrase in _TABLE), *_OTHERS.split()])


def looked_up(phrase: str) -> Typed | None:
    """The type of a phrase whose verb is in its plain form: “work on”, “create by”."""
    if phrase in _TABLE:
        return _TABLE[phrase]
    if phrase.endswith(" by"):  # the passive says the same of its object
        active = _TABLE.get(phrase.removesuffix(" by"))
        return Typed(active.type, not active.turned) if active else None
    return None


def type_of(label: str, *, encode: Encode | None = None) -> Typed:
    """The type for a label as somebody wrote it: “is built on”, “created_by”, “worksAt”. `related_to` where nothing is
    near."""
    return types_of([label], encode=encode)[0]


def types_of(labels: Sequence[str], *, encode: Encode | None = None) -> list[Typed]:
    """As `type_of` for each, in order; the encoder is asked once, for all that the table does not hold."""
    found = [next(filter(None, map(looked_up, _spellings(label))), None) for label in labels]
    unknown = sorted({label for label, one in zip(labels, found, strict=True) if one is None and _may_be_near(label)})
    near = _nearest(unknown, encode) if unknown and encode else {}
    return [one or near.get(label, Typed(T.RELATED_TO, sure=False)) for label, one in zip(labels, found, strict=True)]


def _may_be_near(label: str) -> bool:
    """An encoder sees “never uses” and “dislikes” right beside what they deny, and English ones see no Hangul."""
    return bool(re.search("[a-z]", label.lower())) and not _DENIED.search(" ".join(_words(label)))


def _nearest(labels: Sequence[str], encode: Encode) -> dict[str, Typed]:
    kinds = list(_SHOWN)
    vectors = encode([*_SHOWN.values(), *(" ".join(_words(label)) for label in labels)])
    cosines = vectors[len(kinds) :] @ vectors[: len(kinds)].T
    best = cosines.argmax(axis=1)
    return {
        label: Typed(kinds[int(at)], sure=False)
        for label, at, row in zip(labels, best, cosines, strict=True)
        if row[at] >= NEAR
    }


def _words(label: str) -> list[str]:
    return _WORD.findall(_CAMEL.sub(" ", label[:LABEL_CHARS]).replace("_", " ").lower())


def _spellings(label: str) -> Iterator[str]:
    """The label as it is, without small words, and with its verb in the plain form and no helper before it."""
    words = _words(label)
    yield " ".join(words)
    words = [part for word in words for part in ([word] if word in FORMS else word.split("-"))]  # “depends-on”
    words = [word for word in words if word not in _LEFT_OUT]
    if not words:
        return
    yield " ".join(words)
    plain = [FORMS.get(words[0], words[0]), *words[1:]]
    yield " ".join(plain)
    while len(plain) > 1 and plain[0] in _BEFORE:
        plain = plain[1:]
        yield " ".join(plain)
        plain[0] = FORMS.get(plain[0], plain[0])
        yield " ".join(plain)
