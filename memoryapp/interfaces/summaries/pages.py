"""Summaries: what is known, category by category, with the facts it was told from; written anew on asking."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_GET, require_POST

from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.domain.memory import Category
from memoryapp.interfaces.pages.access import PageRequest, page, say, show
from memoryapp.interfaces.pages.chat_model import the_model
from memoryapp.interfaces.summaries.presenter import known_of
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.narration import submit_summaries


@require_GET
@page()
def summaries_page(request: PageRequest) -> HttpResponse:
    """htmx is given the list alone, while summaries are being written."""
    if request.htmx:  # type: ignore[attr-defined]
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
    model = the_model() if request.desk.memory.tuning.extractor in ("auto", "llm") else None
    return {
        "known": known,
        "any": any(one.memory or one.held for one in known),
        "stale": sum(bool(one.stale) for one in known),
        "writing": _job(request),
        "teller": f"{model.name}, or by rules if it fails" if model else "rules (no LLM), from the facts' own text",
    }


def _job(request: PageRequest) -> bool:
    return Job.objects.filter(kind="summaries", space=request.desk.space.name, status__in=OPEN).exists()
