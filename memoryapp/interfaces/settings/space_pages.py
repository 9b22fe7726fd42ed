"""Settings, the first page: the cards with their tests, and every setting of the space in one form."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryapp import review
from memoryapp.accounts import people, spaces
from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.domain.cleaning import without_unseen
from memoryapp.domain.errors import BadInput, Clash, NotAllowed, NotFound, PalimpsestError
from memoryapp.extraction.facts.choose import NO_MODEL
from memoryapp.inference.embedding.zones import zones_of
from memoryapp.interfaces.home.first_steps import first_steps_of
from memoryapp.interfaces.inbox.presenter import excluded_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import STOP_POLLING, PageRequest, page, redirect_with_message, say, show
from memoryapp.interfaces.pages.session_undo import keep_before, take_before
from memoryapp.interfaces.settings.cards import cards_of
from memoryapp.interfaces.settings.form import SettingsForm, form_of, overrides_of
from memoryapp.interfaces.settings.tabs import show_tab
from memoryapp.jobs.encoder_trial import submit_encoder_trial
from memoryapp.jobs.models import Job
from memoryapp.jobs.pipeline import submit
from memoryapp.jobs.reading import configured_chat_model
from memoryapp.jobs.requests import submit_embedding

CARDS = "cards"  # the id of what the cards stand in


@require_http_methods(["GET", "POST"])
@page()
def space_page(request: PageRequest) -> HttpResponse:
    """The page; a POST saves what it holds. What it does not hold stays: a browser sends what was changed alone, so
    that two who save at once lose nothing of one another."""
    space = request.desk.space
    if request.method == "POST":
        if not request.desk.may.rule:
            raise NotAllowed("Only an administrator of this space can change its settings.")
        return _save(request, space)
    return _page(request, form_of(space.settings), _own_values(space))


def _save(request: PageRequest, space: Space) -> HttpResponse:
    typed = {name: str(value) for name, value in request.POST.items()}
    overrides, wrong = overrides_of(typed, space.settings)
    own = {name: typed.get(name, value) for name, value in _own_values(space).items()}
    if wrong:
        return _page(request, form_of(space.settings, typed=typed, wrong=wrong), own, status=422)
    before = _settings_context(space)
    try:
        _apply(request, space, overrides, own)
    except PalimpsestError as problem:
        form = form_of(space.settings, typed=typed)
        return _page(request, form, own, problem=problem, status=422)
    return _change_response(request, space, before, "Saved.")


def _apply(request: PageRequest, space: Space, overrides: dict[str, Any], own: Mapping[str, str]) -> None:
    parent = spaces.space_named(own["parent"]) if own["parent"] else None
    if parent is not None and people.role_in(request.desk.person, parent) is None:
        raise NotFound(f"There is no space called {parent.name}.")
    if parent != space.parent:
        spaces.set_parent(space, parent)
    if overrides != space.settings:
        spaces.set_settings(space, overrides)
    space.title = without_unseen(own["title"]).strip()[:200]
    space.save(update_fields=["title"])


@require_POST
@page(Role.ADMIN)
def reset(request: PageRequest) -> HttpResponse:
    """Every setting back to its default; the title and the parent stay."""
    space = request.desk.space
    before, count = _settings_context(space), len(space.settings)
    spaces.set_settings(space, {})
    if not count:
        return _change_response(request, space, None, "All settings were at their defaults already.")
    return _change_response(request, space, before, f"{human.count_text(count, 'setting')} reset.")


@require_POST
@page(Role.ADMIN)
def undo(request: PageRequest) -> HttpResponse:
    """Back to what the settings were before one's own last save or reset. Refused where others changed them since."""
    space = request.desk.space
    before, version = take_before(request.session, _place(space))
    if before is None or version != _version(space):
        raise Clash("The settings were changed again since. Nothing was undone.")
    _apply(request, space, before["settings"], before["own"])
    return redirect_with_message(request, reverse("settings"), "Undone.")


