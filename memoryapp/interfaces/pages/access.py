"""Who is at the page, in which space, with what role; and what a page answers when a room refuses."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from urllib.parse import unquote, urlencode
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django_htmx.http import trigger_client_event
from django_htmx.middleware import HtmxDetails

from memoryapp import spaces
from memoryapp.accounts import models
from memoryapp.accounts.actor import actor_of
from memoryapp.accounts.opening import open_row
from memoryapp.accounts.people import role_in
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import DEFAULT, default_space, spaces_of
from memoryapp.domain.change import Actor
from memoryapp.domain.errors import BadInput, Clash, NotAllowed, NotFound, PalimpsestError
from memoryapp.domain.filters import AsOfBy
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.carry import carried, carry
from memoryapp.interfaces.pages.clock import PageClock, clock_of, is_set_in
from memoryapp.observability import note
from memoryapp.spaces import space_at, space_read

STOP_POLLING = 286  # htmx's own status: the answer is taken, and no more are asked for
_OFFERED = 6  # other spaces, where something is not in this one


@dataclass(frozen=True, slots=True)
class May:
    """What the role allows, as templates ask it: write = add; decide = change, settle, purge; rule = settings."""

    write: bool
    decide: bool
    rule: bool


_MAY = {role: May(role.allows(Role.WRITER), role.allows(Role.CURATOR), role.allows(Role.ADMIN)) for role in Role}


@dataclass(frozen=True, slots=True)
class Desk:
    """`inherited_from`: the parent space whose memories are read in place of the space's own, "" for its own. They are
    read only. `clock`: the instant that was set, None for now; `follows`: the readings of it that the page knows, none
    for one that shows the present."""

    person: User
    space: models.Space
    role: Role
    actor: Actor
    inherited_from: str = ""
    clock: PageClock | None = None
    follows: frozenset[AsOfBy] = frozenset()

    @property
    def may(self) -> May:
        """Of the past, and beside it, nothing is changed."""
        return _MAY[Role.READER if self.clock else self.role]  # asked for each row of a list

    @property
    def past(self) -> PageClock | None:
        """The clock as the page follows it; None where it shows the present."""
        if self.clock is None or not self.follows:
            return None
        return self.clock if self.clock.by in self.follows else replace(self.clock, by=AsOfBy.RECORDED)

    @property
    def memory(self) -> spaces.Space:
        """The open space that the rooms work on. Raises StoreError where it cannot be opened."""
        space = space_read(open_row(self.space), self.inherited_from)
        return replace(space, reads_deleted=_MAY[self.role].decide)

    @property
    def then(self) -> spaces.Space:
        """The space as of the page's clock. Raises StoreError."""
        return space_at(self.memory, self.past.at, self.past.by) if self.past else self.memory

    @property
    def own(self) -> spaces.Space:
        """The space itself, whatever is read in its place."""
        return open_row(self.space)

    @property
    def parents(self) -> list[str]:
        """Names of the spaces that it reads beside its own, the nearest first."""
        names, above = [], self.space.parent
        while above is not None:
            names.append(above.name)
            above = above.parent
        return names

    def reading(self, parent: str) -> Desk:
        """The desk of somebody who reads this parent through the space, and changes nothing there."""
        return replace(self, inherited_from=parent, role=Role.READER)


class HtmxRequest(HttpRequest):
    """A request as django-htmx's middleware leaves it; a type only."""

    htmx: HtmxDetails


class PageRequest(HtmxRequest):
    """What every view here is given; a type only."""

    desk: Desk


View = Callable[..., HttpResponseBase]


