"""The last two stages: what is added and multiplied to a score, and whether that was among the first.

A stage of a search as one memory went through it, and what is said of moments and lists in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memoryapp.domain.results import Hit
from memoryapp.domain.strategies import Fusion, Strategy
from memoryapp.search.printed import rounded_shares
from memoryapp.search.reranker import rerank_text as reread_told
from memoryapp.search.runs import Run
from memoryapp.text.wording import ordinal

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Step:
    """`stage`, in this order: "state" · "index" · "as_of" · "filter" (one each; `detail["filter"]` names it) ·
    "kinds" · "question" · "arm" (one each; `detail["arm"]`) · "fusion" · "cut". `passed` is None for a stage that
    decides nothing, or that it did not come to. `told`: a sentence or two; `detail`: the numbers behind them, JSON."""

    stage: str
    passed: bool | None
    told: str
    detail: dict[str, Any] = field(default_factory=dict)


def day(moment: datetime) -> str:
    """3 May 2026; days are those of UTC."""
    return f"{moment.day} {moment:%b %Y}"


def minute(moment: datetime) -> str:
    """3 May 2026, 14:05 UTC."""
    return f"{day(moment)}, {moment:%H:%M} UTC"


def join_words(names: Iterable[object], *, join: str = "and") -> str:
    """a, b and c; the first few of many, and how many more there are."""
    every = [str(name) for name in names]
    if len(every) > _NAMED + 1:
        every = [*every[:_NAMED], f"{len(every) - _NAMED} more"]
    return f" {join} ".join([", ".join(every[:-1]), every[-1]]) if len(every) > 1 else "".join(every)


def a(noun: str) -> str:
    """With its article: a note, an episode."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


_NOT_REACHED = "Not reached."


def fusion_step(run: Run, hit: Hit | None, slot: int) -> Step:
    """`detail`: "shares" by name, their "sum", "factors" and "score", exact: sum(shares) · Π factors == score."""
    plan = run.question.strategy
    if hit is None:
        return Step("fusion", False, _nothing_reason(run, slot), {"fusion": plan.fusion.value})
    shares = {name: arm.share for name, arm in hit.arms.items()}
    detail = {
        "fusion": plan.fusion.value,
        "shares": shares,
        "sum": sum(shares.values()),
        "factors": dict(hit.factors),
        "score": hit.score,
    }
    said = [_sum(hit, plan), reread_told(run.question, run.fused, slot)]
    return Step("fusion", True, " ".join(filter(None, said)), detail)


def _nothing_reason(run: Run, slot: int) -> str:
    faint = [arm.value for arm, found in run.arms.found.items() if found.scores[slot] > 0]
    if not faint:
        return "No arm handed it on, so there is nothing to add up."
    return f"What {' and '.join(faint)} gave it adds up to nothing: too late in the arm, or of weight 0."


def _sum(hit: Hit, plan: Strategy) -> str:
    """vector 0.41200 + keyword 0.30000 = 0.71200 × feedback 1.02000 = 0.72624. The printed parts add up."""
    told, total = rounded_shares(hit)
    parts = [name for name, arm in hit.arms.items() if arm.share]
    if plan.fusion == Fusion.RRF:
        sums = [f"{name} {_reciprocal(hit, plan, name)}{told[name]:.5f}" for name in parts]
        added = "; ".join(sums) + ("; together" if len(sums) > 1 else "")
        added = f"{added} {total:.5f}" if len(sums) > 1 else added
    else:
        added = " + ".join(f"{name} {told[name]:.5f}" for name in parts)
        added = f"{added} = {total:.5f}" if len(parts) > 1 else added
    times = [f"{name} {value:.5f}" for name, value in hit.factors.items() if value != 1]
    return f"{added} × {' × '.join(times)} = {hit.score:.5f}." if times else f"{added}."


def _reciprocal(hit: Hit, plan: Strategy, name: str) -> str:
    """1/(60 + 3) = , of an arm; "" of what no rank decides."""
    weight = next((plan.weight(arm) for arm in plan.arms if arm.value == name), None)
    return "" if weight is None else f"{weight:g}/({plan.k} + {hit.arms[name].rank}) = "


def cut_step(hit: Hit | None, rank: int | None, last: float | None, *, top_k: int) -> Step:
    """`last`: the score of the last result given, None where fewer than `top_k` were found."""
    if hit is None or rank is None:
        return Step("cut", None, _NOT_REACHED)
    detail = {"rank": rank, "top_k": top_k, "score": hit.score, "last": last}
    if rank <= top_k:
        return Step("cut", True, f"It is result {rank} of the {top_k} asked for.", detail)
    told = f"It came {ordinal(rank)}; the first {top_k} were asked for."
    if last is not None:
        detail["below"] = last - hit.score
        told += f" The last of them has {_margin_text(last, hit.score)}."
    return Step("cut", False, told, detail)


def _margin_text(last: float, score: float) -> str:
    """0.47300, 0.06000 more; of two that differ too little to be printed, it says so."""
    if last == score:
        return f"{last:.5f} as well, and of equals the smaller id comes first"
    return f"{last:.5f}, {last - score:.5f} more" if last - score >= 5e-6 else f"only {last - score:.1g} more"


def not_reached(plan: Strategy, *, arms: bool = True) -> list[Step]:
    """The stages after one that took the memory out."""
    each = [Step("arm", None, _NOT_REACHED, {"arm": arm.value}) for arm in plan.arms] if arms else []
    return [*each, Step("fusion", None, _NOT_REACHED), Step("cut", None, _NOT_REACHED)]