def _change_response(request: PageRequest, space: Space, before: dict[str, Any] | None, said: str) -> HttpResponse:
    """The form anew, with a message that can take the change back."""
    undo = ""
    if before is not None and before != _settings_context(space):
        keep_before(request.session, _place(space), before, version=_version(space))
        undo = reverse("settings-undo")
    if not request.htmx:
        return redirect_with_message(request, reverse("settings"), said, undo=undo)
    return say(_page(request, form_of(space.settings), _own_values(space)), said, undo=undo)


def _own_values(space: Space) -> dict[str, str]:
    """What is set of a space beside its numbers, as the form has it."""
    return {"title": space.title, "parent": space.parent.name if space.parent else ""}


def _settings_context(space: Space) -> dict[str, Any]:
    return {"settings": dict(space.settings), "own": _own_values(space)}


def _version(space: Space) -> int:
    """Another number wherever something was changed."""
    return zlib.crc32(repr((sorted(space.settings.items()), _own_values(space))).encode())


def _place(space: Space) -> str:
    return f"{space.name}/settings"


def _page(
    request: PageRequest,
    form: SettingsForm,
    own: Mapping[str, str],
    *,
    problem: PalimpsestError | None = None,
    status: int = 200,
) -> HttpResponse:
    """The whole page, or for htmx the form alone."""
    space = request.desk.space
    zones = zones_of(space.encoder)
    mine = spaces.spaces_of(request.desk.person).exclude(pk=space.pk)
    context: dict[str, Any] = {
        "form": form,
        "own": own,
        "saved": _own_values(space),
        "refusal": problem,
        "parents": list(mine.values_list("name", flat=True)),
        "calibrated": {"zone_same": f"{zones.same:.2f}", "zone_near": f"{zones.near:.2f}"},
    }
    if request.htmx and request.method == "POST":
        return show(request, "settings/space.html#form", context, at="settings", status=status)
    context["cards"] = cards_of(request.desk)
    context["steps_shown"] = request.desk.may.rule and first_steps_of(space, request.desk.memory).shown
    context["exclusions"] = excluded_of(review.all_exclusions(request.desk.memory)) if request.desk.may.decide else None
    purpose = f"How {space.name} learns, searches and decides."
    return show_tab(request, "settings/space.html", "settings", purpose, context, status=status)


@require_GET
@page()
def cards(request: PageRequest) -> HttpResponse:
    """The cards alone: asked every second while one of them shows a job."""
    return draw_cards(request)


def draw_cards(request: PageRequest) -> HttpResponse:
    found = cards_of(request.desk)
    status = 200 if found.alive or request.method == "POST" else STOP_POLLING
    return show(request, "settings/cards.html#cards", {"cards": found}, at="settings", status=status)


@require_POST
@page(Role.CURATOR)
def embed(request: PageRequest) -> HttpResponse:
    """Fills in the vectors that are missing, or all of them by another model, as a job."""
    model = request.POST.get("model", "")
    if model and not request.desk.may.rule:
        raise NotAllowed("Only an administrator of this space can change its model.")
    return _job_response(request, submit_embedding(request.desk.space, model=model, actor=request.desk.actor))


@require_POST
@page(Role.ADMIN)
def test_chat_model(request: PageRequest) -> HttpResponse:
    """Asks the chat model about turns that are known, as a job."""
    if configured_chat_model() is None:
        raise BadInput(NO_MODEL)
    space = request.desk.space
    return _job_response(
        request, submit("chat-model", space=space.name, arguments={}, actor=request.desk.actor, subject="chat-model")
    )


@require_POST
@page(Role.ADMIN)
def test_encoder(request: PageRequest) -> HttpResponse:
    """Measures how fast the encoder is here, as a job."""
    return _job_response(request, submit_encoder_trial(request.desk.space, actor=request.desk.actor))


def _job_response(request: PageRequest, job: Job) -> HttpResponse:
    """The cards, where one of them asked; else the page of the job."""
    if request.headers.get("HX-Target") == CARDS:
        return draw_cards(request)
    return redirect_with_message(request, reverse("job", args=[job.pk]))
