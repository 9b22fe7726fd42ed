"""Runs of the golden queries over time: the list, and a chart for each measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput
from memoryapp.domain.golden import MEASURES, GoldenRun
from memoryapp.spaces import Space
from memoryapp.store import golden
from memoryapp.web import human
from memoryapp.web.chips import address
from memoryapp.web.golden_chart import charts_of, label, plotted
from memoryapp.web.golden_figures import values_of
from memoryapp.web.pager import Pager, place_after

PAGE = 25
_PLOTTED = 120  # runs looked at for the charts


@dataclass(frozen=True, slots=True)
class RunLine:
    """`figures`: (measure, value)."""

    run: GoldenRun
    figures: list[tuple[str, str]]


def runs_page_of(space: Space, asked: QueryDict) -> dict[str, Any]:
    """Raises BadInput."""
    plan, place = asked.get("plan", "").strip()[:300], place_after(asked.get("after", ""))
    before = as_utc(place[0]) if place else None
    recent = golden.runs(space.db, limit=_PLOTTED)
    found = golden.runs(space.db, plan=plan or None, limit=PAGE + 1, before=before)
    shown, more = found[:PAGE], len(found) > PAGE
    ks = sorted({run.k for run in recent})
    k = _k(asked.get("k", ""), ks, recent[0].k if recent else 10)
    drawn = [run for run in recent if run.k == k and (not plan or run.plan == plan)]
    last = f"{shown[-1].at.isoformat()}~{shown[-1].id}" if more else ""
    plans = list(dict.fromkeys(run.plan for run in recent))
    names = [label(name, k) if len(ks) < 2 else label(name, k).partition("@")[0] for name in MEASURES]
    return {
        "lines": [RunLine(run, list(zip(names, values_of(run.measures), strict=True))) for run in shown],
        "charts": charts_of(drawn),
        "drawn": list(enumerate(plotted(drawn), start=1)),
        "undrawn": max(len({run.plan for run in drawn}) - len(plotted(drawn)), 0),
        "ks": [(one, one == k) for one in ks],
        "k": k,
        "plans": plans,
        "plan": plan,
        "names": names,
        "pager": Pager(
            newer=address(asked) if place else "",
            older=address(asked, after=last) if more else "",
            shown=human.counted(len(shown), "run"),
            size=PAGE,
        ),
    }


def _k(text: str, ks: Sequence[int], last: int) -> int:
    if not text:
        return last
    if not (text.isascii() and text.isdigit()) or int(text[:6]) not in ks:
        raise BadInput(f"There is no run with k = {text[:20]}.", field="k")
    return int(text)
