"""What would be learned from some words: looking stores nothing, keeping takes what was picked and nothing else."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from memoryapp import remember
from memoryapp.accounts.roles import Role
from memoryapp.domain.cleaning import clean
from memoryapp.domain.errors import BadInput
from memoryapp.domain.fact import Said
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.remembering import Became, Remembered
from memoryapp.interfaces.facts.preview import found_of, unpacked
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, show, then
from memoryapp.interfaces.pages.chat_model import the_model
from memoryapp.interfaces.pages.filters import moment_of
from memoryapp.jobs.readers import judges_for, reader_for
from memoryapp.store import revisions, turns

_WORDS = {
    Became.WRITTEN: "saved",
    Became.REINFORCED: "already known, trust increased",
    Became.CONFLICT: "saved, in conflict with an existing fact",
    Became.UNCHANGED: "already known",
}


@require_http_methods(["GET", "POST"])
@page()
def preview_page(request: PageRequest) -> HttpResponse:
    """GET with `turn` fills in what was said there; POST shows what would be learned."""
    space, desk = request.desk.memory, request.desk
    setting = space.tuning.extractor
    form = {"text": "", "speaker": desk.actor.name, "at": "", "extractor": ""}
    context: dict[str, Any] = {"setting": setting, "model": the_model(), "least": space.tuning.fact_worth}
    if request.method == "GET":
        if key := request.GET.get("turn", ""):
            turn = turns.get(space.db, key)
            at = timezone.localtime(turn.at).strftime("%Y-%m-%dT%H:%M")
            form |= {"text": turn.text, "speaker": turn.speaker or turn.role.value, "at": at}
            context["from_turn"] = turn
        return show(request, "preview/preview.html", {**context, "form": form}, at="preview")
    form |= {name: request.POST.get(name, "") for name in form}
    try:
        context["found"] = _found(request, form)
        status = 200
    except BadInput as problem:
        context["problem"], status = problem.detail, 422
    part = "#found" if request.htmx else ""  # type: ignore[attr-defined]
    return show(request, f"preview/preview.html{part}", {**context, "form": form}, at="preview", status=status)


def _found(request: PageRequest, form: dict[str, str]) -> Any:
    space = request.desk.memory
    text = clean(form["text"]).strip()
    if not text:
        raise BadInput("There is no text to learn from.", field="text")
    if len(text) > LIMITS.turn_chars:
        raise BadInput(f"One turn may have {LIMITS.turn_chars:,} characters; this has {len(text):,}.", field="text")
    if form["extractor"] not in ("", "rules", "llm"):
        raise BadInput("The extractor must be rules or llm.", field="extractor")
    speaker = " ".join(form["speaker"].split())[:200]
    said_at = moment_of(request.POST, "at") or space.clock()
    # The language model may cost money: who may not write is shown what the rules would learn.
    asked = form["extractor"] if request.desk.may.write else "rules"
    reader = reader_for(space, extractor=asked)
    judges = judges_for(space, chat=False)
    previews = remember.preview(space, [Said(text, speaker or "user", said_at)], reader=reader, judges=judges)
    return found_of(previews, speaker=speaker or None, said_at=said_at, least=space.tuning.fact_worth)


@require_POST
@page(Role.WRITER)
def keep(request: PageRequest) -> HttpResponse:
    """Remembers the picked ones, by the same road as any other fact."""
    space, desk = request.desk.memory, request.desk
    items = unpacked(request.POST.getlist("pick")[:200])
    if not items:
        raise BadInput("Nothing is selected.", field="pick")
    judges = judges_for(space, chat=False)
    became = remember.remember(space, items, actor=desk.actor, reason="selected in a preview", judges=judges)
    to = f"{reverse('facts')}?{urlencode({'sort': 'learned'})}"
    return then(request, to, _told(became), undo=_undo(request, became))


def _told(became: tuple[Remembered, ...]) -> str:
    counts = Counter(one.outcome for one in became)
    parts = [f"{human.number(counts[outcome])} {word}" for outcome, word in _WORDS.items() if counts[outcome]]
    return f"{', '.join(parts).capitalize()}."


def _undo(request: PageRequest, became: tuple[Remembered, ...]) -> str:
    """The run of what was just written, where one may undo it."""
    changed = [one.id for one in became if one.outcome is not Became.UNCHANGED]
    layers = revisions.of_record(request.desk.memory.db, changed[0]) if changed else ()
    return reverse("run-undo", args=[layers[-1].run]) if layers and request.desk.may.decide else ""
