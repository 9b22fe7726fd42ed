"""Teaches the judge of pairs (`detect/together`) from the project's own pairs, and says how well it does on pairs by
hands from which nothing was learned.

Run: python -m memoryapp.management.bench.fit_judge [--write] [--without HAND]. One core, a quarter of an hour; the same
pairs on the same kind of core give the same weights.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch.nn.functional import binary_cross_entropy_with_logits as entropy

from memoryapp.detect.together import SETTLED, UPDATES
from memoryapp.management.bench.contrast import (
    Told,
    contrast_parts,
    fingerprint,
    items_of,
    never_learned,
    to_learn_from,
)
from memoryapp.management.bench.joint_network import JointNetwork
from memoryapp.management.bench.pairs import Pair
from memoryapp.management.bench.weigh_judge import figures, weigh, weighing_of

SEED = 1
RATE = 1e-3
BATCH = 32
_SORTED = 16  # batches that are sorted by length together, so that little of a row is padding
_WARM = 60  # steps until the rate is reached


@dataclass(frozen=True, slots=True)
class Stage:
    """So many steps with an optimizer of their own. `parts`: up to which one of the contrast sets each round reads;
    the last round is repeated. `own`: how often the project's plain pairs are read in a round. `falling`: over so many
    steps at the end the rate falls to nothing. `seed` of its rounds."""

    steps: int
    parts: tuple[int, ...]
    own: int
    falling: int
    seed: int


# The plain pairs come first: from contrast sets alone next to nothing is learned for a thousand steps.
STAGES = (Stage(400, (0, 15), 1, 0, 1000), Stage(1010, (20, 21), 2, 520, 1010))
_SURE = 0.05  # a label is taken for .95 and .05
_DECAY = 0.01
Say = Callable[[str], None]


def teach(*, left_out: str = "", say: Say = print) -> JointNetwork:
    """`left_out`: a hand of the contrast sets to learn nothing from."""
    torch.set_num_threads(1)
    network = JointNetwork(SEED)
    network.train()
    groups = network.groups(RATE)
    rates = [group["lr"] for group in groups]
    numbers = [number for group in groups for number in group["params"]]
    before = 0
    for stage in STAGES:
        optimizer = torch.optim.AdamW(groups, weight_decay=_DECAY)
        for step, batch in enumerate(_batches(network, stage, left_out)):
            falling = (stage.steps - step) / stage.falling if stage.falling else 1.0
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * min(1.0, (step + 1) / _WARM, falling)
            lost = _step(network, batch, optimizer, numbers, seed=SEED * 1_000_000 + 2 * (before + step))
            if step % 100 == 0:
                say(f"step {before + step}: {lost:.3f}")
        before += stage.steps
    network.eval()
    return network


def logits_of(network: JointNetwork, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """The mean of both orders, (len(pairs),)."""
    made = []
    with torch.inference_mode():
        for at in range(0, len(pairs), BATCH):
            part = [(pair.one, pair.other) for pair in pairs[at : at + BATCH]]
            both = network(part), network([(other, one) for one, other in part])
            made.append((both[0] + both[1]).double().numpy() / 2)
    return np.concatenate(made)


def _step(
    network: JointNetwork,
    batch: list[Told],
    optimizer: torch.optim.Optimizer,
    numbers: list[torch.nn.Parameter],
    *,
    seed: int,
) -> float:
    """Learns from one batch; returns what was lost on it."""
    optimizer.zero_grad()
    lost = 0.0
    for half in (0, 1):  # as two processes do it side by side
        torch.manual_seed(seed + half)
        loss = _loss(network, batch[half::2])
        loss.backward()  # type: ignore[no-untyped-call]
        lost += float(loss)
    torch.nn.utils.clip_grad_norm_(numbers, 1.0)
    optimizer.step()
    return lost


def _batches(network: JointNetwork, stage: Stage, left_out: str) -> Iterator[list[Told]]:
    """`stage.steps` batches; each pair in an order of chance."""
    step = 0
    for turn in count():
        chance = random.Random(SEED * stage.seed + turn)
        upto = stage.parts[min(turn, len(stage.parts) - 1)]
        items = items_of(to_learn_from(upto, own=stage.own, left_out=left_out), chance)
        batches = []
        for at in range(0, len(items), BATCH * _SORTED):
            near = sorted(items[at : at + BATCH * _SORTED], key=lambda item: network.length(item[0], item[1]))
            batches += [near[n : n + BATCH] for n in range(0, len(near) - BATCH + 1, BATCH)]
        chance.shuffle(batches)
        for batch in batches:
            if step == stage.steps:
                return
            yield [item if chance.random() < 0.5 else (item[1], item[0], *item[2:]) for item in batch]
            step += 1


def _loss(network: JointNetwork, items: Sequence[Told]) -> torch.Tensor:
    logits = network([(one, other) for one, other, _, _ in items])
    clash = torch.tensor([item[2] for item in items]) * (1 - 2 * _SURE) + _SURE
    weight = torch.tensor([item[3] for item in items])
    return (entropy(logits.float(), clash, reduction="none") * weight).sum() / BATCH


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {UPDATES.name} and {SETTLED.name}")
    parser.add_argument("--without", default="", metavar="HAND", help="a hand of contrast.jsonl to leave out")
    asked = parser.parse_args()
    network = teach(left_out=asked.without)
    pairs = never_learned()
    last = max(upto for stage in STAGES for upto in stage.parts)
    for part in contrast_parts():
        if part.number > last or part.hand == asked.without:
            pairs.extend(part.pairs)
    weighed = weigh(pairs, logits_of(network, pairs))
    told: dict[str, Any] = figures(weighed)
    print(json.dumps(told, indent=1))
    if asked.write and not asked.without:
        save_file(network.learned(), UPDATES)
        record = {
            "seed": SEED,
            "steps": sum(stage.steps for stage in STAGES),
            "learned from": fingerprint(),
            "left out": told,
        }
        SETTLED.write_text(json.dumps({"weighing": weighing_of(weighed), **record}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
