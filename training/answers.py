"""Fits which sentence of a text answers a question (memoryapp/search/answers.json).

    python training/answers.py            # prints the figures on held-back hands
    python training/answers.py --write    # and writes the weights

A minute on two cores. From `talks-*.jsonl`, `questions-*.jsonl` and `answers-*.jsonl` come questions with a text of
several sentences and which of them answers; the weights make the answering one the likeliest of its text.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memoryapp.domain.sentences import sentences  # noqa: E402
from memoryapp.inference.embedding.minilm import load_minilm  # noqa: E402
from memoryapp.inference.reranking.reranker import passage_text  # noqa: E402
from memoryapp.search.answers import WEIGHTS, cosines_of, signals  # noqa: E402
from training.hands import fingerprint, lines  # noqa: E402

# Written to train a reader: their answers are the longest sentence far more often than those of talks, so each counts
# a fifth. Files 17 and 18, `talks-5` and `questions-4` are held back, each a hand that nothing was learned from.
ANSWERS = tuple(f"answers-{hand}.jsonl" for hand in range(11, 17))
TALKS = ("talks-1.jsonl", "talks-2.jsonl", "talks-8.jsonl")
QUESTIONS = ("questions-1.jsonl",)
FILES = (*ANSWERS, *TALKS, *QUESTIONS)
_LESS = 0.2
_STEPS, _RATE, _RIDGE = 2_000, 0.5, 1e-3

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """A question and the sentences of a text, `right` those that answer. `weight`: how much it counts."""

    question: str
    sentences: tuple[str, ...]
    speaker: str | None
    right: NDArray[np.bool_]
    weight: float = 1.0


def of_answers(rows: list[Line], *, weight: float = 1.0) -> Iterator[Choice]:
    """Both wordings of each question."""
    for row in rows:
        for question in (row["q"], row["alt"]):
            yield from _choice(question, row["yes"][0], row["sentence"], weight)


def of_talks(rows: list[Line]) -> Iterator[Choice]:
    """Each question that a turn answers."""
    for row in rows:
        for question in row["questions"]:
            if question.get("answers"):
                yield from _choice(question["question"], row["turns"][question["answers"][0]], question["sentence"])


def of_questions(rows: list[Line]) -> Iterator[Choice]:
    """Ordinary questions about a passage."""
    for row in rows:
        for question, sentence in zip(row["answered"], row["sentences"], strict=True):
            yield from _choice(question, row["passage"], sentence)


def _choice(question: str, turn: Line, answer: str, weight: float = 1.0) -> Iterator[Choice]:
    parts = tuple(sentences(turn["text"]))
    right = np.array([part in answer or answer in part for part in parts])
    if right.any() and not right.all():
        yield Choice(question, parts, turn.get("speaker"), right, weight)


def signals_of(choices: list[Choice]) -> list[NDArray[np.float64]]:
    """Of each choice (sentences, signals)."""
    encoder = load_minilm()
    read = []
    for choice in choices:
        passages = [passage_text(part, speaker=choice.speaker) for part in choice.sentences]
        cosines = cosines_of(encoder, choice.question, passages)
        read.append(
            np.array(
                [signals(choice.question, *one) for one in zip(choice.sentences, cosines, strict=True)],
            )
        )
    return read


def fit(choices: list[Choice], read: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Weights (signals,) that maximise the log-likelihood of the right sentences under a softmax over each text, by
    gradient ascent on standardised signals."""
    rows = np.concatenate(read)
    scale = rows.std(axis=0)
    scaled = rows / scale
    starts = np.cumsum([0, *(len(one) for one in read)])[:-1]
    owner = np.repeat(np.arange(len(read)), [len(one) for one in read])
    right = np.concatenate([choice.right for choice in choices])
    share = np.array([choice.weight for choice in choices])
    share /= share.sum()
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        likely = np.exp(scaled @ weights)
        likely /= np.add.reduceat(likely, starts)[owner]
        of_right = likely * right
        wanted = of_right / np.add.reduceat(of_right, starts)[owner]
        weights += _RATE * (((wanted - likely) * share[owner]) @ scaled - _RIDGE * weights)
    return np.asarray(weights / scale)


def accuracy(choices: list[Choice], read: list[NDArray[np.float64]], weights: NDArray[np.float64]) -> float:
    """The share of texts whose likeliest sentence answers."""
    return float(np.mean([choice.right[(one @ weights).argmax()] for choice, one in zip(choices, read, strict=True)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the weights")
    options = parser.parse_args()
    taught = [
        *of_answers(lines(*ANSWERS), weight=_LESS),
        *of_talks(lines(*TALKS)),
        *of_questions(lines(*QUESTIONS)),
    ]
    weights = fit(taught, signals_of(taught))
    figures = {}
    for name, choices in {
        "answers-17": list(of_answers(lines("answers-17.jsonl"))),
        "answers-18": list(of_answers(lines("answers-18.jsonl"))),
        "talks-5": list(of_talks(lines("talks-5.jsonl"))),
        "questions-4": list(of_questions(lines("questions-4.jsonl"))),
    }.items():
        read = signals_of(choices)
        nearest = np.eye(len(weights))[0]
        chance = float(np.mean([choice.right.mean() for choice in choices]))
        figures[name] = {
            "texts": len(choices),
            "right": round(accuracy(choices, read, weights), 3),
            "nearest alone": round(accuracy(choices, read, nearest), 3),
            "longest": round(accuracy(choices, read, nearest[::-1]), 3),
            "chance": round(chance, 3),
        }
        print(name, figures[name])
    print("weights", weights.round(4).tolist())
    if options.write:
        told = {"data": fingerprint(FILES), "weights": weights.round(4).tolist(), "figures": figures}
        WEIGHTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
