"""Evidence adds up: a turn is raised by the best fact that was learned from it, and what retells turns that can be
found themselves counts half, so that it does not crowd them out.

    turn:    + FACTS · the best sum among its facts
    fact learned from a turn, episode:   − RETOLD · its own sum

Shares like all others: they are seen, and the score is their sum.
"""

from __future__ import annotations

import numpy as np

from memoryapp.domain.memory import Kind
from memoryapp.index.roster import KINDS
from memoryapp.retrieve.found import Question, Scores

FACTS = 0.4
RETOLD = 0.5
_TURN, _EPISODE = KINDS.index(Kind.TURN), KINDS.index(Kind.EPISODE)


def retold(question: Question, sums: Scores) -> tuple[Scores, Scores]:
    """(what the facts of each turn add to it, what is taken from each that retells), by slot, (n,). `sums`: of the
    shares so far."""
    roster, mask = question.view.roster, question.mask
    added, taken = np.zeros(len(sums)), np.zeros(len(sums))
    if not (mask & (roster.kind == _TURN)).any():
        return added, taken
    facts = np.flatnonzero(mask & (roster.turn >= 0) & (sums > 0))
    turns = roster.turn_slots[roster.turn[facts]]
    found = (turns >= 0) & mask[turns]
    facts, turns = facts[found], turns[found]
    np.maximum.at(added, turns, FACTS * sums[facts])
    taken[facts] = -RETOLD * sums[facts]
    episodes = mask & (roster.kind == _EPISODE)
    taken[episodes] = -RETOLD * sums[episodes]
    return added, taken
