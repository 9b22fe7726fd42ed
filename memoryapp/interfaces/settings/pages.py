"""Settings: the space's numbers, spaces, people, keys, health, and oneself."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.contrib.auth import update_session_auth_hash
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from memoryapp import integrity
from memoryapp.accounts import people, spaces
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, NotAllowed, PalimpsestError
from memoryapp.interfaces.health.presenter import health_of, missing_vectors, upkeep
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, redirect_with_message, show
from memoryapp.interfaces.pages.filters import address
from memoryapp.interfaces.pages.paging import Pager
from memoryapp.interfaces.settings.tabs import show_tab
from memoryapp.jobs.reading import configured_chat_model, kept_fitness
from memoryapp.store import stats

_SPACES = 50


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
            return redirect_with_message(
                request, f"{reverse('home')}?space={made.name}", f"The space {made.name} was created."
            )
        except PalimpsestError as problem:
            context |= {"form": form, "problem": problem}
    mine = spaces.spaces_of(request.desk.person).select_related("parent").order_by("name")
    found = list(mine.filter(name__gt=request.GET.get("after", ""))[: _SPACES + 1])
    older = address(request.GET, after=found[_SPACES - 1].name) if len(found) > _SPACES else ""
    newer = address(request.GET) if request.GET.get("after") else ""
    context["spaces"] = found[:_SPACES]
    context["parents"] = list(mine.values_list("name", flat=True)[:200])
    context["pager"] = Pager(newer, older, human.count_text(len(context["spaces"]), "space"), _SPACES, "First", "Next")
    status = context["problem"].status if context.get("problem") else 200
    return show_tab(
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
    health, model = health_of(request.desk), configured_chat_model()
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
    return show_tab(
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
def integrity_check(request: PageRequest) -> HttpResponse:
    """Every invariant, checked against all that is held: asked for by a button, since it reads everything."""
    report = integrity.check(request.desk.memory)
    failed = Counter(one.invariant for one in report.broken)
    lines = [(one, failed[one.name]) for one in integrity.INVARIANTS]
    return show(request, "settings/whole.html", {"report": report, "lines": lines}, at="settings-health")


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
            return redirect_with_message(request, reverse("settings-me"), "The password was changed.")
        except BadInput as error:
            problem = error
    context = {"has_password": user.has_usable_password(), "problem": problem}
    return show_tab(
        request,
        "settings/me.html",
        "settings-me",
        "Your own name and password.",
        context,
        status=problem.status if problem else 200,
    )
