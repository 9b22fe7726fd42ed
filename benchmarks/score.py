"""Ranked lists against the gold: the measures, as the sets' own scorers define them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from memoryapp.domain.ranking import precision_at, recall_at, reciprocal_rank

Ranked = tuple[Sequence[str], Sequence[str], str]  # ranked refs, gold refs, category
ADVERSARIAL = "adversarial"  # LoCoMo's questions that name the wrong person; not in its headline


def recall(ranked: Sequence[str], gold: Sequence[str], k: int) -> float:
    return recall_at(ranked, set(gold), k)


def complete(ranked: Sequence[str], gold: Sequence[str], k: int) -> float:
    """1 where all of the gold is among the first k."""
    return float(set(gold) <= set(ranked[:k]))


def precision(ranked: Sequence[str], gold: Sequence[str], k: int) -> float:
    return precision_at(ranked, set(gold), k)


def reciprocal(ranked: Sequence[str], gold: Sequence[str]) -> float:
    return reciprocal_rank(ranked, set(gold))


def by_session(refs: Iterable[str]) -> list[str]:
    """Sessions in order of their first turn: “D1:3” lies in “D1”."""
    return list(dict.fromkeys(ref.partition(":")[0] for ref in refs))


def means(scored: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The figures of one set, by the names of `references.REACH`; 0 where nothing was asked."""
    return {measure: sum(values) / max(len(values), 1) for measure, values in scored.items()}


def each(name: str, answers: Sequence[Ranked]) -> dict[str, list[float]]:
    """By measure what every question scored that counts for it, in the order in which they were asked."""
    if name == "locomo":
        return _locomo(answers)
    if name in ("musique", "hotpotqa"):
        return {"R@5": _score_each(answers, recall, 5), "all@5": _score_each(answers, complete, 5)}
    if name == "meetings":
        return {"P@10": _score_each(answers, precision, 10)}
    return {"R@1": _score_each(answers, recall, 1), "R@5": _score_each(answers, recall, 5)}


def _locomo(answers: Sequence[Ranked]) -> dict[str, list[float]]:
    headline = [one for one in answers if one[2] != ADVERSARIAL]
    adversarial = [one for one in answers if one[2] == ADVERSARIAL]
    sessions = [(by_session(ranked), by_session(gold), category) for ranked, gold, category in headline]
    scored = {
        "R@10": _score_each(headline, recall, 10),
        "R@5": _score_each(headline, recall, 5),
        "adversarial R@10": _score_each(adversarial, recall, 10),
        "session R@5": _score_each(sessions, recall, 5),
        "MRR": [reciprocal(ranked, gold) for ranked, gold, _ in headline],
    }
    for category in sorted({category for *_, category in headline}):
        scored[f"R@10 {category}"] = _score_each([one for one in headline if one[2] == category], recall, 10)
    return scored


def _score_each(
    answers: Sequence[Ranked], measure: Callable[[Sequence[str], Sequence[str], int], float], k: int
) -> list[float]:
    return [measure(ranked, gold, k) for ranked, gold, _ in answers]
