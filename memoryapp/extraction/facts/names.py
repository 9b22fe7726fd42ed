"""Names in a turn: capitalised runs, code names, tags, quoted titles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memoryapp.extraction.entities.candidates import candidates
from memoryapp.extraction.entities.stoplists import DATE_WORDS, OPENERS, is_common
from memoryapp.extraction.facts.parse import ParsedSentence

_TITLE = re.compile(r"[\"“]([^\"“”\n]{3,60})[\"”]")
_PARTICLES = re.compile(r"(?<=[A-Za-z0-9])[\uac00-\ud7a3]+$")  # “Postgres를”
_LEAST = 3  # letters


def names_in(text: str) -> tuple[str, ...]:
    """Names of a turn as it was said, each once. What opens a sentence is left to `subject_name`."""
    titles = (
        title.strip(" ,.!?")
        for title in _TITLE.findall(text)
        if len(title.split()) <= 8 and title[:1].isupper() and title[-1] not in "!?."
    )
    found = (one.surface for one in candidates(text))
    return tuple(dict.fromkeys(_PARTICLES.sub("", name) for name in (*titles, *found) if name))


def subject_name(sentence: ParsedSentence) -> str:
    """A name that opens the sentence as its subject, which capitals alone do not tell: “Postgres runs on 5432”."""
    run = []
    for word in sentence.words:
        if not word.tag.startswith("NNP") or not word.text[:1].isupper():
            break
        run.append(word.text)
    if not run or sentence.subject is None or sentence.subject >= len(run):
        return ""
    name = " ".join(run)
    small = name.lower()
    if len(small) < _LEAST or small in OPENERS or small in DATE_WORDS or is_common(small):
        return ""
    return name


def entities(fact: str, names: Iterable[str], *, people: Sequence[str]) -> tuple[str, ...]:
    """The names and people that the fact's own text holds, each once, in order of their place in it."""
    found: dict[str, tuple[int, str]] = {}
    for name in (*people, *names):
        place = _place(fact, name)
        if place >= 0:
            found.setdefault(name.lower(), (place, name))
    kept = sorted(found.values())
    return tuple(name for place, name in kept if not _is_inside_longer_name(place, name, kept))


def _place(fact: str, name: str) -> int:
    # A Korean particle may follow a name without a space.
    match = re.search(rf"(?<!\w){re.escape(name)}(?![^\W\uac00-\ud7a3])", fact)
    return match.start() if match else -1


def _is_inside_longer_name(place: int, name: str, kept: Sequence[tuple[int, str]]) -> bool:
    """Part of a longer name at the same place: “Nicole” in “Becoming Nicole”."""
    return any(
        start <= place and place + len(name) <= start + len(long) and len(long) > len(name) for start, long in kept
    )
