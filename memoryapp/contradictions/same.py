"""Whether two statements say the same in other words: alike enough, and nothing that tells them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from memoryapp.contradictions import korean
from memoryapp.contradictions.clause import clauses
from memoryapp.contradictions.exchanges import Exchange, exchanges, tells_apart
from memoryapp.contradictions.slot_clashes import agrees
from memoryapp.contradictions.slots import slots
from memoryapp.contradictions.topic import main_verb, poles
from memoryapp.contradictions.values import Value, same_form, values
from memoryapp.contradictions.vocabulary import STOP
from memoryapp.contradictions.words import clean, content, meaning, stem, words
from memoryapp.inference.embedding.zones import Zones

# Above these lines a pair counts as a paraphrase. Best F1 on the duplicate pairs of docs/CONFLICTS.md.
ALIKE, ALIKE_KOREAN = 0.65, 0.40
SHARED_KOREAN = 0.35  # of their syllable pairs
_TO_COME = re.compile(r"\b(?:will|going to|plan(?:s|ned|ning)? (?:to|on)|wants? to|intends? to)\b", re.IGNORECASE)
_SHORT = 8  # words of a statement whose verb carries its meaning
_FORMS = frozenset(("a", "an", "the", "is", "am", "are", "'m", "'s", "'re"))
_TWO_SIDES = re.compile(r"\b(?:over|than|rather|before|after|from|to|by)\b|'s\b", re.IGNORECASE)
_APART = re.compile(r"\W+")


def says_same(existing: str, incoming: str, cosine: float | None, zones: Zones) -> bool:
    """True where both may be kept as one memory: equal words; or cosine from the model's line for the same on, and the
    same words in the same order but for their forms, or one slot filled alike. Rather twice than lost: in doubt it is
    False. Korean, which the judge does not read, is compared by syllables."""
    if same_words(existing, incoming):
        return True
    if cosine is None or cosine < zones.same or _plans(existing) != _plans(incoming):
        return False
    if _one_claim(existing, incoming):
        return True
    if korean.is_korean(existing) or korean.is_korean(incoming):
        alike = not _foreign_words(existing, incoming) and likeness(existing, incoming, cosine) >= ALIKE_KOREAN
        return alike and not tell_apart(existing, incoming)
    return _in_synonyms(existing, incoming) and not tell_apart(existing, incoming)


def _in_synonyms(one: str, other: str) -> bool:
    """Whether they differ in the forms of words, in synonyms, or in how a value is written (2 pm, 14:00), alone."""
    if _stems(one) == _stems(other):
        return True
    exchanged = exchanges(clean(one), clean(other))
    return bool(exchanged) and all(e.was and e.now and not tells_apart(e) for e in exchanged)


def _stems(text: str) -> list[str]:
    """Of all words but articles and forms of “be”, in their order."""
    return [stem(word) for word in words(clean(text)) if word not in _FORMS]


def _foreign_words(existing: str, incoming: str) -> bool:
    """Whether two Korean sentences share so few syllable pairs, or differ in a word before the last, so that only the
    cosine is alike: of a model that knows no Korean it is high between any two. Words are told by two syllables."""
    one, other = ({word[:2] for word in text.split()[:-1]} for text in (existing, incoming))
    return one != other or _jaccard(_groups(existing, 2), _groups(incoming, 2)) < SHARED_KOREAN


def _plans(text: str) -> bool:
    """Whether it tells of something still to be done: having done it says more."""
    return _TO_COME.search(text) is not None


def _one_claim(existing: str, incoming: str) -> bool:
    """Whether both fill one and the same slot, alike, and nothing else."""
    a, b = slots(existing), slots(incoming)
    if len(a) != 1 or len(b) != 1 or not agrees(a, b) or numbers_differ(existing, incoming):
        return False
    if korean.is_korean(existing):  # the endings of its words change with the tone
        return True
    before, after = content(clean(existing)), content(clean(incoming))
    if len(after - before) > len(before - after):  # it says more
        return False
    exchanged = exchanges(clean(existing), clean(incoming))
    return not any(tells_apart(exchange) and not _same_stems(exchange) for exchange in exchanged)


def _same_stems(exchange: Exchange) -> bool:
    """“Works” and “is working”."""
    was, now = ({stem(word) for word in side if word not in _FORMS} for side in (exchange.was, exchange.now))
    return bool(was) and was == now


def paraphrases(one: str, other: str, cosine: float) -> bool:
    """Whether a pair counts as a duplicate in the measures: alike, and no number against another. What one side leaves
    out does not part them here, as it does in `says_same`."""
    line = ALIKE_KOREAN if korean.is_korean(one) else ALIKE
    return likeness(one, other, cosine) >= line and not numbers_clash(one, other)


def likeness(one: str, other: str, cosine: float) -> float:
    """0 to 1: ¼ cosine + ¾ mean Dice of stems, of all words and of letter trigrams; in Hangul ½ cosine + ½ Jaccard of
    syllable pairs. Chosen on the duplicate pairs among sums of up to four such measures."""
    if korean.is_korean(one) or korean.is_korean(other):
        return (cosine + _jaccard(_groups(one, 2), _groups(other, 2))) / 2
    a, b = _shape(one), _shape(other)
    return (cosine + sum(_dice(x, y) for x, y in zip(a, b, strict=True))) / 4


def tell_apart(one: str, other: str) -> bool:
    """Whether a number, a name, a negation, an opposite or one exchanged word differs, so that the two are not one."""
    if numbers_differ(one, other) or _names_differ(one, other) or _denials_differ(one, other):
        return True
    if _turned_about(one, other) or _meant_otherwise(one, other):
        return True
    a, b = poles(clean(one)), poles(clean(other))
    if any(a[scale][0] != b[scale][0] for scale in a.keys() & b.keys()):
        return True
    return any(tells_apart(exchange) for exchange in exchanges(clean(one), clean(other)))


def _turned_about(one: str, other: str) -> bool:
    """The same words in another order around a word that has two sides (“tabs over spaces”), or names that changed
    places: “Kwame owes Ingrid 50 euros”."""
    a, b = _stems(one), _stems(other)
    if a == b or sorted(a) != sorted(b):
        return False
    if _TWO_SIDES.search(one) and _TWO_SIDES.search(other):
        return True
    named = _names(f". {one}") & _names(f". {other}")
    return [word for word in words(one) if word in named] != [word for word in words(other) if word in named]


def _meant_otherwise(one: str, other: str) -> bool:
    """One is over, planned or asked and the other is not; or two short ones do different things."""
    a, b = clauses(one), clauses(other)
    for flag in ("past", "planned", "question"):
        if any(getattr(clause, flag) for clause in a) != any(getattr(clause, flag) for clause in b):
            return True
    if len(a) != 1 or len(b) != 1 or max(len(words(one)), len(words(other))) > _SHORT:
        return False
    verbs = [meaning(main_verb(clause)) for clause in (*a, *b)]
    return all(verbs) and verbs[0] != verbs[1]


def numbers_differ(one: str, other: str) -> bool:
    """Whether either side has a number, date or time that the other has not."""
    a, b = _numbers(one), _numbers(other)
    return bool(_has_missing_value(a, b) or _has_missing_value(b, a))


def numbers_clash(one: str, other: str) -> bool:
    """Whether each side has a number that the other has not."""
    a, b = _numbers(one), _numbers(other)
    return bool(_has_missing_value(a, b) and _has_missing_value(b, a))


def _numbers(text: str) -> list[Value]:
    return [
        v for v in values(clean(text)) if v.type in ("weekday", "host", "email") or any(c.isdigit() for c in v.form)
    ]


def _has_missing_value(ones: Sequence[Value], others: Sequence[Value]) -> bool:
    return any(not any(_is_same_value(one, other) for other in others) for one in ones)


def _is_same_value(one: Value, other: Value) -> bool:
    return same_form(one.form, other.form, one.type) if one.type == other.type else one.form == other.form


def _names_differ(one: str, other: str) -> bool:
    """Whether each side has a capitalised word inside a sentence that the other has in no form."""
    low_a, low_b = set(words(one)), set(words(other))
    return bool(_names(one) - low_b) and bool(_names(other) - low_a)


def _names(text: str) -> set[str]:
    inner = text.split()[1:]
    bare = (word.strip(".,;:!?\"'()") for word in inner if word[:1].isupper() and word[1:2].islower())
    return {word.removesuffix("'s").casefold() for word in bare}


def _denials_differ(one: str, other: str) -> bool:
    if korean.is_korean(one) or korean.is_korean(other):
        return korean.has_denial(one) != korean.has_denial(other)
    return any(c.negative for c in clauses(one)) != any(c.negative for c in clauses(other))


def same_words(one: str, other: str) -> bool:
    """Whether they differ in case and punctuation at most: “5 $” and “5 €” do not."""
    plain = _plain_words(one)
    return one == other or (bool(plain) and plain == _plain_words(other) and not numbers_differ(one, other))


def _plain_words(text: str) -> tuple[str, ...]:
    return tuple(words(clean(text)))


@lru_cache(maxsize=4_096)
def _shape(text: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Stems of content words, of all words, letter trigrams."""
    stems = [(word, stem(word)) for word in words(clean(text))]
    return frozenset(s for w, s in stems if w not in STOP), frozenset(s for _, s in stems), _groups(text, 3)


def _groups(text: str, size: int) -> frozenset[str]:
    bare = _APART.sub("" if size == 2 else " ", text.casefold())
    return frozenset(bare[n : n + size] for n in range(len(bare) - size + 1))


def _dice(a: frozenset[str], b: frozenset[str]) -> float:
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return len(a & b) / len(a | b) if a or b else 0.0
