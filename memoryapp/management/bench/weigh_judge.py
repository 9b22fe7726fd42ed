"""How the judge's number and the other signs of a pair become a probability, and the line from which on a person is
shown it: learned from pairs by hands that the judge has not seen, a topic at a time left out."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoryapp.detect.pipeline import judge, may_be_read
from memoryapp.detect.together import RESTATED, can_be_doubted, can_be_read, signs_of
from memoryapp.domain.statement import Relation, Statement
from memoryapp.encoders.zones import DEFAULT
from memoryapp.management.bench.fit_weights import MODEL, fit
from memoryapp.management.bench.pairs import Pair, cosines
from memoryapp.management.bench.vectors import RememberingEncoder

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
_SHOWN = frozenset({Relation.CONFLICT, Relation.SUCCESSION, Relation.POSSIBLE})
_FOLDS = 5
_ALARMS = 0.008  # share of the compatible pairs that the judge may show and no rule does
# Both from four sets by hands that knew nothing of the rules (480 pairs): with them precision rose from .89 to .96 and
# recall stayed. A rule's possible finding that is less probable than the first is dropped; the line is never lower than
# the second, since of what the judge showed below it a third was false.
_VETO = 0.75
_LOWEST = 0.86
_SHARES = (0.01, 0.03, 0.05)


@dataclass(frozen=True, slots=True)
class Weighed:
    """Pairs as numbers. `rows`: signs by `names`. `open`: the judge is asked. `by_rules`: shown without it; `sure`:
    shown whatever it says. `chances`: by a weighing learned without the pair's topic."""

    names: tuple[str, ...]
    rows: Floats
    logits: Floats
    clash: Flags
    groups: tuple[str, ...]
    open: Flags
    by_rules: Flags
    sure: Flags
    chances: Floats


def weigh(pairs: Sequence[Pair], logits: Floats) -> Weighed:
    encoder = RememberingEncoder(MODEL)
    near = cosines(pairs, encoder)
    encoder.save()
    rows, flags = [], []
    names: tuple[str, ...] = ()
    for pair, cosine, logit in zip(pairs, near, logits, strict=True):
        one, other = Statement(pair.one), Statement(pair.other)
        ruled = judge(one, other, cosine=cosine, zones=DEFAULT)
        readable = can_be_doubted if ruled.relation is Relation.POSSIBLE else can_be_read
        asked = cosine >= DEFAULT.near and may_be_read(ruled) and readable(one, other)
        by_rules = ruled.relation is Relation.POSSIBLE
        said = np.array([logit])
        found = signs_of(one, other, cosine, DEFAULT, by_rules=by_rules, reads=lambda _, said=said: said)  # type: ignore[misc]
        names = tuple(found)
        rows.append(list(found.values()))
        flags.append((pair.positive, asked, ruled.relation in _SHOWN, ruled.relation in _SHOWN and not by_rules))
    clash, asked, shown, sure = (np.array(column) for column in zip(*flags, strict=True))
    made, groups = np.array(rows), tuple(pair.group for pair in pairs)
    chances = _left_out(pairs, made, clash, asked)
    return Weighed(names, made, logits, clash, groups, asked, shown, sure, chances)


def weighing_of(weighed: Weighed) -> dict[str, Any]:
    """What `detect/together` reads: weights of the signs as they are, bias, line and veto."""
    asked = weighed.open
    fitted = fit(weighed.rows[asked], weighed.clash[asked], np.ones(int(asked.sum())))
    weights = fitted.weights / fitted.scales
    bias = fitted.bias - float(weights @ fitted.means)
    named = {name: round(weight, 5) for name, weight in zip(weighed.names, weights.tolist(), strict=True)}
    return {"weights": named, "bias": round(bias, 5), "line": line_of(weighed), "veto": _VETO}


def line_of(weighed: Weighed) -> float:
    """The lowest line from _LOWEST on at which the judge shows no more than _ALARMS of the compatible pairs."""
    for line in np.arange(_LOWEST, 0.99, 0.005):
        if _added(weighed, float(line))[~weighed.clash].mean() <= _ALARMS:
            return round(float(line), 3)
    return 0.99


def shown_of(weighed: Weighed, line: float) -> Flags:
    """What a person is shown by rules and judge together."""
    kept = weighed.by_rules & (~weighed.open | (weighed.chances >= _VETO))
    return kept | _added(weighed, line)


def _added(weighed: Weighed, line: float) -> Flags:
    """What the judge shows and no rule does."""
    restated = weighed.rows[:, weighed.names.index("cosine")] >= RESTATED
    added: Flags = weighed.open & ~weighed.by_rules & ~restated & (weighed.chances >= line)
    return added


def figures(weighed: Weighed) -> dict[str, Any]:
    """By set and of all: precision, recall and false alarms of the rules and of both together, and the recall of the
    judge alone and of both at given shares of false alarms."""
    shown = shown_of(weighed, line_of(weighed))
    told: dict[str, Any] = {}
    for name in (*dict.fromkeys(weighed.groups), "all"):
        of = np.array([group == name or name == "all" for group in weighed.groups])
        told[name] = {
            "pairs": int(of.sum()),
            "rules": _scores(weighed.by_rules[of], weighed.clash[of]),
            "together": _scores(shown[of], weighed.clash[of]),
            "judge alone, recall at": _curve(weighed.logits[of], weighed.clash[of]),
            "together, recall at": _curve(_ranked(weighed)[of], weighed.clash[of]),
        }
    return told


def _ranked(weighed: Weighed) -> Floats:
    """What stands without it first, then by probability, then what it is never asked about."""
    asked = weighed.open & ~weighed.sure
    ranked: Floats = np.where(asked, weighed.chances, np.where(weighed.by_rules, 2.0, -1.0))
    return ranked


def _left_out(pairs: Sequence[Pair], rows: Floats, clash: Flags, asked: Flags) -> Floats:
    fold = np.array([zlib.crc32((pair.topic or pair.one).encode()) % _FOLDS for pair in pairs])
    chances = np.zeros(len(pairs))
    for number in range(_FOLDS):
        rest = (fold != number) & asked
        chances[fold == number] = fit(rows[rest], clash[rest], np.ones(int(rest.sum()))).probabilities(
            rows[fold == number]
        )
    return chances


def _scores(shown: Flags, clash: Flags) -> dict[str, float]:
    right = int((shown & clash).sum())
    return {
        "precision": round(right / max(1, int(shown.sum())), 3),
        "recall": round(right / max(1, int(clash.sum())), 3),
        "false alarms": round(float(shown[~clash].mean()), 3),
    }


def _curve(values: Floats, clash: Flags) -> dict[str, float]:
    alarms = np.sort(values[~clash])[::-1]
    lines = {share: alarms[int(share * len(alarms))] for share in _SHARES}
    return {f"{share:.2f}": round(float((values[clash] > line).mean()), 3) for share, line in lines.items()}
