"""Coming in and going out (a password, a one-time link, sign out), and the settings for who may come in: people with
their roles, and the keys of agents.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from memoryapp.accounts import keys, people
from memoryapp.accounts.login import login_token_person, make_login_token, try_password, use_login_token
from memoryapp.accounts.models import ApiKey, Membership
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput, Clash, NotAllowed, NotFound, PalimpsestError
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, redirect_with_message
from memoryapp.interfaces.pages.filters import address, whole_number
from memoryapp.interfaces.pages.paging import Pager
from memoryapp.interfaces.settings.tabs import show_tab

_PAGE = 30
ROLE_WORDS = [
    (Role.READER, "searches and reads"),
    (Role.WRITER, "adds memories"),
    (Role.CURATOR, "changes, archives, decides, purges"),
    (Role.ADMIN, "people, keys, settings"),
]
_BACKEND = "django.contrib.auth.backends.ModelBackend"


@dataclass(frozen=True, slots=True)
class PersonLine:
    name: str
    role: str
    everywhere: bool
    active: bool
    password: bool
    you: bool
    last: datetime | None


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
@page(Role.ADMIN)
def people_page(request: PageRequest) -> HttpResponse:
    form, problem = {"role": Role.READER.value}, None
    if request.method == "POST":
        form = {name: request.POST.get(name, "") for name in ("name", "role")}
        try:
            made = people.create_person(
                form["name"],
                password=request.POST.get("password") or None,
                space=request.desk.space,
                role=_role(form["role"]),
            )
            return redirect_with_message(
                request,
                reverse("settings-people"),
                f"{made.username} is a {form['role']} of {request.desk.space.name}.",
            )
        except (BadInput, Clash) as error:
            problem = error
    return _people(request, form=form, problem=problem)


@never_cache
@sensitive_post_parameters("password")
@require_POST
@page(Role.ADMIN)
def person(request: PageRequest, name: str) -> HttpResponse:
    """Role, login link, shut out or let in. Only for people of this space, or by an administrator of every one."""
    who, act, desk = people.person_named(name), request.POST.get("act", ""), request.desk
    if not desk.person.is_superuser and (who.is_superuser or people.role_in(who, desk.space) is None):
        raise NotAllowed(f"{name} is not someone in {desk.space.name} whom you can change.")
    if act == "role":
        text = request.POST.get("role", "")
        people.set_role(who, desk.space, _role(text) if text else None)
        return redirect_with_message(
            request,
            reverse("settings-people"),
            f"{name} is a {text} of {desk.space.name}."
            if text
            else f"{name} no longer has access to {desk.space.name}.",
        )
    if not desk.person.is_superuser:
        raise NotAllowed("This affects more than one space: only an administrator of every space can do it.")
    if act in ("disable", "enable"):
        people.set_active(who, act == "enable")
        return redirect_with_message(
            request,
            reverse("settings-people"),
            f"{name} is {'unblocked' if act == 'enable' else 'blocked, including their keys'}.",
        )
    if act == "password":
        people.set_password(who, request.POST.get("password", ""))
        return redirect_with_message(
            request, reverse("settings-people"), f"{name} can now sign in with the new password."
        )
    if act == "link":
        url = request.build_absolute_uri(reverse("login-link", args=[make_login_token(who)]))
        return _people(request, form={"role": Role.READER.value}, link={"name": name, "url": url})
    raise BadInput("That cannot be done to a person.", field="act")


def _people(
    request: PageRequest,
    *,
    form: dict[str, str],
    problem: PalimpsestError | None = None,
    link: dict[str, str] | None = None,
) -> HttpResponse:
    space, you = request.desk.space, request.desk.person
    roles = dict(Membership.objects.filter(space=space).values_list("user_id", "role"))
    found = User.objects.order_by("username")
    if not you.is_superuser:
        found = found.filter(pk__in=roles)
    after = request.GET.get("after", "")
    page_of = list(found.filter(username__gt=after)[: _PAGE + 1])
    lines = [_line(one, roles, you) for one in page_of[:_PAGE]]
    context = {
        "people": lines,
        "pager": _pager(request, page_of, lambda one: one.username, "person"),
        "roles": [r.value for r in Role],
        "role_words": ROLE_WORDS,
        "form": form,
        "problem": problem,
        "link": link,
    }
    return show_tab(
        request,
        "settings/people.html",
        "settings-people",
        f"Who has access to {space.name}, and what they may do there.",
        context,
        status=problem.status if problem else 200,
    )


def _line(one: User, roles: dict[int, str], you: User) -> PersonLine:
    return PersonLine(
        name=one.username,
        role=roles.get(one.pk, ""),
        everywhere=one.is_superuser,
        active=one.is_active,
        password=one.has_usable_password(),
        you=one.pk == you.pk,
        last=one.last_login,
    )


@never_cache
@require_http_methods(["GET", "POST"])
@page(Role.ADMIN)
def keys_page(request: PageRequest) -> HttpResponse:
    """The text of a new key is in this one answer and nowhere else."""
    desk = request.desk
    context: dict[str, Any] = {"form": {"role": Role.WRITER.value}}
    if request.method == "POST":
        form = {name: request.POST.get(name, "") for name in ("name", "agent", "role")}
        everywhere = "scope" in request.POST and not request.POST["scope"]
        try:
            key, text = keys.create_key(
                form["name"],
                role=_role(form["role"]),
                space=None if everywhere else desk.space,
                created_by=desk.person,
                agent=form["agent"],
            )
            context["secret"] = {"name": key.name, "text": text}
        except BadInput as problem:
            context |= {"form": form, "problem": problem}
    return _keys(request, context)


def _keys(request: PageRequest, context: dict[str, Any]) -> HttpResponse:
    desk = request.desk
    mine = ApiKey.objects.filter(local=False).select_related("space")
    mine = (mine if desk.person.is_superuser else mine.filter(space=desk.space)).order_by("-pk")
    after = whole_number(request.GET.get("after", ""))
    mine = mine if after is None else mine.filter(pk__lt=after)
    found = list(mine[: _PAGE + 1])
    context |= {
        "keys": found[:_PAGE],
        "pager": _pager(request, found, lambda key: str(key.pk), "key"),
        "role_words": ROLE_WORDS,
        "everywhere": desk.person.is_superuser,
        "base": request.build_absolute_uri("/").rstrip("/"),
    }
    status = context["problem"].status if context.get("problem") else 200
    return show_tab(request, "settings/keys.html", "settings-keys", "How agents get access.", context, status=status)


@require_POST
@page(Role.ADMIN)
def revoke(request: PageRequest, key: int) -> HttpResponse:
    found = _key(request, key)
    keys.revoke_key(found)
    return redirect_with_message(request, reverse("settings-keys"), f"The key “{found.name}” was revoked.")


@never_cache
@require_POST
@page(Role.ADMIN)
def rotate(request: PageRequest, key: int) -> HttpResponse:
    """The text of the key that takes its place is in this one answer and nowhere else."""
    made, text = keys.rotate_key(_key(request, key))
    secret = {"name": made.name, "text": text, "rotated": True}
    return _keys(request, {"form": {"role": Role.WRITER.value}, "secret": secret})


def _key(request: PageRequest, key: int) -> ApiKey:
    found = ApiKey.objects.filter(pk=key, local=False).first()
    if found is None or (not request.desk.person.is_superuser and found.space != request.desk.space):
        raise NotFound("There is no such key.")
    return found


def _pager(request: PageRequest, found: list[Any], name: Callable[[Any], str], what: str) -> Pager:
    """One more than a page was fetched: whether there is a next one."""
    count = min(len(found), _PAGE)
    older = address(request.GET, after=name(found[_PAGE - 1])) if len(found) > _PAGE else ""
    newer = address(request.GET) if request.GET.get("after") else ""
    return Pager(
        newer, older, human.count_text(count, what, "people" if what == "person" else ""), _PAGE, "First", "Next"
    )


def _role(text: str) -> Role:
    try:
        return Role(text)
    except ValueError:
        raise BadInput(f"“{text[:40]}” is no role. Known: {', '.join(r.value for r in Role)}.", field="role") from None


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    next_ = request.POST.get("next") or request.GET.get("next", "")
    if request.method == "GET":
        if request.user.is_authenticated:
            return HttpResponseRedirect(_safe_address(request, next_))
        return _door(request, {"next": next_})
    name = request.POST.get("name", "")
    attempt = try_password(request, name, request.POST.get("password", ""))
    if attempt.person is not None:
        login(request, attempt.person, backend=_BACKEND)
        return HttpResponseRedirect(_safe_address(request, next_))
    if attempt.wait_seconds:
        problem = f"Too many attempts. Wait {human.seconds(attempt.wait_seconds)} until the button is enabled again."
        response = _door(
            request, {"next": next_, "name": name, "problem": problem, "wait": attempt.wait_seconds}, status=429
        )
        response["Retry-After"] = str(attempt.wait_seconds)
        return response
    return _door(
        request,
        {"next": next_, "name": name, "problem": "Wrong name or password.", "wrong": True},
        status=401,
    )


@never_cache
@require_http_methods(["GET", "POST"])
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """The link that the terminal shows. Opening it says whom it signs in; only the button there uses it up, so that
    neither a prefetch or a chat's preview nor a link on somebody else's page changes who is signed in."""
    person = use_login_token(token) if request.method == "POST" else login_token_person(token)
    if person is None:
        if request.user.is_authenticated:
            return HttpResponseRedirect(settings.LOGIN_REDIRECT_URL)
        problem = "This link has been used or is older than 15 minutes. Create a new one, or sign in here."
        return _door(request, {"problem": problem}, status=410)
    if request.method == "POST":
        login(request, person, backend=_BACKEND)
    if request.user == person:
        return HttpResponseRedirect(settings.LOGIN_REDIRECT_URL)
    return _door(request, {"person": person}, page="accounts/login_link.html")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return HttpResponseRedirect(settings.LOGIN_URL)


def _door(
    request: HttpRequest, context: dict[str, object], *, page: str = "accounts/login.html", status: int = 200
) -> HttpResponse:
    return render(request, page, {"embedded": not settings.SERVER_MODE, **context}, status=status)


def _safe_address(request: HttpRequest, to: str) -> str:
    """Only addresses of this very app: a link must not send whoever signs in elsewhere."""
    allowed = url_has_allowed_host_and_scheme(to, {request.get_host()}, require_https=request.is_secure())
    return to if to and allowed else settings.LOGIN_REDIRECT_URL
