"""Summaries: what is known, category by category, with the facts it was told from, and whether it still holds; written
anew on request.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Category, Kind, Memory, State
from memoryapp.index.roster import CATEGORIES, KINDS
from memoryapp.interfaces.memories.rows import Row, rows_of
from memoryapp.interfaces.pages import wording
from memoryapp.interfaces.pages.access import PageRequest, page, say, show
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.narration import submit_summaries
from memoryapp.jobs.reading import configured_chat_model
from memoryapp.spaces import Space
from memoryapp.store import memories
from memoryapp.summaries import stale, summaries_of


@dataclass(frozen=True, slots=True)
class Summary:
    """`memory` is None where the category has none yet. `stale`: why it is to be written anew; `facts` those it was
    told from; `held` how many facts of the category there are."""

    category: str
    memory: Memory | None
    lang: str
    told_at: datetime | None
    by: str
    problem: str
    stale: str
    facts: list[Row]
    held: int
    wanted: int

    @property
    def standing(self) -> bool:
        return self.memory is not None and self.memory.state is State.HELD

    @property
    def missing(self) -> int:
        return max(self.wanted - self.held, 0)


def known_of(space: Space) -> list[Summary]:
    """All categories in their order."""
    found, why, held = summaries_of(space), stale(space), _fact_counts(space)
    facts = memories.get_many(space.db, list({key for one in found.values() for key in _told_from(one)}))
    rows = {row.id: row for row in rows_of(space, list(facts.values()))}
    return [
        _summary(category, found.get(category), why.get(category, ""), rows, held[category], space)
        for category in Category
    ]


def _summary(
    category: Category, memory: Memory | None, why: str, rows: dict[str, Row], held: int, space: Space
) -> Summary:
    detail = memory.detail if memory else {}
    at = detail.get("at")
    return Summary(
        category=category.value,
        memory=memory,
        lang=wording.language(memory.text) if memory else "en",
        told_at=datetime.fromtimestamp(float(at), UTC) if at else None,
        by=str(detail.get("by") or "rules"),
        problem=str(detail.get("problem") or ""),
        stale=why,
        facts=[rows[key] for key in (_told_from(memory) if memory else []) if key in rows],
        held=held,
        wanted=space.tuning.summary_after,
    )


def _told_from(memory: Memory) -> list[str]:
    return [str(key) for key in memory.detail.get("facts") or ()]


def _fact_counts(space: Space) -> dict[Category, int]:
    space.index.refresh()
    roster = space.index.roster
    facts = roster.held & (roster.kind == KINDS.index(Kind.FACT))
    return {category: int((facts & (roster.category == CATEGORIES.index(category))).sum()) for category in Category}


@require_GET
@page()
def summaries_page(request: PageRequest) -> HttpResponse:
    """htmx is given the list alone, while summaries are being written."""
    if request.htmx:
        return _list(request)
    return show(request, "summaries/summaries.html", _context(request), at="summaries")


@require_POST
@page(Role.WRITER)
def refresh(request: PageRequest) -> HttpResponse:
    """A job that writes one summary anew, or all that no longer tell what is held."""
    asked = request.POST.get("category", "")
    try:
        wanted = [Category(asked).value] if asked else []
    except ValueError:
        raise BadInput(f"“{asked[:40]}” is not a category. Known: {', '.join(Category)}.", field="category") from None
    name = request.desk.space.name
    submit_summaries(name, actor=request.desk.actor, categories=wanted, force=bool(wanted))
    return say(_list(request), f"Regenerating the summary of {asked}." if asked else "Regenerating the summaries.")


def _list(request: PageRequest) -> HttpResponse:
    return show(request, "summaries/summaries.html#list", _context(request), at="summaries")


def _context(request: PageRequest) -> dict[str, object]:
    known = known_of(request.desk.memory)
    model = configured_chat_model() if request.desk.memory.tuning.extractor in ("auto", "llm") else None
    return {
        "known": known,
        "any": any(one.memory or one.held for one in known),
        "stale": sum(bool(one.stale) for one in known),
        "writing": _job(request),
        "teller": f"{model.name}, or by rules if it fails" if model else "rules (no LLM), from the facts' own text",
    }


def _job(request: PageRequest) -> bool:
    return Job.objects.filter(kind="summaries", space=request.desk.space.name, status__in=OPEN).exists()
