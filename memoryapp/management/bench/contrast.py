"""Contrast sets, from which the judge of pairs learns: facts, each with what cannot hold beside it and with what can
although it looks alike. In: a file of lines {"set", "part", "fact", "clash", "fine", "topic"}. Out: pairs."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memoryapp.management.bench.pairs import OWN, OWN_LEARNED, Pair, own_pairs, unseen_pairs

CONTRAST = Path(__file__).parent / "contrast.jsonl"
_BY_CHANCE = 0.1  # so many pairs that only chance put side by side, for each that was written
_HALF = 0.5  # their weight: now and then two of them do clash
Told = tuple[str, str, float, float]  # two texts, 1 where they clash, weight


@dataclass(frozen=True, slots=True)
class Part:
    """The pairs of one file of contrast sets. `number`: the file's, in the order in which its hand wrote them."""

    hand: str
    number: int
    pairs: tuple[Pair, ...]


def contrast_parts(path: Path = CONTRAST) -> list[Part]:
    """By hand and number. Raises ValueError, KeyError for other lines."""
    found: dict[tuple[str, int], list[Pair]] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            held = found.setdefault((row["set"], row["part"]), [])
            for kind, clash in (("clash", True), ("fine", False)):
                held += [Pair(row["fact"], said, clash, row["set"], kind, row["topic"]) for said in row[kind]]
    return [Part(hand, number, tuple(pairs)) for (hand, number), pairs in found.items()]


def to_learn_from(upto: int, *, own: int, left_out: str = "") -> list[Pair]:
    """The project's plain pairs, `own` times, and the contrast sets to part `upto`; never those of `unseen.jsonl`.
    `left_out`: a hand of the contrast sets to learn nothing from."""
    parts = contrast_parts() if upto else []
    plain = sorted(own_pairs(), key=lambda pair: pair.group.startswith("blind"))
    return plain * own + [
        pair for part in parts if part.number <= upto and part.hand != left_out for pair in part.pairs
    ]


def never_learned() -> list[Pair]:
    """The pairs by fifteen hands from which nothing is learned; without the five that another set holds, too."""
    learned = {frozenset((pair.one, pair.other)) for pair in own_pairs()}
    return [pair for pair in unseen_pairs() if frozenset((pair.one, pair.other)) not in learned]


def items_of(pairs: Sequence[Pair], chance: random.Random) -> list[Told]:
    """The pairs, and some that only chance put side by side, in an order of chance."""
    items = [(pair.one, pair.other, float(pair.positive), 1.0) for pair in pairs]
    items.extend(_by_chance(pairs, chance))
    chance.shuffle(items)
    return items


def fingerprint() -> str:
    """SHA-256 (hex) of the files that the network learns from, for the record beside its weights.

    `unseen.jsonl` is no part of it: nothing is learned from those pairs, and they may be added to at any time.
    """
    learned = b"".join(path.read_bytes() for path in (OWN, OWN_LEARNED, CONTRAST))
    return hashlib.sha256(learned).hexdigest()


def _by_chance(pairs: Sequence[Pair], chance: random.Random) -> Iterator[Told]:
    for _ in range(int(len(pairs) * _BY_CHANCE)):
        one, other = chance.choice(pairs), chance.choice(pairs)
        if one is other or (one.topic and one.topic == other.topic):
            continue
        yield chance.choice([one.one, one.other]), chance.choice([other.one, other.other]), 0.0, _HALF
