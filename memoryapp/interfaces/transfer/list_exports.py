"""Lists taken along as a file: what a list shows with its filters and its order, every page of it, as CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any
from urllib.parse import quote

from django.http import HttpResponse, QueryDict
from django.views.decorators.http import require_GET

from memoryapp import review
from memoryapp.domain.errors import BadInput
from memoryapp.interfaces.audit import pages as audit_pages
from memoryapp.interfaces.conflicts.presenter import asked_of
from memoryapp.interfaces.entities import list_presenter
from memoryapp.interfaces.episodes import pages as episodes_pages
from memoryapp.interfaces.episodes.pages import Story
from memoryapp.interfaces.jobs import pages as jobs_pages
from memoryapp.interfaces.memories.rows import Row
from memoryapp.interfaces.pages.access import PageRequest, page
from memoryapp.interfaces.pages.paging import FACTS, MEMORIES, list_of
from memoryapp.interfaces.sessions import pages as sessions_pages
from memoryapp.interfaces.sessions.presenter import SessionLine
from memoryapp.interfaces.traces import pages as traces_pages

MOST = 10_000  # rows: what has more is narrowed, or exported as a whole space
Record = dict[str, Any]
# A page of a list: its rows, and the address of the next page, "" at the end.
Listed = Callable[[PageRequest], tuple[list[Record], str]]


@require_GET
@page()
def export_list(request: PageRequest, name: str, form: str) -> HttpResponse:
    """The rows of the list `name` that the address asks for. Raises BadInput for more than MOST of them."""
    records = list(_list_records(request, _LISTS[name]))
    made = _csv(records) if form == "csv" else json.dumps(records, ensure_ascii=False, indent=1)
    kind = "text/csv" if form == "csv" else "application/json"
    answer = HttpResponse(made, content_type=f"{kind}; charset=utf-8")
    called = quote(f"{request.desk.inherited_from or request.desk.space.name}-{name}.{form}")
    answer["Content-Disposition"] = f"attachment; filename*=UTF-8''{called}"
    return answer


def _list_records(request: PageRequest, listed: Listed) -> Iterator[Record]:
    asked, count = request.GET.copy(), 0
    for place in ("after", "before"):
        asked.pop(place, None)
    while True:
        request.GET = asked  # type: ignore[assignment]
        records, older = listed(request)
        count += len(records)
        if count > MOST:
            raise BadInput(
                f"More than {MOST:,} rows match. Filter the list, or export the whole space: "
                "Settings → Import & export."
            )
        yield from records
        if not older:
            return
        asked = QueryDict(older.removeprefix("?"), mutable=True)


def _csv(records: list[Record]) -> str:
    """With the mark that spreadsheets know UTF-8 by. Text that one would read as a formula is quoted by an apostrophe;
    JSON has it as it is."""
    out = io.StringIO()
    out.write("\ufeff")
    if records:
        writer = csv.DictWriter(out, list(records[0]))
        writer.writeheader()
        writer.writerows({key: _cell(value) for key, value in record.items()} for record in records)
    return out.getvalue()


def _cell(value: Any) -> Any:
    told = ", ".join(value) if isinstance(value, list) else value
    return f"'{told}" if isinstance(told, str) and told.startswith(("=", "+", "-", "@", "\t", "\r")) else told


def _moment_text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _memory(row: Row) -> Record:
    memory = row.memory
    return {
        "id": row.id, "text": memory.text, "title": row.title, "kind": memory.kind.value, "state": memory.state.value,
        "category": memory.category.value if memory.category else None, "tags": list(memory.tags),
        "trust": round(row.trust, 4), "strength": round(row.strength, 4), "source": row.source_full,
        "said_by": row.said_by, "learned": _moment_text(row.learned), "confirmed": _moment_text(row.confirmed),
    }  # fmt: skip


def _memories(request: PageRequest) -> tuple[list[Record], str]:
    found = list_of(request, MEMORIES)
    return [_memory(row) for row in found["rows"]], found["pager"].older


def _facts(request: PageRequest) -> tuple[list[Record], str]:
    found = list_of(request, FACTS)
    return [_memory(row) for row in found["rows"]], found["pager"].older


def _episode(story: Story) -> Record:
    return {
        "id": story.id, "title": story.title, "text": story.text, "happened": _moment_text(story.at),
        "decision": story.decision, "participants": story.participants, "turns": story.turns, "facts": story.facts,
        "session": story.session, "written_by": story.by,
    }  # fmt: skip


def _episodes(request: PageRequest) -> tuple[list[Record], str]:
    found = episodes_pages.list_context(request)
    return [_episode(story) for story in found["stories"]], found["pager"].older if "pager" in found else ""


def _entity(line: list_presenter.Line) -> Record:
    return {
        "id": line.id, "name": line.name, "type": line.type, "state": line.state, "memories": line.memories,
        "links": line.links, "last_seen": _moment_text(line.latest),
    }  # fmt: skip


def _entities(request: PageRequest) -> tuple[list[Record], str]:
    if list_presenter.tab_of(request.GET) == "alike":
        raise BadInput("Possible duplicates are pairs, not entities: export another tab.", field="tab")
    found = list_presenter.list_of(request.desk, request.GET)
    return [_entity(line) for line in found["rows"]], found["pager"].older


def _session(line: SessionLine) -> Record:
    one = line.session
    return {
        "id": line.id, "name": one.name, "agent": one.agent, "turns": line.turns, "facts": line.facts,
        "episode": line.episode.title if line.episode else None, "opened": _moment_text(one.started_at),
        "ended": _moment_text(one.ended_at),
    }  # fmt: skip


def _sessions(request: PageRequest) -> tuple[list[Record], str]:
    found = sessions_pages.list_context(request)
    return [_session(line) for line in found["lines"]], found["pager"].older


def _conflicts(request: PageRequest) -> tuple[list[Record], str]:
    asked = asked_of(request.GET)
    found = review.queue(
        request.desk.memory, tab=asked.tab or "waiting", detector=asked.detector or None, sort=asked.sort,
        after=asked.after or None, limit=100,
    )  # fmt: skip
    told = []
    for case in found.cases:
        one = case.conflict
        incoming = case.incoming.text if case.incoming else one.incoming_text
        told.append({
            "id": one.id, "status": one.status.value, "existing_id": one.existing,
            "existing": case.existing.text if case.existing else None, "incoming_id": one.incoming,
            "incoming": incoming, "about": one.attribute, "reason": one.reason, "detector": one.detector,
            "proposed": one.outcome.value, "confidence": one.confidence, "found": _moment_text(one.created_at),
            "decided": _moment_text(one.decided_at), "decision": (one.decision or {}).get("outcome"),
        })  # fmt: skip
    further = request.GET.copy()
    if found.next:
        further["after"] = found.next
    return told, f"?{further.urlencode()}" if found.next else ""


def _audit(request: PageRequest) -> tuple[list[Record], str]:
    found = audit_pages.list_context(request)
    told = [
        {
            "id": line.run.id, "at": _moment_text(line.run.started_at), "who": line.run.actor.name, "act": line.run.act,
            "records": line.count, "reason": line.run.reason, "undone_by": line.undone or None,
        }
        for day in found["days"]
        for line in day.runs
    ]  # fmt: skip
    return told, found["pager"].older


def _jobs(request: PageRequest) -> tuple[list[Record], str]:
    found = jobs_pages.list_context(request)
    told = [
        {
            "id": str(line.job.pk), "kind": line.job.kind, "name": line.name, "status": line.job.status,
            "told": line.told, "requested": _moment_text(line.job.created_at),
            "started": _moment_text(line.job.started_at), "ended": _moment_text(line.job.finished_at),
            "requested_by": line.job.created_by,
        }
        for line in found["jobs"]
    ]  # fmt: skip
    return told, found["pager"].older


def _traces(request: PageRequest) -> tuple[list[Record], str]:
    found = traces_pages.list_context(request)
    told = [
        {
            "id": line.id, "at": _moment_text(line.trace.at), "agent": line.trace.asker.agent,
            "key": line.trace.asker.key, "act": line.trace.act.value, "question": line.trace.question,
            "strategy": line.trace.strategy,
            "result": line.trace.result.value, "given": [one.memory for one in line.trace.given],
            "used": line.used, "tokens": line.trace.tokens, "budget": line.trace.budget, "ms": line.trace.ms,
            "cached": line.trace.cached,
        }
        for line in found["lines"]
    ]  # fmt: skip
    return told, found["pager"].older


_LISTS: dict[str, Listed] = {
    "memories": _memories,
    "facts": _facts,
    "episodes": _episodes,
    "entities": _entities,
    "sessions": _sessions,
    "conflicts": _conflicts,
    "audit": _audit,
    "jobs": _jobs,
    "traces": _traces,
}
