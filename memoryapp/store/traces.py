"""Traces of a space: what agents asked and were given, the last MOST calls of KEPT_FOR. A log, not a belief: it has no
revisions and goes into no backup and no export."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from memoryapp.domain.errors import NotFound
from memoryapp.domain.redaction import quotes
from memoryapp.domain.trace import KEPT_FOR, MOST, Act, Asker, Given, Result, Trace
from memoryapp.store import rows
from memoryapp.store.database import Database

# Written a moment after the call: what was purged by then must not leave a trace by that, be it given or quoted.
_KEEP = """{
    LET $purged = (SELECT VALUE at FROM purged ORDER BY at DESC LIMIT 1)[0];
    INSERT INTO trace $rows.filter(|$one| $purged = NONE OR $one.at > $purged)
        ON DUPLICATE KEY UPDATE at = $input.at RETURN NONE;
}"""
_TRIM = """
DELETE trace WHERE at < $oldest RETURN NONE;
DELETE (SELECT VALUE id FROM trace ORDER BY at DESC START $most) RETURN NONE
"""
_WHERE = """at >= $since AND ($until = NONE OR at < $until) AND ($roles = NONE OR role IN $roles)
    AND ($agent = NONE OR agent = $agent) AND ($key = NONE OR key = $key) AND ($act = NONE OR act = $act)
    AND ($result = NONE OR result = $result) AND ($asked = NONE OR asked = $asked)
    AND ($memory = NONE OR given.*.memory CONTAINS $memory)"""


@dataclass(frozen=True, slots=True)
class TraceFilter:
    """Which traces: `roles` of the askers that may be seen, None for all; `key`: how it begins; `asked`: the id of a
    question; `memory`: one that was given; `until` is exclusive."""

    roles: tuple[str, ...] | None = None
    agent: str | None = None
    key: str | None = None
    act: Act | None = None
    result: Result | None = None
    asked: str | None = None
    memory: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    def variables(self, now: datetime) -> dict[str, Any]:
        oldest = now - KEPT_FOR
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return found | {
            "roles": list(self.roles) if self.roles is not None else None,
            "act": self.act.value if self.act else None,
            "result": self.result.value if self.result else None,
            "since": max(self.since or oldest, oldest),
        }


@dataclass(frozen=True, slots=True)
class Sums:
    """`by_result` counts the calls; `ms` and `tokens` are medians of a call, 0 without one."""

    calls: int
    by_result: dict[Result, int]
    ms: float
    tokens: int


@dataclass(frozen=True, slots=True)
class AgentSums:
    agent: str
    calls: int
    unanswered: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that found nothing clear when it was last asked. `times`: how often it was asked in vain; `by`: who
    asked last; `trace`: the last one."""

    id: str
    text: str
    times: int
    by: str
    last_at: datetime
    trace: str


def keep(db: Database, traces: Iterable[Trace]) -> None:
    """Writes those that were asked since the last purge."""
    db.query(_KEEP, logs=True, rows=[trace_row(one) for one in traces])


def trim(db: Database, *, now: datetime, most: int = MOST) -> None:
    """Deletes what is older than KEPT_FOR, and the oldest beyond `most`."""
    db.query(_TRIM, logs=True, oldest=now - KEPT_FOR, most=most)


def page(
    db: Database, wanted: TraceFilter, *, now: datetime, before: tuple[datetime, str] | None = None, limit: int
) -> tuple[Trace, ...]:
    """The newest first, those before (at, id)."""
    found = db.query(
        f"""SELECT * FROM trace WHERE {_WHERE}
            AND ($before = NONE OR at < $before OR (at = $before AND id < $key_before))
        ORDER BY at DESC, id DESC LIMIT $limit TIMEOUT 10s""",
        before=before[0] if before else None,
        key_before=rows.record("trace", before[1]) if before else None,
        limit=limit,
        **wanted.variables(now),
    )[0]
    return tuple(map(trace_from, found))


def get(db: Database, key: str, *, roles: Collection[str] | None = None) -> Trace:
    """Raises NotFound, also where the asker had none of these roles."""
    found = db.query("SELECT * FROM $key TIMEOUT 5s", key=rows.record("trace", key))[0]
    if not found or (roles is not None and found[0]["role"] not in roles):
        raise _missing_trace(key)
    return trace_from(found[0])


def delete(db: Database, key: str) -> None:
    """For good. Raises NotFound."""
    if not db.query("DELETE $key RETURN BEFORE", key=rows.record("trace", key))[0]:
        raise _missing_trace(key)


def sums(db: Database, wanted: TraceFilter, *, now: datetime) -> Sums:
    """What all of them come to."""
    groups, (whole,) = db.query(
        f"""SELECT result, count() AS n FROM trace WHERE {_WHERE} GROUP BY result TIMEOUT 10s;
        SELECT math::median(ms) AS ms, math::median(tokens) AS tokens FROM trace WHERE {_WHERE}
            GROUP ALL TIMEOUT 10s""",
        **wanted.variables(now),
    )
    counted = {Result(row["result"]): int(row["n"]) for row in groups}
    calls = sum(counted.values())
    return Sums(calls, counted, float(whole["ms"]) if calls else 0.0, round(float(whole["tokens"])) if calls else 0)


