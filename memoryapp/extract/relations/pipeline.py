"""Texts in, the relations they state and the names in them out, by rules alone: the table of contents of this room.

read (cut, clean, known names as one word, parse) → dependency (verbs), copula (“is”), examples (“such as”), which ask
ends (what a noun names), wishes (whether it is so) and settle (what fits both ends). Korean goes its own, shorter
way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memoryapp.domain.entity import normal_form
from memoryapp.domain.relation import Stated
from memoryapp.extract.relations.copula import by_being
from memoryapp.extract.relations.dependency import by_verbs
from memoryapp.extract.relations.examples import by_naming
from memoryapp.extract.relations.korean import by_endings
from memoryapp.extract.relations.mentions import mentions_in
from memoryapp.extract.relations.read import Spoken, spoken
from memoryapp.extract.relations.taxonomy import Encode
from memoryapp.extract.relations.text import Text

__all__ = ["Spoken", "Text", "mentions_in", "relations_in", "spoken"]


def relations_in(
    texts: Sequence[Text], *, encode: Encode | None = None, said: Spoken | None = None
) -> list[tuple[Stated, ...]]:
    """What each text states, in order, each relation once. Hints: about two of three hold.

    `encode` (texts to unit vectors, one row each) brings verbs that no synonym covers to their nearest type. `said`:
    `spoken(texts)` of who has it already. Raises ModelMissing where there is English to read and the model is not
    installed."""
    found: list[list[Stated]] = [[] for _ in texts]
    said = said or spoken(texts)
    for line in said.lines:
        if line.korean:
            found[line.of] += by_endings(line)
    for of, sentence in said.sentences:
        found[of] += by_verbs(sentence, encode=encode)
        found[of] += by_being(sentence)
        found[of] += by_naming(sentence)
    return [each_once(one) for one in found]


def each_once(stated: Iterable[Stated]) -> tuple[Stated, ...]:
    """Of equal relations the surest, at the place of the first."""
    kept: dict[tuple[str, str, str], Stated] = {}
    for one in stated:
        key = (normal_form(one.subject.name), one.type, normal_form(one.object.name))
        if key not in kept or one.confidence > kept[key].confidence:
            kept[key] = one
    return tuple(kept.values())
