"""What “Run all” offers: strategies and profiles to choose from, how many places count, and the job that runs now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memoryapp.domain.strategies import DEFAULT, STRATEGIES
from memoryapp.jobs.evaluation import K
from memoryapp.jobs.models import OPEN, Job
from memoryapp.lab import profiles_of
from memoryapp.store import golden
from memoryapp.web.access import Desk
from memoryapp.web.jobs import told
from memoryapp.web.profiles import plan_told


@dataclass(frozen=True, slots=True)
class Choice:
    """`told`: what it is, for those who do not know its name; `on`: it is ticked."""

    name: str
    told: str
    on: bool


def run_form_of(desk: Desk) -> dict[str, Any]:
    """Ticked is what was run last, else the default."""
    ran = golden.runs(desk.memory.db, limit=10)
    last = {run.plan for run in ran if (ran[0].at - run.at).total_seconds() < 3600} or {DEFAULT}
    strategies = [Choice(one.name, one.summary, one.name in last) for one in STRATEGIES.values()]
    profiles = [Choice(one.name, plan_told(one.plan), one.name in last) for one in profiles_of(desk.memory)]
    known = {choice.name for choice in (*strategies, *profiles)}
    others = [Choice(name, plan_told(name), True) for name in sorted(last - known) if ";" in name]
    return {
        "strategies": strategies,
        "profiles": [*profiles, *others],
        "k": ran[0].k if ran else K,
        "count": golden.count(desk.memory.db),
    }


def job_of(desk: Desk, key: str) -> dict[str, Any]:
    """{"job", "told"} of the one under way, else of the one the address names; empty where there is none."""
    mine = Job.objects.filter(space=desk.space.name, kind="golden")
    job = mine.filter(status__in=OPEN).order_by("created_at").first() or (mine.filter(pk=key).first() if key else None)
    return {} if job is None else {"job": job, "told": told(job, you=desk.actor.name)}
