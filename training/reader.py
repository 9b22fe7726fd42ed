"""Teaches the reader of question and passage (memoryapp/inference/embedding/reader): does this passage answer?

    python training/reader.py            # trains, prints the figures on held-back hands
    python training/reader.py --write    # and writes the weights

Some half an hour on two cores. A line of `answers-*.jsonl` is a question in two wordings, a passage that answers, three
that only seem to, and a question that none of them answers.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memoryapp.domain.sentences import sentences
from memoryapp.inference.reranking.reranker import PACKAGED, passage_text
from training.cross_encoder import Pair, Stage, logits, new_model, save, train
from training.hands import DATA, fingerprint, lines

HELD_BACK = ("answers-17.jsonl", "answers-18.jsonl")
TAUGHT = tuple(sorted({path.name for path in DATA.glob("answers-*.jsonl")} - set(HELD_BACK)))

_WORD = re.compile(r"[^\W\d_]{5,}")

Line = dict[str, Any]


def easy(rows: list[Line], chance: random.Random) -> Iterator[Pair]:
    """What words alone tell: the passage that answers, and one of another line."""
    for row in rows:
        other = chance.choice(rows)
        for question in (row["q"], row["alt"]):
            yield Pair(question, _text(row["yes"][0]), 1)
        yield Pair(row["q"], _text(other["yes"][0]), 0)
        yield Pair(row["alt"], _text(chance.choice(other["no"])), 0)
        yield Pair(row["q"], row["sentence"], 1)
        yield Pair(row["q"], other["sentence"], 0)


def contrasts(rows: list[Line], chance: random.Random) -> Iterator[Pair]:
    """What only reading tells: passages of the same words that do not answer, and a question that none answers."""
    for row in rows:
        yes = row["yes"][0]
        yield Pair(row["q"], _text(yes), 1)
        yield Pair(row["alt"], _text(yes), 1)
        yield Pair(chance.choice((row["q"], row["alt"])), _lead(yes) + row["sentence"], 1)
        for no in row["no"]:
            yield Pair(row["q"], _text(no), 0)
        yield Pair(row["alt"], _text(chance.choice(row["no"])), 0)
        yield Pair(row["other"], _text(yes), 0)
        yield Pair(row["other"], _text(chance.choice(row["no"])), 0)
        rest = [part for part in sentences(yes["text"]) if part not in row["sentence"] and row["sentence"] not in part]
        if rest:  # or what is short would be what answers
            yield Pair(row["q"], _lead(yes) + chance.choice(rest), 0)
        no = chance.choice(row["no"])
        yield Pair(row["q"], _lead(no) + chance.choice(sentences(no["text"])), 0)
        if words := _own_words(row):  # who types one word wants what speaks of it
            word = chance.choice(words)
            yield Pair(word, _text(yes), 1)
            yield Pair(word, _text(chance.choice(row["no"])), 0)


def report(model: Any, rows: list[Line]) -> dict[str, float]:
    """Figures of held-back lines: how often the right passage of four stands first, known against unknown questions
    by the best of four, how often the sentence that answers is the best of its passage."""
    asked = [(kind, row) for row in rows for kind in ("q", "alt", "other")]
    four = [(row[kind], _text(one)) for kind, row in asked for one in (row["yes"][0], *row["no"])]
    scores = logits(model, four).reshape(len(asked), 4)
    kinds = np.array([kind for kind, _ in asked])
    best = scores.max(axis=1)
    first = scores.argmax(axis=1) == 0
    marked = [_marked(model, row) for row in rows]
    known = [one for one in marked if one is not None]
    return {
        "first of four": float(first[kinds == "q"].mean()),
        "first of four, typed": float(first[kinds == "alt"].mean()),
        "known against unknown": auc(best[kinds == "q"], best[kinds == "other"]),
        "passages": auc(scores[kinds == "q"][:, 0], scores[kinds == "q"][:, 1:].ravel()),
        "sentence": sum(known) / len(known),
    }


def auc(above: Any, below: Any) -> float:
    """The share of pairs in which one of `above` stands higher than one of `below`."""
    apart = np.asarray(above)[:, None] - np.asarray(below)[None, :]
    return float(((apart > 0) + 0.5 * (apart == 0)).mean())


def _marked(model: Any, row: Line) -> bool | None:
    yes = row["yes"][0]
    parts = sentences(yes["text"])
    if len(parts) < 2:
        return None
    best = parts[int(logits(model, [(row["q"], _lead(yes) + part) for part in parts]).argmax())]
    return best in row["sentence"] or row["sentence"] in best


def _own_words(row: Line) -> list[str]:
    """Longer words of the passage that answers, which none of the others has."""
    others = {word.casefold() for no in row["no"] for word in _WORD.findall(no["text"])}
    return sorted({word for word in _WORD.findall(row["yes"][0]["text"]) if word.casefold() not in others})


def _text(passage: dict[str, str]) -> str:
    return passage_text(passage["text"], speaker=passage.get("speaker", ""))


def _lead(passage: dict[str, str]) -> str:
    return passage_text("", speaker=passage.get("speaker", ""))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the weights")
    options = parser.parse_args()
    rows, chance = lines(*TAUGHT), random.Random(11)
    model = new_model(labels=1)
    train(
        model,
        [
            Stage("easy", list(easy(rows, chance)), epochs=2),
            Stage("contrasts", [pair for _ in range(2) for pair in contrasts(rows, chance)]),
        ],
    )
    figures = {name: round(figure, 3) for name, figure in report(model, lines(*HELD_BACK)).items()}
    print(figures)
    if options.write:
        save(model, PACKAGED, data=fingerprint(TAUGHT), figures=figures)


if __name__ == "__main__":
    main()
