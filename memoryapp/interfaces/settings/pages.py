"""Settings: the space's numbers, spaces, people, keys, health, and oneself."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryapp import integrity, review
from memoryapp.accounts import people, spaces
from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.domain.cleaning import without_unseen
from memoryapp.domain.errors import BadInput, NotAllowed, NotFound, PalimpsestError
from memoryapp.extraction.facts.choose import NO_MODEL
from memoryapp.inference.embedding.zones import zones_of
from memoryapp.interfaces.health.presenter import health_of, missing_vectors, upkeep
from memoryapp.interfaces.inbox.presenter import excluded_of
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, show, then
from memoryapp.interfaces.pages.chat_model import the_model
from memoryapp.interfaces.pages.filters import address
from memoryapp.interfaces.pages.paging import Pager
from memoryapp.interfaces.settings.form import groups_of, overrides_of
from memoryapp.interfaces.settings.tabs import framed
from memoryapp.jobs.pipeline import submit
from memoryapp.jobs.readers import kept_fitness
from memoryapp.jobs.requests import submit_embedding
from memoryapp.spaces.languages import languages_of
from memoryapp.store import stats

_SPACES = 50


@require_http_methods(["GET", "POST"])
@page()
def space_page(request: PageRequest) -> HttpResponse:
    space = request.desk.space
    if request.method == "POST":
        if not request.desk.may.rule:
            raise NotAllowed("Only an administrator of this space can change its settings.")
        return _save_space(request, space)
    return _space(
        request,
        groups=groups_of(space.settings),
        form={"title": space.title, "parent": space.parent.name if space.parent else ""},
    )


def _save_space(request: PageRequest, space: Space) -> HttpResponse:
    typed = request.POST
    if typed.get("reset"):
        spaces.set_settings(space, {})
        return then(request, reverse("settings"), "Reset to the defaults.")
    overrides, wrong = overrides_of(typed)
    form = {"title": typed.get("title", ""), "parent": typed.get("parent", "")}
    if wrong:
        shown = groups_of(space.settings, typed=typed, wrong=wrong)
        return _space(request, groups=shown, form=form, status=422)
    try:
        parent = spaces.space_named(form["parent"]) if form["parent"] else None
        if parent is not None and people.role_in(request.desk.person, parent) is None:
            raise NotFound(f"There is no space called {parent.name}.")
        if parent != space.parent:
            spaces.set_parent(space, parent)
        spaces.set_settings(space, overrides)
    except PalimpsestError as problem:
        return _space(
            request, groups=groups_of(space.settings, typed=typed), form=form, problem=problem, status=problem.status
        )
    space.title = without_unseen(form["title"]).strip()[:200]
    space.save(update_fields=["title"])
    return then(request, reverse("settings"), "Saved. New searches use these settings.")


def _space(
    request: PageRequest,
    *,
    groups: list[Any],
    form: dict[str, str],
    problem: PalimpsestError | None = None,
    status: int = 200,
) -> HttpResponse:
    mine = spaces.spaces_of(request.desk.person).exclude(pk=request.desk.space.pk)
    zones = zones_of(request.desk.space.encoder)
    context = {
        "groups": groups,
        "calibrated": {"zone_same": f"{zones.same:.2f}", "zone_near": f"{zones.near:.2f}"},
        "form": form,
        "problem": problem,
        "parents": list(mine.values_list("name", flat=True)),
        "encoder": {"name": request.desk.space.encoder, "told": _encoder(request)},
        "usual_model": settings.ENCODER,
        "languages": languages_of(request.desk.memory),
        "exclusions": excluded_of(review.all_exclusions(request.desk.memory)) if request.desk.may.decide else None,
    }
    return framed(
        request,
        "settings/space.html",
        "settings",
        f"How {request.desk.space.name} searches, trusts and ingests.",
        context,
        status=status,
    )


def _encoder(request: PageRequest) -> str:
    slot = request.desk.memory.encoder
    if slot.error:
        return slot.error
    if not slot.ready:
        return "Loading; search uses keywords until then."
    encoder = slot.get(0)
    reads = ", ".join(sorted(encoder.languages))
    return f"{encoder.dimension} dimensions, up to {encoder.max_tokens} tokens, reads {reads}"


@require_http_methods(["GET", "POST"])
@page()
def spaces_page(request: PageRequest) -> HttpResponse:
    context: dict[str, Any] = {"may_create": request.desk.person.is_superuser, "form": {}}
    if request.method == "POST":
        if not request.desk.person.is_superuser:
            raise NotAllowed("Only an administrator of every space can create a space.")
        form = {name: request.POST.get(name, "").strip() for name in ("name", "title", "parent")}
        try:
            parent = spaces.space_named(form["parent"]) if form["parent"] else None
            made = spaces.create_space(form["name"], title=form["title"], parent=parent, created_by=request.desk.person)
            return then(request, f"{reverse('home')}?space={made.name}", f"The space {made.name} was created.")
        except PalimpsestError as problem:
            context |= {"form": form, "problem": problem}
    mine = spaces.spaces_of(request.desk.person).select_related("parent").order_by("name")
    found = list(mine.filter(name__gt=request.GET.get("after", ""))[: _SPACES + 1])
    older = address(request.GET, after=found[_SPACES - 1].name) if len(found) > _SPACES else ""
    newer = address(request.GET) if request.GET.get("after") else ""
    context["spaces"] = found[:_SPACES]
    context["parents"] = list(mine.values_list("name", flat=True)[:200])
    context["pager"] = Pager(newer, older, human.counted(len(context["spaces"]), "space"), _SPACES, "First", "Next")
    status = context["problem"].status if context.get("problem") else 200
    return framed(
        request,
        "settings/spaces.html",
        "settings-spaces",
        "Each space is a separate memory; one may inherit from another.",
        context,
        status=status,
    )


@require_GET
@page()
def health_page(request: PageRequest) -> HttpResponse:
    health, model = health_of(request.desk), the_model()
    figures: list[tuple[str, str]] = []
    missing = 0
    try:
        space = request.desk.memory
        missing = missing_vectors(space) if space.encoder.ready else 0
        figures = [(name, human.number(count)) for name, count in stats.counts(space.db).items()]
        status = space.index.status()
        figures += [
            ("index engine", status.engine),
            ("index rebuilt", human.ago(status.rebuilt_at) if status.rebuilt_at else "never"),
            *([("because", status.reason)] if status.reason else []),
            ("terms indexed", human.number(status.terms)),
            ("vectors", human.number(status.vectors)),
        ]
        figures += upkeep(request.desk.space.name)
    except PalimpsestError:
        pass  # the health lines above already say what is wrong
    return framed(
        request,
        "settings/health.html",
        "settings-health",
        "Whether everything works, and what to do where it does not.",
        {
            "health": health,
            "figures": figures,
            "missing": missing,
            "model": model,
            "fitness": kept_fitness(model) if model is not None else None,
            "may_check": request.desk.role.allows(Role.ADMIN),
        },
    )


@require_GET
@page(Role.ADMIN)
def whole(request: PageRequest) -> HttpResponse:
    """Every invariant, checked against all that is held: asked for by a button, since it reads everything."""
    report = integrity.check(request.desk.memory)
    failed = Counter(one.invariant for one in report.broken)
    lines = [(one, failed[one.name]) for one in integrity.INVARIANTS]
    return show(request, "settings/whole.html", {"report": report, "lines": lines}, at="settings-health")


@require_POST
@page(Role.CURATOR)
def embed(request: PageRequest) -> HttpResponse:
    """Fills in the vectors that are missing, or all of them by another model, as a job."""
    model = request.POST.get("model", "")
    if model and not request.desk.may.rule:
        raise NotAllowed("Only an administrator of this space can change its model.")
    job = submit_embedding(request.desk.space, model=model, actor=request.desk.actor)
    return then(request, reverse("job", args=[job.pk]))


@require_POST
@page(Role.ADMIN)
def test_chat_model(request: PageRequest) -> HttpResponse:
    """Asks the chat model about turns that are known, as a job."""
    if the_model() is None:
        raise BadInput(NO_MODEL)
    space = request.desk.space
    job = submit("chat-model", space=space.name, arguments={}, actor=request.desk.actor, subject="chat-model")
    return then(request, reverse("job", args=[job.pk]))


@never_cache
@sensitive_post_parameters("old", "new")
@require_http_methods(["GET", "POST"])
@page()
def me_page(request: PageRequest) -> HttpResponse:
    user = request.desk.person
    problem: PalimpsestError | None = None
    if request.method == "POST":
        try:
            if user.has_usable_password() and not user.check_password(request.POST.get("old", "")):
                raise BadInput("The current password is wrong.", field="old")
            people.set_password(user, request.POST.get("new", ""))
            update_session_auth_hash(request, user)
            return then(request, reverse("settings-me"), "The password was changed.")
        except BadInput as error:
            problem = error
    context = {"has_password": user.has_usable_password(), "problem": problem}
    return framed(
        request,
        "settings/me.html",
        "settings-me",
        "Your own name and password.",
        context,
        status=problem.status if problem else 200,
    )
