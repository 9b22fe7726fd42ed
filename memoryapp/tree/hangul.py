"""A Korean word in, the noun in it out: without its particle, where form and text tell that it is one."""

from __future__ import annotations

from collections.abc import Collection

# Particles that are hardly ever the end of a noun, the longest first; with those that a final consonant decides.
_SURE = tuple(
    "에서는 에서도 으로는 으로도 에게서 까지는 이라는 에서 에게 으로 까지 부터 처럼 마다 에는 에도 에".split()  # noqa: SIM905
)
_AFTER_CONSONANT, _AFTER_VOWEL = ("은", "을", "과"), ("는", "를", "와", "가")
_UNSURE = ("이", "의", "도", "만", "로", "보다", "라고", "이나", "하고")
# Ends of verbs and adjectives: a word that has one names nothing.
_VERBAL = tuple(
    """
    니다 한다 된다 했다 하는 되는 있는 없는 하고 하며 하면 해서 하여 되어 하기 어요 아요 세요 지만 는데 인다 이다 있다
    없다 었다 았다 였다 는다 같은 때문
    """.split()  # noqa: SIM905
)


def noun_of(word: str, words: Collection[str]) -> str:
    """The noun of a run of Hangul; "" for what is none. `words`: all such runs of the text: a particle that could as
    well be the noun's last syllable is taken off where the noun stands in the text without it."""
    if len(word) < 2 or word.endswith(_VERBAL):
        return ""
    for particle in _SURE:
        if word.endswith(particle) and len(word) - len(particle) >= 2:
            return word[: -len(particle)]
    stem, last = word[:-1], word[-1]
    if len(stem) >= 2 and last in (_AFTER_CONSONANT if ends_in_consonant(stem) else _AFTER_VOWEL):
        return stem
    for particle in _UNSURE:
        stem = word.removesuffix(particle)
        if stem != word and len(stem) >= 2 and _stands_alone(stem, word, words):
            return stem
    return word


def ends_in_consonant(word: str) -> bool:
    """Whether its last syllable has a final consonant, which decides the form of what follows."""
    return (ord(word[-1]) - 0xAC00) % 28 != 0


def _stands_alone(stem: str, word: str, words: Collection[str]) -> bool:
    """Bare, or with a particle that only a noun has."""
    other = _AFTER_CONSONANT if ends_in_consonant(stem) else _AFTER_VOWEL
    return stem in words or any(stem + particle in words for particle in (*other, *_SURE) if stem + particle != word)
