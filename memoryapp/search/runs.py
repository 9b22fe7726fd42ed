"""One search with all it was decided by kept, in a space and in those it reads along in: what explanations read off.

It takes the steps of `search` themselves, so that both agree; nothing is taken from the recall layer or put there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from memoryapp.domain.plan import with_numbers
from memoryapp.domain.results import Hit, Query
from memoryapp.domain.strategies import STRATEGIES, Strategy
from memoryapp.search.arms.run import run_arms
from memoryapp.search.fusion import fuse
from memoryapp.search.hits import collect
from memoryapp.search.plans import tuned_strategy
from memoryapp.search.query import check, understand
from memoryapp.search.reranker import reread, reweigh_reread
from memoryapp.search.state import Arms, FusionResult, Question
from memoryapp.spaces import Space


@dataclass(frozen=True, slots=True)
class Run:
    """`plan`: as it was asked for; `question.strategy` is what is left of it where the query has no vector. `hits`: the
    first top_k of this space alone."""

    space: Space
    plan: Strategy
    question: Question
    arms: Arms
    fused: FusionResult
    hits: tuple[Hit, ...]


def runs(space: Space, query: Query, plan: Strategy) -> list[Run]:
    """Of the space, then of its parent, and so on. `plan`: the query's strategy, with the space's numbers put in."""
    asked = check(query, strategy=plan)
    done = [_run(space, asked, plan)]
    return done if space.parent is None else [*done, *runs(space.parent, asked, _of_parent(space.parent, asked, plan))]


def reweigh_run(run: Run, plan: Strategy, *, collected: bool = True) -> Run:
    """The same run joined by other weights, factors and numbers of the fusion; the arms are not run again. Where only
    the shares are of interest it need not be `collected`, and has no hits."""
    question = run.question
    strategy = replace(question.strategy, weights=plan.weights, k=plan.k, factors=plan.factors, numbers=plan.numbers)
    tuning = with_numbers(run.space.tuning, plan.numbers)
    arms = Arms(dict(run.arms.found), run.arms.words, run.arms.cosines)  # a fusion adds its own walk to them
    again = reweigh_reread(question.reread, plan.numbers)
    question = replace(question, strategy=strategy, tuning=tuning, reread=again)
    return _finish_run(run.space, plan, question, arms, collected=collected)


def first(done: Sequence[Run]) -> list[tuple[int, Hit]]:
    """(which run, its hit), the best first: what `search` gives."""
    every = [(n, hit) for n, run in enumerate(done) for hit in run.hits]
    every.sort(key=lambda one: (-one[1].score, one[1].memory.id))
    return every[: done[0].question.query.top_k]


def rank_of(done: Sequence[Run], at: int, slot: int) -> int:
    """The place of a memory of run `at` among all that have a score, in whichever space they live; from 1."""
    key = done[at].question.view.roster.ids[slot]
    top = first(done)
    for rank, (n, hit) in enumerate(top, start=1):
        if n == at and hit.memory.id == key:
            return rank
    own = done[at].fused.total[slot]
    ahead = sum(int(np.count_nonzero(run.fused.total > own)) for run in done)
    order = done[at].question.view.roster.order
    ahead += int(np.count_nonzero((done[at].fused.total == own) & (order < order[slot])))
    # Scores are compared as they are told, to 12 decimals: what dust parts may not move it among those that were given.
    return max(ahead, len(top)) + 1


def _run(space: Space, asked: Query, plan: Strategy) -> Run:
    space.index.refresh()
    question = understand(space, asked, view=space.index.view(), strategy=plan)
    return _finish_run(space, plan, question, run_arms(question))


def _finish_run(space: Space, plan: Strategy, question: Question, arms: Arms, *, collected: bool = True) -> Run:
    fused = reread(question, fuse(question, arms, encoder=space.encoder.name))
    return Run(space, plan, question, arms, fused, collect(space, question, arms, fused) if collected else ())


def _of_parent(parent: Space, asked: Query, plan: Strategy) -> Strategy:
    """A strategy takes each space's own numbers; a profile, or a plan with changes, is taken along as it is."""
    return tuned_strategy(STRATEGIES[asked.strategy], parent.tuning) if asked.strategy in STRATEGIES else plan
