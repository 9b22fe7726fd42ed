"""Syllables: of the best memories for a Korean question, how many of its pairs of adjacent syllables each holds.

Words are indexed by their first two syllables, which finds 가치관이 by 가치관 but cannot tell 국무총리 from
국무위원. So the first twenty are read, spaces left out (코드 리뷰 is 코드리뷰), and each pair counts by how few of the
twenty hold it: what all of them have tells none of them apart. Counted over the whole space instead, such pairs are
worth a third of it.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memoryapp.domain.plan import plan_number
from memoryapp.search.rank import best_slots
from memoryapp.search.state import Question, Scores

READ = 20
CONTEXT = 1.5  # times the share of the whole group in the keyword score of a Korean question (arms/keyword.py)
_CHARS = 20_000  # of a text that are read
_RUN = re.compile("[\uac00-\ud7a3]{2,}")


def syllables(question: Question, so_far: Scores) -> Scores | None:
    """Σ rarity of the pairs held / Σ rarity of those that any of the best `READ` holds, 0–1, (n,); None for a question
    without two Hangul syllables side by side, or whose pairs stand in none of the best."""
    asked = pairs_of(question.query.text)
    if not asked or weight_of(question) <= 0:
        return None
    slots = best_slots(np.where(question.mask, so_far, 0), READ, order=question.view.roster.order)
    covered = shares_of(asked, question.texts(slots))
    if not covered.any():
        return None
    found = np.zeros(question.view.n, dtype=np.float32)
    found[slots] = covered
    return found


def weight_of(question: Question) -> float:
    """What holding them all is worth beside a keyword score of 1; a plan may change it (`hybrid;syllables=0.2`)."""
    return plan_number("syllables", question.strategy.numbers)


def pairs_of(text: str) -> tuple[str, ...]:
    """Each pair of adjacent Hangul syllables once, in reading order, spaces left out."""
    return tuple(dict.fromkeys(run[at : at + 2] for run in _RUN.findall(_squeeze(text)) for at in range(len(run) - 1)))


def shares_of(asked: Sequence[str], texts: Sequence[str]) -> NDArray[np.float32]:
    """By text, which share of the pairs it holds, each weighed by its rarity among these texts, (len(texts),)."""
    read = [_squeeze(text) for text in texts]
    holds = np.array([[pair in text for pair in asked] for text in read], dtype=np.float64)
    holds = holds.reshape(len(read), len(asked))
    df = holds.sum(axis=0)
    rarity = np.array([math.log(1 + (len(read) - n + 0.5) / (n + 0.5)) if n else 0.0 for n in df.tolist()])
    whole = float(rarity.sum())
    share: NDArray[np.float32] = ((holds @ rarity) / whole if whole else np.zeros(len(read))).astype(np.float32)
    return share


def _squeeze(text: str) -> str:
    """Composed, so that syllables typed as letters are syllables; without spaces and line breaks."""
    return "".join(unicodedata.normalize("NFKC", text[:_CHARS]).split())
