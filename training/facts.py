"""Teaches which candidate facts are worth keeping (memoryapp/extraction/facts/selector): read alone, is it good?

    python training/facts.py            # trains, prints the figures on held-back hands
    python training/facts.py --write    # and writes the weights

Ten minutes on two cores. A line of `facts-*.jsonl` is a candidate of the rules with the words that it was
learned from, and the judgement of a reader who had not seen the rules. A line of `plain-*.jsonl` is a plain statement
that is worth keeping and a twin that is not; what the rules read in them are candidates as well.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memoryapp.domain.fact import SpokenTurn
from memoryapp.extraction.facts.pipeline import extract_facts
from memoryapp.extraction.facts.select import SELECTOR
from training.cross_encoder import Pair, Stage, logits, new_model, save, train
from training.figures import auc
from training.hands import DATA, fingerprint, lines

HELD_BACK = (
    *(f"facts-{hand}.jsonl" for hand in (43, 44, 45, 46, 50, "week")),  # chats of unseen hands
    *("facts-5.jsonl", "facts-bench.jsonl", "facts-chat-4.jsonl", "plain-3.jsonl"),
)
TAUGHT = tuple(
    sorted({path.name for kind in ("facts", "plain") for path in DATA.glob(f"{kind}-*.jsonl")} - set(HELD_BACK))
)

Line = dict[str, Any]


def pairs(rows: list[Line]) -> list[Pair]:
    """The judged candidates among `rows`, and what the rules read in the plain statements among them."""
    judged = [Pair(row["fact"], row["quote"], int(row["good"])) for row in rows if "fact" in row]
    twins = [(row, key) for row in rows if "keep" in row for key in ("keep", "drop")]
    return judged + [
        Pair(candidate.text, candidate.quote, int(key == "keep"))
        for row, key in twins
        for extracted in extract_facts([SpokenTurn(row[key], row["speaker"])], worth=0.0)
        for candidate in extracted.candidates
    ]


def report(model: Any, rows: list[Line]) -> dict[str, float]:
    """AUC; the share that is good of all; and at some lines, which share of those above is good and how many of the
    good ones are above."""
    candidates = pairs(rows)
    scores = logits(model, [(pair.first, pair.second) for pair in candidates])
    likely = 1 / (1 + np.exp(-scores))
    good = np.array([pair.label == 1 for pair in candidates])
    told = {"AUC": auc(scores[good], scores[~good]), "good": float(good.mean())}
    for line in (0.3, 0.5, 0.6, 0.7, 0.8, 0.9):
        kept = likely >= line
        told[f"good at {line}"] = float(good[kept].mean()) if kept.any() else 0.0
        told[f"kept of good at {line}"] = float(kept[good].mean())
    return {name: round(value, 3) for name, value in told.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the weights")
    options = parser.parse_args()
    model = new_model(labels=1)
    # “On Friday” is no fault to the product, which knows the day on which it was said.
    judged = [row for row in lines(*TAUGHT) if row.get("why") != "vague_time"]
    train(model, [Stage("facts", pairs(judged), epochs=2)])  # from the third on it learns the lines by heart
    figures = {name: report(model, lines(name)) for name in HELD_BACK if (DATA / name).exists()}
    for name, told in figures.items():
        print(name, told)
    if options.write:
        save(model, SELECTOR, data=fingerprint(TAUGHT), figures={**figures})


if __name__ == "__main__":
    main()
