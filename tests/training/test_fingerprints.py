"""Neither the data nor the weights change without the other."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from memoryapp.contradictions.pair_judge import JUDGE
from memoryapp.extraction.entities.entity_judge import FOLDER, NOTE
from memoryapp.extraction.facts.select import SELECTOR
from memoryapp.inference.reranking.cross_encoder import TRAINING
from memoryapp.search.answers import WEIGHTS

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


# As the scripts name them; to import these would ask for the trainers.
JUDGE_HELD_BACK = {f"pairs-{hand}.jsonl" for hand in (6, 25, 28, 32, 36, 38)} | {
    f"threads-{hand}.jsonl" for hand in (5, 9, 15)
}
SELECTOR_HELD_BACK = {f"facts-{hand}.jsonl" for hand in (5, 43, 44, 45, 46, 50, "week", "bench", "chat-4")} | {
    "plain-3.jsonl"
}
OWN_PAIRS = {f"../../benchmarks/{name}.jsonl" for name in ("contrast", "pairs", "blind")}
IN_TALKS = {f"{kind}-{hand}.jsonl" for kind in ("facts", "talks") for hand in (1, 2, 8)}


@pytest.mark.parametrize(
    ("weights", "kinds", "but", "more"),
    [
        (SELECTOR, ("facts", "plain"), SELECTOR_HELD_BACK, set()),
        (JUDGE, ("pairs", "matters", "threads"), JUDGE_HELD_BACK, IN_TALKS | OWN_PAIRS),
    ],
    ids=["selector", "judge"],
)
def test_weights_are_made_from_the_data_beside_them(
    weights: Path, kinds: tuple[str, ...], but: set[str], more: set[str]
) -> None:
    from training.hands import DATA, fingerprint

    taught = {path.name for kind in kinds for path in DATA.glob(f"{kind}-*.jsonl")} - but | more
    note = json.loads((weights / TRAINING).read_text(encoding="utf-8"))
    assert note["data"] == fingerprint(taught), "run the script that training/README.md names, with --write"


def test_the_weights_of_an_answer_are_made_from_the_data_beside_them() -> None:
    from training.hands import DATA, fingerprint

    taught = {f"{kind}.jsonl" for kind in ("talks-1", "talks-2", "talks-8", "questions-1")}
    taught |= {path.name for path in DATA.glob("answers-*.jsonl")} - {"answers-17.jsonl", "answers-18.jsonl"}
    note = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    assert note["data"] == fingerprint(taught), "run training/answers.py --write"


def test_the_judge_of_names_is_made_from_the_data_beside_it() -> None:
    from training.hands import DATA, fingerprint

    held_back = {"entities-3.jsonl", "entities-5.jsonl"}
    taught = {path.name for path in DATA.glob("entities-*.jsonl")} - held_back
    note = json.loads((FOLDER / NOTE).read_text(encoding="utf-8"))
    made = fingerprint({*taught, "entity-frames.txt", "entity-names.json"})
    assert note["data"] == made, "run training/entities.py --write"


@pytest.mark.parametrize("name", ["answers-11.jsonl", "answers-17.jsonl"])
def test_the_sentence_that_answers_stands_in_its_passage(name: str) -> None:
    from training.hands import lines

    for row in lines(name):
        assert row["sentence"] in row["yes"][0]["text"]
        assert len(row["no"]) == 3 and row["q"] and row["alt"] and row["other"]
