"""Learns the weights of the detectors' last stage from the project's own pairs, and says how well they do on pairs
they were not learned from.

Run: python -m memoryapp.management.bench.fit_weights [--write]. The same pairs give the same weights.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memoryapp.detect.pipeline import by_rules
from memoryapp.detect.reading import read
from memoryapp.detect.signs import signs
from memoryapp.detect.weighed import FURTHEST, TOLD, WEIGHTS, outright, tangible, weighable
from memoryapp.domain.statement import Relation, Statement
from memoryapp.encoders import Encoder
from memoryapp.encoders.zones import DEFAULT
from memoryapp.management.bench.pairs import Pair, own_pairs
from memoryapp.management.bench.vectors import RememberingEncoder

Floats = NDArray[np.float64]
MODEL = "all-MiniLM-L6-v2"
SEED = 1
_FOLDS = (  # sets by one hand are left out together; “near”, nearly all look-alikes, is measured and not learned
    ("people",), ("teams",), ("affairs",), ("household",), ("first", "second", "third"), ("fourth", "fifth"),
    ("sixth",), ("seventh",), ("eighth",), ("talk",), ("twelfth",), ("thirteenth",), ("fourteenth",), ("fifteenth",),
    ("sixteenth", "seventeenth"),
    ("assistant",),
)  # fmt: skip
_BY_TOPIC = "assistant"  # the largest set: left out by the fifth of its topics, not as a whole
_TOPICS = 5
_RIDGE = 25.0  # of the squared weights
_CHANCE = 1.0  # weight of a pair that only chance put side by side
_PER_SET = 250  # of those, at most
_ALARMS = 0.005  # share of the compatible pairs that the line may let through, of pairs left out of the learning
_SETTLED = frozenset({Relation.CONFLICT, Relation.SUCCESSION, Relation.POSSIBLE, Relation.SAME})
_SHOWN = _SETTLED - {Relation.SAME}


@dataclass(frozen=True, slots=True)
class Sample:
    """Pairs as numbers: `rows` of signs, whether each is a contradiction, its fold, its weight, and whether it was
    written as a pair. `reached`: the rules leave it open, it can be weighed, and lies in the check zone. `told`: the
    two are told to exclude each other, so that the line is not asked. `shown`: the rules show it."""

    names: tuple[str, ...]
    rows: Floats
    clash: NDArray[np.bool_]
    fold: NDArray[np.int64]
    weight: Floats
    written: NDArray[np.bool_]
    reached: NDArray[np.bool_]
    told: NDArray[np.bool_]
    shown: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Fitted:
    means: Floats
    scales: Floats
    weights: Floats
    bias: float

    def probabilities(self, rows: Floats) -> Floats:
        return _logistic((rows - self.means) / self.scales @ self.weights + self.bias)


def sample(encoder: Encoder) -> Sample:
    """The pairs of every set, and from each set pairs of sentences that were not written to clash."""
    pairs = [pair for pair in own_pairs() if pair.group.partition(" ")[2] in _fold_of()]
    written = [(pair, True) for pair in pairs] + [(pair, False) for pair in _by_chance(pairs, encoder)]
    vectors = _vectors(encoder, [text for pair, _ in written for text in (pair.one, pair.other)])
    rows, flags = [], []
    names: tuple[str, ...] = ()
    for pair, own in written:
        cosine = float(vectors[pair.one] @ vectors[pair.other])
        one, other = Statement(pair.one), Statement(pair.other)
        relation = by_rules(one, other, cosine, DEFAULT).relation
        if not own and relation in _SETTLED:
            continue
        readings = read(pair.one), read(pair.other)
        found = signs(*readings, cosine)
        names = names or tuple(found)
        rows.append(list(found.values()))
        told = outright(found)
        open_ = relation not in _SETTLED and weighable(one, other, told=told) and tangible(*readings, found)
        reached = open_ and not told and cosine >= DEFAULT.near
        fold = _fold(pair, own)
        flags.append(
            (
                pair.positive,
                fold,
                1.0 if own else _CHANCE,
                own,
                reached,
                open_ and told and cosine >= FURTHEST,
                relation in _SHOWN,
            )
        )
    columns = [np.array(column) for column in zip(*flags, strict=True)]
    return Sample(names, np.array(rows), *columns)


def fit(rows: Floats, clash: NDArray[np.bool_], weight: Floats) -> Fitted:
    """Ridge logistic regression by Newton's steps on standardised signs (Hastie et al., Elements of Statistical
    Learning, 4.4.1). rows: (n, signs)."""
    means, scales = rows.mean(axis=0), rows.std(axis=0)
    scales[scales == 0] = 1.0
    x = np.c_[(rows - means) / scales, np.ones(len(rows))]
    ridge = np.full(x.shape[1], _RIDGE)
    ridge[-1] = 0.0
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = _logistic(x @ w)
        slope = x.T @ (weight * (p - clash)) + ridge * w
        bend = (x * (weight * p * (1 - p))[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        w -= step
        if np.abs(step).max() < 1e-9:
            break
    return Fitted(means, scales, w[:-1], float(w[-1]))


def left_out(data: Sample) -> Floats:
    """The probability of each pair by weights learned without its fold."""
    chances = np.zeros(len(data.rows))
    for fold in np.unique(data.fold):
        rest = data.fold != fold
        chances[~rest] = fit(data.rows[rest], data.clash[rest], data.weight[rest]).probabilities(data.rows[~rest])
    return chances


def line_of(data: Sample, chances: Floats) -> float:
    """The lowest line at which no more than _ALARMS of the compatible pairs are let through."""
    compatible = data.written & ~data.clash
    alarms = np.sort(chances[compatible & data.reached])[::-1]
    most = int(_ALARMS * compatible.sum())
    return float(np.ceil(alarms[most] * 1000) / 1000) if most < len(alarms) else 0.5


def shown_of(data: Sample, chances: Floats, line: float) -> NDArray[np.bool_]:
    """What a person is shown, by rules and weights."""
    return data.shown | (data.reached & (chances >= line)) | (data.told & (chances >= TOLD))


def report(data: Sample, chances: Floats, line: float) -> list[str]:
    """Of what a person is shown, rules and weights together: a line for each fold, and one of all."""
    shown = shown_of(data, chances, line)
    told = []
    for fold, sets in [*enumerate(_FOLDS), (-1, ("all",))]:
        of = data.written & ((np.minimum(data.fold, len(_FOLDS) - 1) == fold) | (fold == -1))
        clash, other = of & data.clash, of & ~data.clash
        told.append(
            f"{', '.join(sets):22} precision {shown[clash].sum() / max(1, shown[of].sum()):.3f} "
            f"recall {shown[clash].mean():.3f} (rules {data.shown[clash].mean():.3f}) "
            f"false alarms {shown[other].mean():.3f} (rules {data.shown[other].mean():.3f})"
        )
    chance = ~data.written
    told.append(f"pairs by chance        flagged {shown[chance].mean():.4f}")
    return told


def _by_chance(pairs: Sequence[Pair], encoder: Encoder) -> list[Pair]:
    """Pairs of sentences of one set, from the check zone on, that were written neither as a pair nor of one topic."""
    rng = np.random.default_rng(SEED)
    found: list[Pair] = []
    for group in dict.fromkeys(pair.group for pair in pairs):
        own = [pair for pair in pairs if pair.group == group]
        texts = [text for pair in own for text in (pair.one, pair.other)]
        vectors = _vectors(encoder, texts)
        rows = np.stack([vectors[text] for text in texts])
        near = [
            (i, j)
            for i, j in np.argwhere(np.triu(rows @ rows.T >= DEFAULT.near, 1))
            if _apart(own[i // 2], own[j // 2])
        ]
        chosen = rng.permutation(len(near))[:_PER_SET]
        found.extend(Pair(texts[near[n][0]], texts[near[n][1]], False, group) for n in chosen)
    return found


def _apart(one: Pair, other: Pair) -> bool:
    """Two pairs of one topic may clash with each other: the user of the one is not that of the other."""
    return one is not other and not (one.topic and one.topic == other.topic)


def _vectors(encoder: Encoder, texts: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    distinct = list(dict.fromkeys(texts))
    return dict(zip(distinct, encoder.encode_documents(distinct), strict=True))


def _fold_of() -> dict[str, int]:
    return {name: fold for fold, names in enumerate(_FOLDS) for name in names}


def _fold(pair: Pair, own: bool) -> int:
    """Of a set, or of some topics of the largest one; what chance put side by side is left out with the first
    of them."""
    name = pair.group.partition(" ")[2]
    fold = _fold_of()[name]
    return fold + (zlib.crc32(pair.topic.encode()) % _TOPICS if name == _BY_TOPIC and own else 0)


def _logistic(values: Floats) -> Floats:
    result: Floats = 1 / (1 + np.exp(-np.clip(values, -30, 30)))
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {WEIGHTS.name}")
    write = parser.parse_args().write
    encoder = RememberingEncoder(MODEL)
    data = sample(encoder)
    encoder.save()
    chances = left_out(data)
    line = line_of(data, chances)
    print("\n".join(report(data, chances, line)))
    fitted = fit(data.rows, data.clash, data.weight)
    held = {
        "line": round(line, 3),
        "bias": round(fitted.bias, 5),
        "signs": {
            name: {"weight": round(weight, 5), "mean": round(mean, 5), "scale": round(scale, 5)}
            for name, weight, mean, scale in zip(
                data.names, fitted.weights.tolist(), fitted.means.tolist(), fitted.scales.tolist(), strict=True
            )
        },
    }
    if write:
        WEIGHTS.write_text(json.dumps(held, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
