"""Teaches which candidate facts are worth keeping (memoryapp/extract/facts/selector): read alone, is it good?

    python training/facts.py            # trains, prints the figures on held-back hands
    python training/facts.py --write    # and writes the weights

A quarter of an hour on two cores. A line of `facts-*.jsonl` is a candidate of the rules with the words that it was
learned from, and the judgement of a reader who had not seen the rules.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from training.cross_encoder import Pair, Stage, logits, new_model, save, train  # noqa: E402
from training.hands import DATA, fingerprint, lines  # noqa: E402
from training.reader import auc  # noqa: E402

FOLDER = Path(__file__).resolve().parents[1] / "memoryapp" / "extract" / "facts" / "selector"
HELD_BACK = ("facts-5.jsonl", "facts-bench.jsonl", "facts-chat-4.jsonl")
TAUGHT = tuple(sorted({path.name for path in DATA.glob("facts-*.jsonl")} - set(HELD_BACK)))

Line = dict[str, Any]


def pairs(rows: list[Line]) -> list[Pair]:
    return [Pair(row["fact"], row["quote"], int(row["good"])) for row in rows]


def report(model: Any, rows: list[Line]) -> dict[str, float]:
    """AUC; the share that is good of all; and at some lines, which share of those above is good and how many of the
    good ones are above."""
    scores = logits(model, [(row["fact"], row["quote"]) for row in rows])
    likely = 1 / (1 + np.exp(-scores))
    good = np.array([row["good"] for row in rows])
    told = {"AUC": auc(scores[good], scores[~good]), "good": float(good.mean())}
    for line in (0.3, 0.5, 0.6, 0.7, 0.8):
        kept = likely >= line
        told[f"good at {line}"] = float(good[kept].mean()) if kept.any() else 0.0
        told[f"kept of good at {line}"] = float(kept[good].mean())
    return {name: round(value, 3) for name, value in told.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the weights")
    options = parser.parse_args()
    model = new_model(labels=1)
    train(model, [Stage("facts", pairs(lines(*TAUGHT)), epochs=4)])
    figures = {name: report(model, lines(name)) for name in HELD_BACK}
    for name, told in figures.items():
        print(name, told)
    if options.write:
        save(model, FOLDER, data=fingerprint(TAUGHT), figures={**figures})


if __name__ == "__main__":
    main()
