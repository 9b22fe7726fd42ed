"""Third step: the arms of the strategy are run, each with what it may use."""

from __future__ import annotations

import numpy as np

from memoryapp.domain.strategies import Arm, Fusion
from memoryapp.retrieve.arms.graph import shared
from memoryapp.retrieve.arms.keyword import keyword
from memoryapp.retrieve.arms.recall import recall
from memoryapp.retrieve.arms.semantic import semantic
from memoryapp.retrieve.arms.structural import structural
from memoryapp.retrieve.arms.tree import tree
from memoryapp.retrieve.arms.vector import vector
from memoryapp.retrieve.found import Arms, Found, Question, Scores


def run_arms(question: Question) -> Arms:
    """What each arm of the strategy found, in the strategy's order; an arm that cannot run is left out.

    The keyword arm runs for every strategy: its terms are evidence wherever a memory was found. The graph of the
    fusions of scores and mass walks over the other arms' candidates and is run there.
    """
    words, account = keyword(question)
    cosines = _cosines(question)
    compared = question.vector is not None
    own = np.where(question.mask, cosines, np.float32(0))
    found: dict[Arm, Found] = {}
    for arm in question.strategy.arms:
        if arm == Arm.KEYWORD:
            found[arm] = words
        elif arm == Arm.VECTOR and compared:
            found[arm] = vector(question, cosines)
        elif arm == Arm.SEMANTIC and compared:
            found[arm] = semantic(question, own)
        elif arm == Arm.STRUCTURAL:
            found[arm] = structural(question, cosines)
        elif arm == Arm.TREE:
            found[arm] = tree(question)
        elif arm == Arm.RECALL:
            found[arm] = recall(question, own if compared else words.scores, cosines)
        elif arm == Arm.GRAPH and question.strategy.fusion not in (Fusion.SCORES, Fusion.MASS):
            found[arm] = shared(question, own if compared else words.scores)
    return Arms(found, account, own)


def _cosines(question: Question) -> Scores:
    """Of every memory with the query, (n,), negative ones 0; 0 everywhere without a vector or an arm that compares."""
    if question.vector is None:
        return np.zeros(question.view.n, dtype=np.float32)
    return np.maximum(question.view.vector(question.vector).cosines, 0)
