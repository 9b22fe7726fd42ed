"""The judge of pairs: what it learns from is well formed, what is taught is what is loaded, and the line keeps alarms
rare."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from memoryapp.detect.together import SETTLED, UPDATES
from memoryapp.encoders.joint import load_joint
from memoryapp.management.bench.contrast import contrast_parts, fingerprint, items_of, never_learned, to_learn_from
from memoryapp.management.bench.fit_judge import STAGES, logits_of
from memoryapp.management.bench.joint_network import JointNetwork
from memoryapp.management.bench.pairs import Pair
from memoryapp.management.bench.weigh_judge import Weighed, line_of, shown_of

MOST_BYTES = 3_000_000


def test_each_fact_has_clashes_and_look_alikes_and_none_is_both() -> None:
    parts = contrast_parts()
    assert len({part.hand for part in parts}) >= 3
    for part in parts:
        by_fact: dict[str, dict[bool, set[str]]] = {}
        for pair in part.pairs:
            assert pair.one.strip() and pair.other.strip() and pair.one != pair.other
            by_fact.setdefault(pair.one, {}).setdefault(pair.positive, set()).add(pair.other)
        for fact, said in by_fact.items():
            assert said[True] and said[False] and not said[True] & said[False], fact


def test_nothing_is_learned_from_the_pairs_that_stay_unseen() -> None:
    last = max(upto for stage in STAGES for upto in stage.parts)
    learned = {frozenset((pair.one, pair.other)) for pair in to_learn_from(last, own=1)}
    assert not learned & {frozenset((pair.one, pair.other)) for pair in never_learned()}


def test_a_hand_can_be_left_out() -> None:
    hand = contrast_parts()[0].hand
    assert all(pair.group != hand for pair in to_learn_from(99, own=1, left_out=hand))
    assert any(pair.group == hand for pair in to_learn_from(99, own=1))


def test_pairs_that_chance_put_together_count_less_and_as_compatible() -> None:
    pairs = [Pair(f"one {n}", f"other {n}", n % 2 == 0, "set", topic=str(n)) for n in range(200)]
    items = items_of(pairs, random.Random(1))
    written = {(pair.one, pair.other) for pair in pairs}
    chance = [item for item in items if item[3] < 1]
    assert 10 <= len(chance) <= 20 and all(item[2] == 0.0 and item[:2] not in written for item in chance)


def test_what_is_taught_reads_as_what_is_loaded(tmp_path: Path) -> None:
    network = JointNetwork(seed=3).eval()
    with torch.no_grad():
        for name, number in network.named_parameters():
            if name.endswith(".b"):
                number.normal_(0, 0.02)
    save_file(network.learned(), tmp_path / "taught.safetensors")
    pairs = [
        Pair("I sold my car.", "I drive my car to work.", True, ""),
        Pair("Rex is a dog.", "Tea is hot.", False, ""),
    ]
    loaded = load_joint(tmp_path / "taught.safetensors").logits([(pair.one, pair.other) for pair in pairs])
    assert loaded == pytest.approx(logits_of(network, pairs), abs=0.05)  # products in bf16 round differently


def test_the_line_lets_through_no_more_alarms_than_it_may() -> None:
    chance = np.random.default_rng(0)
    clash = np.arange(1000) < 500
    chances = np.clip(np.where(clash, 0.9, 0.66) + chance.normal(0, 0.1, 1000), 0, 1)
    none = np.zeros(1000, dtype=bool)
    weighed = Weighed(("cosine",), np.zeros((1000, 1)), chances, clash, ("set",) * 1000, ~none, none, none, chances)
    shown = shown_of(weighed, line_of(weighed))
    assert 0.002 < shown[~clash].mean() <= 0.008 and shown[clash].mean() > 0.1


def test_the_weights_are_small_and_say_what_they_were_learned_from() -> None:
    assert UPDATES.stat().st_size <= MOST_BYTES
    held = json.loads(SETTLED.read_text("utf-8"))
    assert {"weighing", "seed", "steps", "learned from", "left out"} <= set(held)
    assert held["learned from"] == fingerprint(), "the training pairs changed: run fit_judge --write again"
    assert 0.5 <= held["weighing"]["line"] < 1 and 0 <= held["weighing"]["veto"] < held["weighing"]["line"]
