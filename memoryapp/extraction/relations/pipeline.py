"""Relations that texts state, and names that may be entities, by rules alone: this package's table of contents.

sentences (cut, clean, known names as one word, parse) → dependency (verbs), copula (“is”), which ask ends (what a noun
names), wishes (whether it is so) and settle (what fits both ends). Korean goes its own, shorter way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memoryapp.domain.entity import normal_form
from memoryapp.domain.relation import NamedEntity, StatedRelation
from memoryapp.extraction.entities.candidates import NAME_CHARS, NameClue, candidates, lower_counts
from memoryapp.extraction.entities.stoplists import DATE_WORDS, OPENERS, is_common
from memoryapp.extraction.facts.names import names_in
from memoryapp.extraction.relations.copula import by_being, by_naming
from memoryapp.extraction.relations.dependency import by_verbs
from memoryapp.extraction.relations.ends import end_at
from memoryapp.extraction.relations.kinds import CONCEPT, TOOL, kind_of
from memoryapp.extraction.relations.korean import by_endings
from memoryapp.extraction.relations.sentences import End, ParsedTexts, Sentence, Text, matcher, parse_texts
from memoryapp.extraction.relations.taxonomy import Encode

MOST = 40  # of one text
# A chunk is worth proposing where the sentence is about it, or does something to it.
_PLACES = ("nsubj", "nsubjpass", "dobj", "pobj", "attr", "conj", "ROOT")
_WRITTEN_AS_CODE = (NameClue.CODE, NameClue.REPOSITORY)


def mentions_in(texts: Sequence[Text], *, said: ParsedTexts | None = None) -> list[tuple[NamedEntity, ...]]:
    """For each text the names in it, each once: what is known, capitalised, quoted, or written as code, and chunks of
    two common words and more in the place of a subject or object, as concepts. Longer names swallow the shorter ones
    inside them. `said`: `spoken(texts)` of who has it already. Raises ModelMissing where there is English to read and
    the model is not installed."""
    found: list[list[NamedEntity]] = [[] for _ in texts]
    for of, sentence in (said or parse_texts(texts)).sentences:
        found[of] += (end.named for end in _ends(sentence))
    return [_unique_entities([*_surface(text), *parsed], text) for text, parsed in zip(texts, found, strict=True)]


def _surface(text: Text) -> Iterator[NamedEntity]:
    """What shows without parsing; “” for the type where only the parser can tell."""
    for name in matcher(text.known).entities(text.text):
        yield NamedEntity(name, kind_of(name, known=text.types.get(name, "")))
    code = {one.normal for one in candidates(text.text) if any(way in _WRITTEN_AS_CODE for way in one.how)}
    for name in names_in(text.text):
        yield NamedEntity(name, kind_of(name) or (TOOL if normal_form(name) in code else ""))


def _ends(sentence: Sentence) -> Iterator[End]:
    for place, word in enumerate(sentence.words):
        if word.tag.startswith("PRP") or word.dep in ("compound", "nmod"):
            continue
        end = end_at(sentence, place) if word.dep in _PLACES or word.dep in ("appos", "poss", "oprd", "dep") else None
        if end is None or word.lower == "user":
            continue
        if end.is_name:
            yield end
        elif word.dep in _PLACES:
            yield End(NamedEntity(end.named.name, end.kind or CONCEPT), place, is_name=False)


def _unique_entities(found: Sequence[NamedEntity], text: Text) -> tuple[NamedEntity, ...]:
    """Each by its normal form, the first type that anything gave; without those that are part of a longer one."""
    known = {normal_form(name) for name in text.known}
    lower = lower_counts(text.text)
    kept: dict[str, NamedEntity] = {}
    for one in found:
        normal = normal_form(one.name)
        if normal not in known and not _may_be_name(one.name, normal, lower):
            continue
        before = kept.get(normal)
        kept[normal] = NamedEntity(before.name, before.type or one.type) if before else one
    for normal in [one for one in kept if " and " in one]:  # “Adam and Hangang Labs” are two
        if normal not in known and all(part in kept for part in normal.split(" and ")):
            del kept[normal]
    whole = [
        one
        for normal, one in kept.items()
        if normal in known or not any(f" {normal} " in f" {other} " for other in kept if other != normal)
    ]
    return tuple(whole[:MOST])


def _may_be_name(name: str, normal: str, lower: dict[str, int]) -> bool:
    if len(normal) < 2 or len(name) > NAME_CHARS or normal in DATE_WORDS or normal in OPENERS:
        return False
    if " " in normal:
        return True
    mostly_lower = name[:1].isupper() and lower.get(normal, 0) >= 1
    return not mostly_lower and not (is_common(normal) and not name.isupper())


__all__ = ["ParsedTexts", "Text", "mentions_in", "parse_texts", "relations_in"]


def relations_in(
    texts: Sequence[Text], *, encode: Encode | None = None, said: ParsedTexts | None = None
) -> list[tuple[StatedRelation, ...]]:
    """What each text states, in order, each relation once. Hints: about two of three hold.

    `encode` (texts to unit vectors, one row each) brings verbs that no synonym covers to their nearest type. `said`:
    `spoken(texts)` of who has it already. Raises ModelMissing where there is English to read and the model is not
    installed."""
    found: list[list[StatedRelation]] = [[] for _ in texts]
    said = said or parse_texts(texts)
    for line in said.lines:
        if line.korean:
            found[line.of] += by_endings(line)
    for of, sentence in said.sentences:
        found[of] += by_verbs(sentence, encode=encode)
        found[of] += by_being(sentence)
        found[of] += by_naming(sentence)
    return [each_once(one) for one in found]


def each_once(stated: Iterable[StatedRelation]) -> tuple[StatedRelation, ...]:
    """Of equal relations the surest, at the place of the first."""
    kept: dict[tuple[str, str, str], StatedRelation] = {}
    for one in stated:
        key = (normal_form(one.subject.name), one.type, normal_form(one.object.name))
        if key not in kept or one.confidence > kept[key].confidence:
            kept[key] = one
    return tuple(kept.values())
