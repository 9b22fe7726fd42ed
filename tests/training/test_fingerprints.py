"""Neither the data nor the weights change without the other."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from memoryapp.detect.learned import JUDGE
from memoryapp.encoders.cross_encoder import TRAINING
from memoryapp.encoders.rerank import PACKAGED

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


@pytest.mark.parametrize(
    ("weights", "kind", "held_back", "more"),  # as the scripts name them; to import these would ask for the trainers
    [
        (PACKAGED, "answers", {"answers-17.jsonl", "answers-18.jsonl"}, set()),
        (
            JUDGE,
            "pairs",
            {"pairs-6.jsonl", "pairs-25.jsonl", "pairs-28.jsonl", "pairs-32.jsonl"},
            {"facts-1.jsonl", "facts-8.jsonl"},
        ),
    ],
    ids=["reader", "judge"],
)
def test_weights_are_made_from_the_data_beside_them(
    weights: Path, kind: str, held_back: set[str], more: set[str]
) -> None:
    from training.hands import DATA, fingerprint

    taught = {path.name for path in DATA.glob(f"{kind}-*.jsonl")} - held_back | more
    note = json.loads((weights / TRAINING).read_text(encoding="utf-8"))
    assert note["data"] == fingerprint(taught), "run the script that training/README.md names, with --write"


@pytest.mark.parametrize("name", ["answers-11.jsonl", "answers-17.jsonl"])
def test_the_sentence_that_answers_stands_in_its_passage(name: str) -> None:
    from training.hands import lines

    for row in lines(name):
        assert row["sentence"] in row["yes"][0]["text"]
        assert len(row["no"]) == 3 and row["q"] and row["alt"] and row["other"]
