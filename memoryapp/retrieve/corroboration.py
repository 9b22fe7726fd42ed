"""Evidence adds up: a turn and the best fact that was learned from it are one piece of evidence, and stand where both
together reach; what else retells turns that can be found themselves counts half, so that it does not crowd them out.

    piece                          own sum of the turn + FACTS · own sum of its best fact
    other fact of a turn, episode  own sum · (1 − REPEATED)

The fact leads the piece, with its turn beneath, unless it matches much worse: then it is about something else that was
said in the same breath. Shares like all others: they are seen, and the score is their sum.
"""

from __future__ import annotations

import numpy as np

from memoryapp.domain.memory import Kind
from memoryapp.index.roster import KINDS
from memoryapp.retrieve.found import Question, Scores

FACTS = 0.4
REPEATED = 0.5
LEADS = 0.5  # of its turn's sum that a fact reaches to stand on top
_TURN, _EPISODE = KINDS.index(Kind.TURN), KINDS.index(Kind.EPISODE)


def corroborated(question: Question, sums: Scores) -> dict[str, Scores]:
    """Two shares by slot, (n,): `corroboration`, what its other half adds to the one of each pair that leads;
    `repetition`, what is taken from each that retells. `sums`: of the shares so far."""
    roster, mask = question.view.roster, question.mask
    added, taken = np.zeros(len(sums)), np.zeros(len(sums))
    if not (mask & (roster.kind == _TURN)).any():
        return {"corroboration": added, "repetition": taken}
    facts = np.flatnonzero(mask & (roster.turn >= 0) & (sums > 0))
    turns = roster.turn_slots[roster.turn[facts]]
    searched = (turns >= 0) & mask[turns]
    facts, turns = facts[searched], turns[searched]
    taken[facts] = -REPEATED * sums[facts]
    rising = np.argsort(sums[facts], kind="stable")
    best = np.full(len(sums), -1, dtype=np.intp)
    best[turns[rising]] = facts[rising]  # the last one written is the best
    turns = np.flatnonzero(best >= 0)
    facts = best[turns]
    leads = sums[facts] >= LEADS * sums[turns]
    taken[facts[leads]] = 0
    added[facts[leads]] = sums[turns[leads]] + (FACTS - 1) * sums[facts[leads]]
    added[turns[~leads]] = FACTS * sums[facts[~leads]]
    episodes = mask & (roster.kind == _EPISODE)
    taken[episodes] = -REPEATED * sums[episodes]
    return {"corroboration": added, "repetition": taken}
