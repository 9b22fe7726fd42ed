"""A number that names a thing is no value of it: what holds of service 176 says nothing of service 236."""

from __future__ import annotations

import re

from memoryapp.detect.wordlist import wordset

_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|must|runs?|ran|starts?|ends?|begins?|takes?|took|costs?|uses?|listens?|"
    r"lives?|expires?|holds?|stops?|fails?|failed|needs?|owns?|belongs?|goes|went|moved?|moves|closed?|closes|opens?|passed|passes|broke|crashed|succeeded|shipped|landed|finished|arrived|came|was|became|contains?|fixes|fixed|"
    r"changes|changed|covers?|covered|brings|brought|adds|added)\b"
)
_NUMBERED = re.compile(r"\b([A-Za-z]{3,}) (?:no\. ?|#)?(\d+)\b(?![.:,]\d)")
_THINGS = wordset(
    "invoice ticket order room service server issue task gate flight line step chapter node host user customer project "
    "phase module sprint floor apartment unit team group channel batch case bug item account machine level lesson class"
)
# Before these a number is a value, or counts what follows.
_VALUES = wordset(
    "port version top last first next about over under than least most within until from the and for only"
)


def other_thing(one: str, other: str) -> bool:
    """Whether the openings of both name a thing of one kind by another number: “invoice 1001”, “invoice 1002”."""
    a, b = _named(one), _named(other)
    return any(a[kind] != b[kind] for kind in a.keys() & b.keys())


def _named(text: str) -> dict[str, str]:
    """Numbers by the kind of thing they name, in what stands before the first verb."""
    verb = _VERB.search(text)
    if verb is None:
        return {}
    found = {}
    for kind, number in _NUMBERED.findall(text[: verb.start()]):
        known = kind.casefold() in _THINGS
        # A capital may open a product's name, whose number is its version: “Postgres 16”.
        if known or (kind.islower() and kind not in _VALUES):
            found[kind.casefold()] = number
    return found
