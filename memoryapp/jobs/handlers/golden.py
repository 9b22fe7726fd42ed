"""The job of the golden queries: each is asked by each plan, and every plan's run is kept."""

from __future__ import annotations

from typing import Any

from memoryapp import lab
from memoryapp.accounts.spaces import open_space
from memoryapp.domain.golden import GoldenRun
from memoryapp.jobs.models import Job
from memoryapp.jobs.narration import clear_old
from memoryapp.jobs.progress import JobProgress
from memoryapp.jobs.requests import golden_missing_reason
from memoryapp.spaces import Space


def run_golden(job: Job, progress: JobProgress) -> dict[str, Any]:
    """`arguments`: {"plans", "k", "again"?}. `runs` of the report: of each plan the run that was kept, its means, and
    against the run before it whether it got worse and what had changed; `skipped`: why nothing was asked `again`.
    Raises BadInput, ModelLoading, Cancelled; nothing is kept then."""
    clear_old("golden", job.space)
    space = open_space(job.space)
    plans, k = list(job.arguments["plans"]), int(job.arguments["k"])
    if job.arguments.get("again") and (why := golden_missing_reason(space)):
        return {"queries": 0, "plans": plans, "k": k, "runs": [], "skipped": why}
    runs = lab.evaluate(space, plans, k=k, actor=job.actor, progress=progress)
    shown = [_run_report(space, one) for one in runs]
    worse = [f"{one['plan']} got worse{_changes_text(one['changed'])}." for one in shown if one["worse"]]
    return {
        "queries": max(len(one.outcomes) for one in runs),
        "left_out": max(len(one.conditions["left_out"]) for one in runs),
        "plans": [one.plan for one in runs],
        "k": k,
        "runs": shown,
        "problem": " ".join(worse),
    }


def _run_report(space: Space, run: GoldenRun) -> dict[str, Any]:
    change = lab.change_since(space, run)
    return {
        "id": run.id,
        "plan": run.plan,
        "measures": dict(run.measures),
        "worse": change is not None and change.worse,
        "changed": list(change.conditions) if change is not None else [],
        "deltas": dict(change.deltas) if change is not None else {},
    }


def _changes_text(changed: list[str]) -> str:
    return f" ({', '.join(changed)})" if changed else ""