def page(needs: Role = Role.READER, *, follows: frozenset[AsOfBy] = frozenset()) -> Callable[[View], View]:
    """A view for somebody who is logged in and has at least the role `needs` in the space they are in.

    `follows`: the readings of the clock that it knows; by default it shows the present, whatever the clock says.
    A room's refusal becomes a page (or, for htmx, a message) with its own status; nothing is swapped then.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: PageRequest, *args: object, **kwargs: object) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return _to_login(request)
            with _time_zone(request):
                try:
                    request.desk = _desk(request)
                    note(space=request.desk.space.name, person=request.desk.person.pk)
                    if not request.desk.role.allows(needs):
                        raise NotAllowed(_refusal(needs, request.desk))
                    return _at_its_time(view, request, follows, *args, **kwargs)
                except PalimpsestError as error:
                    return refusal_page(request, error)

        return guarded

    return decorate


def _at_its_time(
    view: View, request: PageRequest, follows: frozenset[AsOfBy], *args: object, **kwargs: object
) -> HttpResponseBase:
    """What the view answers at the instant that the address names. On a page of the past nothing is written: what was
    sent from one is refused."""
    if request.method != "GET":
        if is_set_in(came_from(request)):
            raise Clash("You are looking at the past. Nothing was changed. Go back to now to make changes.")
        return _answer_or_inherit(view, request, *args, **kwargs)
    try:
        clock = clock_of(request.GET, now=timezone.now())
    except BadInput as error:
        if request.htmx:
            raise
        return show(request, "shell/clock_problem.html", {"clock_problem": error.detail}, status=error.status)
    request.desk = replace(request.desk, clock=clock, follows=follows)
    past = request.desk.past
    with human.standing_at(past.at if past else None):
        response = _answer_or_inherit(view, request, *args, **kwargs)
    if clock and isinstance(response, HttpResponseRedirect):
        response["Location"] = carried(response["Location"], clock).replace("&amp;", "&")
    return response


def _answer_or_inherit(view: View, request: PageRequest, *args: object, **kwargs: object) -> HttpResponseBase:
    """What the view answers; of something that is read and is not in the space, what it answers in the nearest parent
    that has it."""
    try:
        return view(request, *args, **kwargs)
    except NotFound:
        own = request.desk
        if request.method != "GET" or own.inherited_from or not (args or kwargs):
            raise
        for parent in own.parents:
            request.desk = own.reading(parent)
            with contextlib.suppress(NotFound):
                return view(request, *args, **kwargs)
        request.desk = own
        raise


def _desk(request: HtmxRequest) -> Desk:
    assert isinstance(request.user, User)
    mine = spaces_of(request.user).select_related("parent")
    asked = request.POST.get("space") or request.GET.get("space") or request.headers.get("X-Space", "")
    if asked:
        space = mine.filter(name=asked).first()
        if space is None:
            raise NotFound(f"There is no space called “{asked[:80]}”, or it is not open to you.")
    else:
        if request.user.is_superuser:
            default_space()
        space = mine.filter(name=request.session.get("space", DEFAULT)).first() or mine.first()
        if space is None:
            raise NotAllowed("You have no role in any space yet. An administrator can give you one.")
    if request.method == "GET" and not request.htmx and request.session.get("space") != space.name:
        request.session["space"] = space.name
    role = role_in(request.user, space)
    assert role is not None  # spaces_of lists only spaces where there is one
    desk = Desk(request.user, space, role, actor_of(request))
    parent = request.GET.get("inherited_from", "") if request.method == "GET" else ""
    if not parent:
        return desk
    if parent not in desk.parents:
        raise NotFound(f"“{space.name}” reads no space called “{parent[:80]}”.")
    return desk.reading(parent)


@page()
def missing_page(request: PageRequest) -> HttpResponse:
    """An address that no page has."""
    problem = NotFound("There is no page at this address. It may have been mistyped, or the thing it showed has gone.")
    return show(request, "problem.html", {"problem": problem}, status=problem.status)


def _refusal(needs: Role, desk: Desk) -> str:
    return f"This takes the role of {needs.named}; you are {desk.role.named} in “{desk.space.name}”."


def _to_login(request: HtmxRequest) -> HttpResponse:
    if request.htmx:
        back = request.htmx.current_url_abs_path or "/"
    else:
        back = request.get_full_path() if request.method == "GET" else "/"
    to = settings.LOGIN_URL + ("?" + urlencode({"next": back}) if back != "/" else "")
    if request.htmx and request.method != "GET":
        # Led away, the page would lose what was typed on it: see static/js/signin.js.
        response = HttpResponse(status=401, headers={"HX-Reswap": "none"})
        return trigger_client_event(response, "session-ended", {"login": to})
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Redirect": to})
    return HttpResponseRedirect(to)


@contextlib.contextmanager
def _time_zone(request: HttpRequest) -> Iterator[None]:
    """The reader's own zone, which static/js/theme.js left in a cookie; unknown or nonsense is UTC."""
    try:
        zone = ZoneInfo(unquote(request.COOKIES.get("tz", ""))[:64])
    except (ZoneInfoNotFoundError, ValueError, OSError):
        zone = None
    with timezone.override(zone) if zone else contextlib.nullcontext():
        yield


