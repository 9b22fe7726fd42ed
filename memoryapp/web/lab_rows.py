"""All results of a column as bare numbers, from which static/js/lab-rank.js ranks anew while a dial moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.utils.html import json_script
from django.utils.safestring import SafeString

from memoryapp.domain.limits import Tuning
from memoryapp.domain.results import Hit
from memoryapp.domain.strategies import Factor, Fusion, Strategy
from memoryapp.domain.strength import strength_factor
from memoryapp.web import wording
from memoryapp.web.hits import formula
from memoryapp.web.templatetags.parts import ARM_HUES

_TITLE = 50  # characters of a result that is not shown yet
_ORDER = list(ARM_HUES)
_DIGITS = 7  # enough to rank by; the server's own answer follows


def rows_of(hits: Sequence[Hit], strategy: Strategy, tuning: Tuning) -> dict[str, Any]:
    """{fusion, k, weights {arm: w}, numbers, factors [those that are on], known [all factors], parts [names of the
    shares], hues and order of the parts in the share bar, raw: what a single arm's score is called,
    rows [[id, [share of each part], [rank of each arm, 0 without one], [each of the known factors]]]}."""
    parts = list(dict.fromkeys(name for hit in hits for name in hit.arms))
    return {
        "fusion": strategy.fusion.value,
        "k": strategy.k,
        "weights": {arm.value: strategy.weight(arm) for arm in strategy.arms},
        "numbers": {
            name: strategy.numbers.get(name, getattr(tuning, name)) for name in ("speaker_boost", "date_weight")
        },
        "factors": [factor.value for factor in strategy.factors],
        "known": [factor.value for factor in Factor],
        "parts": parts,
        "hues": [ARM_HUES.get(name, 6) for name in parts],
        "order": [_ORDER.index(name) if name in _ORDER else 99 for name in parts],
        "raw": formula(hits[0], strategy).partition(" =")[0] if hits and strategy.fusion == Fusion.SINGLE else "",
        "rows": [_row(hit, parts, strategy) for hit in hits],
    }


def titles_of(hits: Sequence[Hit]) -> dict[str, list[str]]:
    """{id: [its first words, their language, the parent space it comes from]}: what a result shows that rises into
    sight."""
    told = {}
    for hit in hits:
        line = wording.excerpt(hit.memory.title.strip() or hit.memory.text, limit=_TITLE)
        told[hit.memory.id] = [line, wording.language(line), hit.inherited_from or ""]
    return told


def carried(told: Any, name: str = "") -> SafeString:
    """JSON that stands in the page without a blank too many: it is a good part of its weight."""
    return json_script(told, name or None, encoder=_Dense)


class _Dense(DjangoJSONEncoder):
    def __init__(self, **given: Any) -> None:
        super().__init__(**{**given, "separators": (",", ":")})


def _row(hit: Hit, parts: Sequence[str], strategy: Strategy) -> list[Any]:
    found = [hit.arms.get(name) for name in parts]
    ranks = [one.rank or 0 if one else 0 for one in found] if strategy.fusion == Fusion.RRF else []
    # What they would be if they were switched on.
    off = {Factor.TRUST: hit.trust, Factor.STRENGTH: strength_factor(hit.strength)}
    factors = [_short(hit.factors.get(one.value, off.get(one, 1.0)), 5) for one in Factor]
    return [hit.memory.id, [_short(one.share) if one else 0 for one in found], ranks, factors]


def _short(value: float, digits: int = _DIGITS) -> float | int:
    told = float(f"{value:.{digits}g}")
    return int(told) if told == int(told) else told
