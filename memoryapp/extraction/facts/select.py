"""Which candidates are worth keeping, read by a packaged cross-encoder.

It reads each candidate beside the words it was learned from (`selector/`, taught by training/facts.py): whether
somebody who was not there understands it alone, and would want to know it in a month. It was taught in English; Korean
candidates, of which the rules make few, all stay, and so do names.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from memoryapp.domain.errors import EncoderError
from memoryapp.domain.fact import Extraction, PassedOver
from memoryapp.extraction.facts.hangul import is_korean
from memoryapp.inference.reranking.cross_encoder import PackedCrossEncoder, load_cross_encoder

SELECTOR = Path(__file__).with_name("selector")
LINE = 0.65  # probability of being good from which a candidate is kept; of unseen hands three quarters of those are
_NAME = re.compile(r"\bname is\b")  # doors look up what a person is called, so a stated name is kept as it is
REASON = "hardly understood alone, or soon of no use ({likely:.0%} likely to be worth keeping)"

logger = logging.getLogger(__name__)


def select_candidates(read: Sequence[Extraction], *, line: float = LINE) -> list[Extraction]:
    """Without candidates that are less likely than `line` to be good; those are told as passed over. All are kept
    where the model is not there."""
    candidates = [one for extracted in read for one in extracted.candidates if _is_judged(one.text)]
    model = _model()
    if model is None or not candidates:
        return list(read)
    logits = model.logits([(one.text, one.quote) for one in candidates])[:, 0]
    likely = dict(zip(map(id, candidates), (1 / (1 + np.exp(-logits))).tolist(), strict=True))
    return [_keep_likely(extracted, likely, line) for extracted in read]


def _is_judged(text: str) -> bool:
    return not is_korean(text) and not _NAME.search(text)


def _keep_likely(extracted: Extraction, likely: dict[int, float], line: float) -> Extraction:
    kept = tuple(one for one in extracted.candidates if likely.get(id(one), 1.0) >= line)
    poor = [one for one in extracted.candidates if likely.get(id(one), 1.0) < line]
    passed = [PassedOver(one.quote, REASON.format(likely=likely[id(one)])) for one in poor]
    return replace(extracted, candidates=kept, passed_over=(*extracted.passed_over, *passed))


@cache
def _model() -> PackedCrossEncoder | None:
    try:
        return load_cross_encoder(SELECTOR)
    except EncoderError as error:
        logger.warning("facts are not selected: %s", error.detail)
        return None
