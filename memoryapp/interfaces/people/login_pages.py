"""Coming in and going out: a password, a one-time link, sign out."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from memoryapp.accounts.login import login_token_person, try_password, use_login_token
from memoryapp.interfaces.pages import human

_BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    next_ = request.POST.get("next") or request.GET.get("next", "")
    if request.method == "GET":
        if request.user.is_authenticated:
            return HttpResponseRedirect(_safe(request, next_))
        return _door(request, {"next": next_})
    name = request.POST.get("name", "")
    attempt = try_password(request, name, request.POST.get("password", ""))
    if attempt.person is not None:
        login(request, attempt.person, backend=_BACKEND)
        return HttpResponseRedirect(_safe(request, next_))
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


def _safe(request: HttpRequest, to: str) -> str:
    """Only addresses of this very app: a link must not send whoever signs in elsewhere."""
    allowed = url_has_allowed_host_and_scheme(to, {request.get_host()}, require_https=request.is_secure())
    return to if to and allowed else settings.LOGIN_REDIRECT_URL
