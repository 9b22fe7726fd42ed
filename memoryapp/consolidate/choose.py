"""Which sentences a digest takes: the best of each section, the best of those, none twice; and why each other one
stays behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from memoryapp.consolidate.ranking import Ranked, Ranking
from memoryapp.domain.digest import Sentence

OF_SECTION, OF_GROUP = 3, 10
_FEW_WORDS, _SLIGHT = 2, 0.1  # “Coffee.”: so few words, with so little that speaks for them, are no news
_MANY = {3: ("three", "셋"), 10: ("ten", "열")}


def choose(ranking: Ranking, *, by_hand: Collection[str] | None = None) -> tuple[Sentence, ...]:
    """All sentences of a group in reading order, those that are taken without a reason in `left`.

    At most `OF_SECTION` of a section and `OF_GROUP` in all. `by_hand`: ids of those that a person wants, and no others.
    """
    left = _left(ranking)
    chosen = tuple(_sentence(one, left=left.get(n, "")) for n, one in enumerate(ranking.ranked))
    return chosen if by_hand is None else as_wanted(chosen, by_hand)


def as_wanted(chosen: Sequence[Sentence], by_hand: Collection[str]) -> tuple[Sentence, ...]:
    """The machine's choice with what a person changed of it."""
    return tuple(_as_wanted(one, one.id in by_hand) for one in chosen)


def _left(ranking: Ranking) -> dict[int, str]:
    """Why each sentence that is not taken is left."""
    open_, taken, left = dict.fromkeys(range(len(ranking.ranked))), list[int](), dict[int, str]()
    of_section: Counter[str] = Counter()
    while open_:
        best = ranking.next(open_, taken)
        if best is None:
            break
        del open_[best]
        one = ranking.ranked[best]
        korean = one.piece.korean
        if like := ranking.likeness(best, taken):
            left[best] = (
                f"고른 문장과 같은 말, {like:.2f}" if korean else f"says the same as a taken sentence, {like:.2f}"
            )
        elif of_section[one.piece.section] == OF_SECTION:
            left[best] = _beaten("section", OF_SECTION, korean=korean)
        elif len(taken) == OF_GROUP:
            left[best] = _beaten("group", OF_GROUP, korean=korean)
        else:
            taken.append(best)
            of_section[one.piece.section] += 1
    slight = [n for n in taken if _is_slight(ranking.ranked[n])]
    if len(slight) < len(taken):  # a digest needs some words
        left |= {n: "너무 짧다" if ranking.ranked[n].piece.korean else "says too little" for n in slight}
    for n in open_:
        left[n] = "새로 말하는 것이 적다" if ranking.ranked[n].piece.korean else "says little that is new"
    return left


def _is_slight(one: Ranked) -> bool:
    return one.score < _SLIGHT and len(one.piece.text.split()) <= _FEW_WORDS


def _beaten(where: str, many: int, *, korean: bool) -> str:
    english, hangul = _MANY[many]
    if korean:
        return f"같은 {'절' if where == 'section' else '묶음'}에 더 나은 문장이 {hangul}"
    return f"ranked below the top {english} of its {where}"


def _as_wanted(one: Sentence, wanted: bool) -> Sentence:
    if wanted == one.taken:
        return one
    return replace(one, left="" if wanted else "손으로 뺐다" if one.korean else "dropped by hand", by_hand=True)


def _sentence(one: Ranked, *, left: str) -> Sentence:
    piece = one.piece
    return Sentence(piece.id, piece.section, piece.text, one.score, one.why, piece.korean, left)
