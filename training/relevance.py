"""Fits the relevance of a hit on half A of our own talks, says how well it does on half B, and writes the weights.

    python training/relevance.py            # prints the figures
    python training/relevance.py --write    # and writes memoryapp/search/relevance.json

Each talk is filled into a space and each of its questions is asked; a hit answers where it comes from a turn that
answers, or holds the answer's words. A few minutes on two cores.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
import django

django.setup()

from benchmarks.talk import has  # noqa: E402
from benchmarks.talks import (  # noqa: E402
    TALKS,
    UNANSWERED,
    Talk,
    filled,
    read_talks,
)
from memoryapp.domain.filters import Filters  # noqa: E402
from memoryapp.domain.results import Query  # noqa: E402
from memoryapp.inference.embedding import load_encoder  # noqa: E402
from memoryapp.search import search  # noqa: E402
from memoryapp.search.relevance import WEIGHTS  # noqa: E402

ENCODER = "all-MiniLM-L6-v2"
_RIDGE = 0.3
_ROUNDS = 50

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    question: tuple[str, str]  # of which talk
    known: bool
    signals: tuple[float, ...]
    answers: bool


def examples(talk: Talk) -> Iterator[Example]:
    """One a hit, of all questions of a talk."""
    with filled(talk, load_encoder(ENCODER)) as space:
        for question in talk.questions:
            query = Query(question.text, top_k=10, filters=Filters(as_of=question.as_of))
            for hit in search(space.space, query).hits:
                every = (hit.memory, *hit.beside)
                refs = frozenset().union(*map(space.refs, every))
                words = " ".join(one.text for one in every)
                answers = bool(refs & set(question.gold)) or has(words, question.answer)
                yield Example((talk.name, question.text), question.kind != UNANSWERED, hit.signals, answers)


def fit(signals: Floats, answers: Floats) -> Floats:
    """Weights of a logistic regression by Newton's method, signals (n, k), answers (n,) of 0 and 1."""
    weights = np.zeros(signals.shape[1])
    ridge = _RIDGE * np.eye(len(weights))
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-signals @ weights))
        slope = signals.T @ (likely - answers) + _RIDGE * weights
        weights -= np.linalg.solve((signals * (likely * (1 - likely))[:, None]).T @ signals + ridge, slope)
    return weights


def report(weights: Floats, told: list[Example]) -> None:
    likely = 1 / (1 + np.exp(-np.array([one.signals for one in told]) @ weights))
    answers = np.array([one.answers for one in told])
    best: dict[tuple[str, str], float] = {}
    for one, chance in zip(told, likely, strict=True):
        best[one.question] = max(best.get(one.question, 0.0), float(chance))
    known = {one.question: one.known for one in told}
    print(f"  hits: AUC {auc(likely, answers):.3f} of {len(told)}")
    print(f"  known against unknown questions: AUC {auc([best[q] for q in best], [known[q] for q in best]):.3f}")
    for low in np.arange(0.0, 1.0, 0.2):
        those = (likely >= low) & (likely < low + 0.2)
        if those.any():
            print(f"  {low:.1f}–{low + 0.2:.1f}: {those.sum():5d} hits, {answers[those].mean():.2f} answer")


def auc(scores: object, labels: object) -> float:
    """The share of pairs of one label each in which the right one stands higher."""
    value, label = np.asarray(scores, dtype=float), np.asarray(labels, dtype=bool)
    above = value[label][:, None] - value[~label][None, :]
    return float(((above > 0) + 0.5 * (above == 0)).mean())


def fingerprint() -> str:
    """Of the talks the weights come from."""
    digest = hashlib.sha256()
    for talk in sorted(TALKS.glob("*.json")):
        if json.loads(talk.read_text(encoding="utf-8"))["half"] == "A":
            digest.update(talk.read_bytes())
    return digest.hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the weights")
    asked = parser.parse_args()
    halves: dict[str, list[Example]] = {"A": [], "B": []}
    for talk in read_talks(TALKS):
        print(talk.name, flush=True)
        halves[talk.half] += examples(talk)
    a = halves["A"]
    weights = fit(np.array([one.signals for one in a]), np.array([one.answers for one in a], dtype=float))
    for half, told in halves.items():
        print(f"half {half}{'' if half == 'A' else ', held back'}")
        report(weights, told)
    print("weights", np.round(weights, 3).tolist())
    if asked.write:
        made = {"encoder": ENCODER, "data": fingerprint(), "weights": np.round(weights, 4).tolist()}
        WEIGHTS.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