def show(
    request: PageRequest, template: str, context: Mapping[str, object], *, at: str = "", status: int = 200
) -> HttpResponse:
    """Draws a page in its shell, or a fragment ("page.html#fragment") without it."""
    from memoryapp.interfaces.pages.shell import (
        clock_form,  # the shell draws what a refusal needs, so it knows of this file
        shell_of,
    )

    desk = request.desk
    full: dict[str, object] = {"desk": desk, "at": at, "asof": desk.past and desk.past.at, **context}
    if not (request.htmx and "#" in template):
        full["shell"] = shell_of(desk, at)
        full["clock"] = clock_form(request, str(context.get("clock_problem", "")))
    response = render(request, template, full, status=status)
    if desk.clock is not None:
        response.content = carry(response.content.decode(), desk.clock).encode()
    return response


def refusal_page(request: HtmxRequest, error: PalimpsestError) -> HttpResponse:
    """The page for a refusal; for htmx a message, with nothing swapped."""
    desk = getattr(request, "desk", None)
    if request.htmx:
        response = HttpResponse(status=error.status, headers={"HX-Reswap": "none"})
        return say(response, f"{error.title}. {error.detail}", failed=True)
    context: dict[str, object] = {"problem": error}
    if desk is not None:
        if error.status == 404:
            context["elsewhere"] = _other_spaces(request, desk)
        elif request.method == "POST":
            context["back"] = {"href": came_from(request), "name": "Back"}
        return show(request, "problem.html", context, status=error.status)  # type: ignore[arg-type]
    return render(request, "problem.html", context, status=error.status)


def _other_spaces(request: HttpRequest, desk: Desk) -> list[tuple[str, str]]:
    """(space, address) of the same page in the person's other spaces: a link names no space, and one that was sent on,
    or kept while the space was switched, is looked up in the wrong one."""
    others = spaces_of(desk.person).exclude(pk=desk.space.pk).values_list("name", flat=True)[:_OFFERED]
    return [(name, f"{request.path}?{urlencode({'space': name})}") for name in others]


def say(response: HttpResponse, text: str, *, undo: str = "", failed: bool = False) -> HttpResponse:
    """Adds a message to an htmx answer; `undo` is the address that takes the act back. One of what `failed` stays until
    it is dismissed."""
    return trigger_client_event(response, "toast", {"text": text, "undo": undo} | ({"failed": True} if failed else {}))


def redirect_with_message(
    request: HtmxRequest, to: str, text: str = "", *, undo: str = "", failed: bool = False
) -> HttpResponse:
    """Goes on to another page, with a message there; one of what `failed` stays until it is dismissed."""
    if text:
        messages.add_message(request, messages.ERROR if failed else messages.SUCCESS, text, extra_tags=undo)
    if request.htmx:
        return HttpResponse(status=204, headers={"HX-Redirect": to})
    return HttpResponseRedirect(to)


def came_from(request: HttpRequest, otherwise: str = "") -> str:
    """The path of the page a request was made on; of any that is not of this app, `otherwise`."""
    back = request.headers.get("HX-Current-URL") or request.headers.get("Referer") or ""
    root = request.build_absolute_uri("/")
    return back[len(root) - 1 :] if back.startswith(root) else otherwise or "/"
