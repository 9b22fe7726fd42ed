"""Profiles: plans that were given a name; made, changed, deleted, each act undone with one click."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import trigger_client_event

from memoryapp import lab
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Clash, Stale
from memoryapp.interfaces.pages.access import PageRequest, came_from, page, redirect_with_message, say, show
from memoryapp.interfaces.pages.session_undo import keep_before, take_before
from memoryapp.interfaces.profiles.presenter import (
    FORM,
    form_of,
    page_of,
    parts_of_a_plan,
    profile_kept,
    profile_read,
    version_in,
)


@require_GET
@page()
def profiles_page(request: PageRequest) -> HttpResponse:
    context = page_of(lab.profiles_of(request.desk.memory), request.GET)
    return show(request, "profiles/profiles.html", context, at="profiles")


@require_GET
@page(Role.CURATOR)
def form(request: PageRequest) -> HttpResponse:
    """Of the profile `edit`, or empty for a new one."""
    name = request.GET.get("edit", "")
    profile = lab.profile_named(request.desk.memory, name) if name else None
    return _form(request, form_of(request.GET, profile))


@require_POST
@page(Role.CURATOR)
def save(request: PageRequest) -> HttpResponse:
    """From its own page it goes back there; anywhere else one stays, with a message."""
    space, posted, here = request.desk.memory, request.POST, _is_from_profiles(request)
    name = posted.get("name", "").strip()
    try:
        version = version_in(posted)
        before = None if version is None else lab.profile_named(space, name)
        note = posted.get("note", "")
        saved = lab.save_profile(space, name, posted.get("plan", ""), note, version=version, actor=request.desk.actor)
    except (BadInput, Clash, Stale) as error:
        if not here:
            raise
        typed = {field: posted.get(field, "") for field in FORM}
        status = 422 if isinstance(error, BadInput) else 409
        return _form(request, typed, problem=error, status=status)
    keep_before(request.session, _place(request, name), profile_kept(before) if before else None, version=saved.version)
    said = f"Saved: {name} can be used like a strategy." if before is None else f"Saved: {name}."
    return _change_response(request, said, undo=reverse("profile-undo", args=[name]), here=here)


@require_POST
@page(Role.CURATOR)
def delete(request: PageRequest, name: str) -> HttpResponse:
    gone = lab.delete_profile(request.desk.memory, name)
    keep_before(request.session, _place(request, name), profile_kept(gone), version=0)
    said = f"Deleted: {name}. Its golden query runs stay."
    return _change_response(request, said, undo=reverse("profile-undo", args=[name]), here=_is_from_profiles(request))


@require_POST
@page(Role.CURATOR)
def undo(request: PageRequest, name: str) -> HttpResponse:
    """Back to what the profile was before one's own last act on it. Refused where others changed it since."""
    space = request.desk.memory
    told, version = take_before(request.session, _place(request, name))
    if told is None:
        lab.delete_profile(space, name, version=version)
        said = f"{name} was removed."
    elif version:
        was = profile_read(told)
        lab.save_profile(space, name, was.plan, was.note, version=version, actor=request.desk.actor)
        said = f"{name} was reverted."
    else:
        lab.put_back_profile(space, profile_read(told))
        said = f"{name} was restored."
    return redirect_with_message(request, came_from(request, reverse("profiles")), said)


def _form(
    request: PageRequest, typed: dict[str, Any], *, problem: BadInput | Clash | Stale | None = None, status: int = 200
) -> HttpResponse:
    context = {"form": typed, "problem": problem, **parts_of_a_plan()}
    return show(request, "profiles/form.html#", context, status=status)


def _change_response(request: PageRequest, said: str, *, undo: str, here: bool) -> HttpResponse:
    if here or not request.htmx:
        return redirect_with_message(request, came_from(request, reverse("profiles")), said, undo=undo)
    return say(trigger_client_event(HttpResponse(status=204), "profiles-changed", {}), said, undo=undo)


def _is_from_profiles(request: PageRequest) -> bool:
    return came_from(request).startswith(reverse("profiles"))


def _place(request: PageRequest, name: str) -> str:
    return f"{request.desk.space.name}/profile/{name}"