def agents(db: Database, wanted: TraceFilter, *, now: datetime) -> tuple[AgentSums, ...]:
    """A line an agent, the one that asked last first."""
    found = db.query(
        f"""SELECT agent, count() AS calls, math::sum(IF result = 'answered' {{ 0 }} ELSE {{ 1 }}) AS unanswered,
        time::max(at) AS last_at FROM trace WHERE {_WHERE} GROUP BY agent TIMEOUT 10s""",
        **wanted.variables(now),
    )[0]
    lines = [
        AgentSums(row["agent"], int(row["calls"]), int(row["unanswered"]), rows.instant(row["last_at"]))
        for row in found
    ]
    return tuple(sorted(lines, key=lambda one: one.last_at, reverse=True))


def keys(db: Database, *, now: datetime) -> frozenset[str]:
    """How the keys begin that something was asked with."""
    found = db.query("SELECT key FROM trace WHERE at >= $since GROUP BY key TIMEOUT 10s", since=now - KEPT_FOR)[0]
    return frozenset(row["key"] for row in found)


def open_questions(
    db: Database, *, now: datetime, roles: Collection[str] | None = None, limit: int = 200
) -> list[OpenQuestion]:
    """What was asked and found nothing clear, until it was asked again and did; the one asked last first."""
    found = db.query(
        """LET $open = array::distinct(SELECT VALUE asked FROM trace
            WHERE at >= $since AND of_all AND result IN $vain AND ($roles = NONE OR role IN $roles));
        SELECT id, at, asked, question, agent, result FROM trace
            WHERE at >= $since AND of_all AND asked IN $open AND ($roles = NONE OR role IN $roles)
            ORDER BY at DESC TIMEOUT 10s""",
        since=now - KEPT_FOR,
        vain=list(_IN_VAIN),
        roles=list(roles) if roles is not None else None,
    )[1]
    last: dict[str, rows.Row] = {}
    times: dict[str, int] = {}
    for row in found:
        last.setdefault(row["asked"], row)
        times[row["asked"]] = times.get(row["asked"], 0) + (row["result"] in _IN_VAIN)
    return [
        OpenQuestion(key, row["question"], times[key], row["agent"], rows.instant(row["at"]), rows.key_of(row["id"]))
        for key, row in last.items()
        if row["result"] in _IN_VAIN
    ][:limit]


def giving(db: Database, agent_names: Sequence[str], memories: Sequence[str]) -> tuple[Trace, ...]:
    """Traces in which one of these agents was given one of these memories, the newest first."""
    if not agent_names or not memories:
        return ()
    found = db.query(
        """SELECT * FROM trace WHERE agent IN $agents AND given.*.memory CONTAINSANY $memories
        ORDER BY at DESC LIMIT $most TIMEOUT 10s""",
        agents=list(agent_names),
        memories=list(memories),
        most=MOST,
    )[0]
    return tuple(map(trace_from, found))


def quoting(db: Database, phrases: Sequence[str]) -> list[Any]:
    """Record ids of traces whose question quotes one of these phrases."""
    if not phrases:
        return []
    found = db.query("SELECT id, question FROM trace TIMEOUT 10s")[0]
    return [row["id"] for row in found if quotes(row["question"], phrases)]


def trace_row(one: Trace) -> rows.Row:
    return {
        "id": rows.record("trace", one.id),
        "at": one.at,
        "act": one.act.value,
        "question": one.question,
        "asked": one.asked,
        "of_all": one.of_all,
        "agent": one.asker.agent,
        "key": one.asker.key,
        "role": one.asker.role,
        "strategy": one.strategy,
        "result": one.result.value,
        "given": [_given_row(part) for part in one.given],
        "tokens": one.tokens,
        "ms": float(one.ms),
        "budget": one.budget,
        "cached": one.cached,
    }


def trace_from(row: rows.Row) -> Trace:
    return Trace(
        id=rows.key_of(row["id"]),
        at=rows.instant(row["at"]),
        act=Act(row["act"]),
        question=row["question"],
        of_all=bool(row["of_all"]),
        asker=Asker(row["agent"], row["key"], row["role"]),
        strategy=row["strategy"],
        result=Result(row["result"]),
        given=tuple(map(_given_from, row["given"])),
        tokens=int(row["tokens"]),
        ms=float(row["ms"]),
        budget=row.get("budget"),
        cached=bool(row["cached"]),
    )


def _given_row(one: Given) -> rows.Row:
    """Without what it does not have."""
    row = {
        "memory": one.memory,
        "tokens": one.tokens,
        "relevance": one.relevance,
        "layer": one.layer,
        "answer": list(one.answer) if one.answer else None,
        "content_hash": one.content_hash,
        "inherited_from": one.inherited_from,
    }
    return {name: value for name, value in row.items() if value not in (None, "")}


def _given_from(part: rows.Row) -> Given:
    span = part.get("answer")
    return Given(**(part | {"answer": (int(span[0]), int(span[1])) if span else None}))


_IN_VAIN = (Result.UNCLEAR.value, Result.NOTHING.value)


def _missing_trace(key: str) -> NotFound:
    return NotFound(
        f"There is no trace “{rows.short_id(key)}” in this space. Traces are kept for {KEPT_FOR.days} days, "
        f"{MOST:,} at most."
    )
