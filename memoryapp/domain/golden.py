"""Golden queries: questions of which somebody said what should be found, and how a plan did on all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memoryapp.domain.filters import Filters

MEASURES = ("recall", "mrr", "ndcg", "precision")  # each at a run's k, but for MRR


@dataclass(frozen=True, slots=True)
class Profile:
    """A plan that was given a name: from then on a strategy of the space. `plan`: its text, on a strategy's name.
    `name`: lower-case letters, digits and hyphens, and no strategy's."""

    name: str
    plan: str
    note: str
    by: str
    created_at: datetime
    updated_at: datetime
    version: int = 1


@dataclass(frozen=True, slots=True)
class Golden:
    """A question, the filters it is asked with, and the ids of the memories that should be found."""

    id: str
    query: str
    relevant: tuple[str, ...]
    note: str
    by: str
    created_at: datetime
    updated_at: datetime
    filters: Filters = field(default_factory=Filters)
    version: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """One golden query in a run. `ranks`: of each relevant memory, from 1; None where it was not within the first
    places that were looked at. `measures` as those of the run."""

    golden: str
    query: str
    ranks: Mapping[str, int | None]
    measures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class GoldenRun:
    """All golden queries asked by one plan. `measures`: means over the queries, by name (MEASURES). `conditions`: what
    the figures stand under, so that two runs can be told apart: "encoder", "memories" (how many were searchable),
    "digests", "numbers" {name: value} and "strategy" {weights, k, factors}; also "left_out" (ids of golden
    queries of which nothing is left to find) and "notes" {sentence: how many answers bore it}."""

    id: str
    at: datetime
    by: str
    plan: str
    k: int
    measures: Mapping[str, float]
    outcomes: tuple[Outcome, ...]
    conditions: Mapping[str, Any]
    took_ms: float = 0.0
