"""Sessions: the list, one as a conversation that stays fresh while it is read, and what a person may do to it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_POST

from memoryapp import remember
from memoryapp.accounts.roles import Role
from memoryapp.domain.errors import BadInput
from memoryapp.domain.identity import derived_id
from memoryapp.domain.turn import NewTurn, ReadingStatus
from memoryapp.domain.turn import Role as Speaks
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, page, redirect_with_message, say, show
from memoryapp.interfaces.pages.filters import address, whole_number
from memoryapp.interfaces.pages.paging import Pager, place_after
from memoryapp.interfaces.sessions.presenter import PAGE, Talk, aside_of, lines_of, talk_of, telling_of
from memoryapp.jobs.narration import submit_narration
from memoryapp.jobs.reading import submit_reading
from memoryapp.store import sessions, turns
from memoryapp.store.sessions import Session

_SESSIONS = 30
_TABS = {"": "All", "under-way": "Under way", "ended": "Ended"}


@require_GET
@page()
def sessions_page(request: PageRequest) -> HttpResponse:
    return show(request, "sessions/sessions.html", list_context(request), at="sessions")


def list_context(request: PageRequest) -> dict[str, Any]:
    """A page of the list, as the address asks for it. Raises BadInput."""
    space, which = request.desk.memory, request.GET.get("which", "")
    if which not in _TABS:
        raise BadInput(f"“{which[:40]}” is not a kind of session. Known: under-way, ended.", field="which")
    under_way = None if not which else which == "under-way"
    after = request.GET.get("after", "")
    found = sessions.page(space.db, before=place_after(after), limit=_SESSIONS + 1, under_way=under_way)
    lines = lines_of(space, found[:_SESSIONS])
    every, going_on = sessions.count(space.db)
    counts = {"": every, "under-way": going_on, "ended": every - going_on}
    last = lines[-1].session if len(found) > _SESSIONS else None
    more = address(request.GET, after=f"{last.started_at.isoformat()}~{last.name}") if last else ""
    return {
        "lines": lines,
        "tabs": [(key, name, counts[key], key == which) for key, name in _TABS.items()],
        "which": which,
        "every": every,
        "waiting": turns.count_waiting(space.db),
        "reads": space.tuning.extractor,
        "pager": Pager(address(request.GET) if after else "", more, human.count_text(len(lines), "session"), _SESSIONS),
    }


@require_POST
@page(Role.WRITER)
def begin(request: PageRequest) -> HttpResponse:
    """Opens a session by hand."""
    space, desk = request.desk.memory, request.desk
    name = " ".join(request.POST.get("name", "").split())
    if not 0 < len(name) <= 200:
        raise BadInput("A session needs a name of at most 200 characters.", field="name")
    opened = sessions.open_session(space.db, Session(name, space.clock(), agent=desk.actor.name))
    return redirect_with_message(request, reverse("session", args=[opened.id]))


@require_GET
@page()
def session_page(request: PageRequest, key: str) -> HttpResponse:
    """`turn` opens the stretch around a turn, `after` the one behind it. `of` is the session's name, where the address
    was made of that: under one that nobody opened, notes may have been written."""
    space, name = request.desk.memory, request.GET.get("of", "")
    if derived_id("session", name) == key and not sessions.existing_sessions(space.db, [name]):
        return HttpResponseRedirect(f"{reverse('memories')}?{urlencode({'source': name})}")
    session = sessions.by_id(space.db, key)
    context = _conversation(
        request, session, after=_turn_before_page(request), whole=_number(request.GET.get("whole", ""))
    )
    speakers = list(turns.speakers(space.db, session.name))[:20]  # for the one who types
    return show(request, "sessions/session.html", {**context, "speakers": speakers}, at="sessions")


@require_GET
@page()
def live_conversation(request: PageRequest, key: str) -> HttpResponse:
    """The conversation alone, asked for every few seconds; no content while nothing of it has changed."""
    space = request.desk.memory
    session = sessions.by_id(space.db, key)
    context = _conversation(request, session, after=_turn_before_page(request))
    if context["seen"] == request.GET.get("seen"):
        return HttpResponse(status=204)
    return show(request, "sessions/session.html#talk", context)


@require_POST
@page(Role.WRITER)
def say_turn(request: PageRequest, key: str) -> HttpResponse:
    """A turn typed by hand; the answer is the end of the conversation."""
    space, sent = request.desk.memory, request.POST
    session = sessions.by_id(space.db, key)
    try:
        role = Speaks(sent.get("role") or Speaks.USER)
    except ValueError:
        raise BadInput(f"The role must be one of {', '.join(Speaks)}.", field="role") from None
    new = NewTurn(
        sent.get("text", ""), speaker=sent.get("speaker", "").strip() or None, role=role, private="private" in sent
    )
    kept = remember.append_turns(space, session.name, [new], actor=request.desk.actor)
    _read_soon(request, [turn.id for turn in kept])
    return _show_talk(request, session, after=max(kept[-1].number - PAGE, 0))


@require_POST
@page(Role.WRITER)
def set_private(request: PageRequest, key: str) -> HttpResponse:
    """All that is said in it from now on is private, or no longer so."""
    space, private = request.desk.memory, request.POST.get("private") == "1"
    sessions.set_private(space.db, sessions.by_id(space.db, key).name, to=private)
    told = "Private: new turns are not searchable, learned from or exported." if private else "No longer private."
    return redirect_with_message(request, reverse("session", args=[key]), told)


@require_POST
@page(Role.CURATOR)
def erase_private(request: PageRequest, key: str) -> HttpResponse:
    """The private words that were kept of it, for good."""
    space = request.desk.memory
    count = turns.erase_private_words(space.db, sessions.by_id(space.db, key).name)
    return redirect_with_message(
        request, reverse("session", args=[key]), f"Deleted the private text of {human.count_text(count, 'turn')}."
    )


@require_POST
@page(Role.WRITER)
def end(request: PageRequest, key: str) -> HttpResponse:
    space = request.desk.memory
    session = sessions.by_id(space.db, key)
    sessions.end(space.db, session.name, at=space.clock())
    told = "Ended."
    if session.ended_at is None and turns.last_number(space.db, session.name):
        submit_narration(request.desk.space.name, session.name, actor=request.desk.actor)
        told = "Ended. Its episode is written once its turns are processed, if there is enough to write about."
    return redirect_with_message(request, reverse("session", args=[key]), told)


@require_POST
@page(Role.WRITER)
def read_again(request: PageRequest, key: str) -> HttpResponse:
    """Reads one turn again, or all of them."""
    space = request.desk.memory
    session = sessions.by_id(space.db, key)
    wanted = [request.POST["turn"]] if request.POST.get("turn") else _all_turns(request, session)
    count = remember.read_again(space, wanted)
    if not count:
        return say(HttpResponse(status=204), "It has no turns to process.")
    _read_soon(request, wanted)
    told = (
        f"{human.count_text(count, 'turn')} {'waits' if count == 1 else 'wait'} to be processed. What was learned "
        f"stays."
    )
    return say(_show_talk(request, session, after=_turn_before_page(request)), told)


@require_POST
@page(Role.WRITER)
def tell(request: PageRequest, key: str) -> HttpResponse:
    """A job that writes the session's episode now, whether or not there is as much as one needs by itself."""
    space = request.desk.memory
    session = sessions.by_id(space.db, key)
    submit_narration(request.desk.space.name, session.name, actor=request.desk.actor, force=True)
    return say(_show_talk(request, session, after=_turn_before_page(request)), "The episode is being written.")


def _conversation(request: PageRequest, session: Session, *, after: int, whole: int = 0) -> dict[str, Any]:
    """A stretch of it and what stands beside. It asks again while turns wait, while it is told, or while more may be
    said."""
    space = request.desk.memory
    talk, beside = talk_of(space, session.name, after=after, whole=whole), aside_of(space, session)
    telling = telling_of(request.desk.space.name, session)
    at_end, going_on = talk.last >= talk.total, session.ended_at is None
    seen = f"{talk.seen}-{beside['episode'].version if beside['episode'] else 0}-{telling}-{going_on}"
    return {
        "session": session,
        "talk": talk,
        "telling": telling,
        "every": 2 if talk.waiting or telling == "telling" else 6 if going_on and at_end else 0,
        "after": talk.first - 1 if talk.first else 0,
        "seen": seen,
        "pager": _pager(session, talk),
        **beside,
    }


def _pager(session: Session, talk: Talk) -> Pager:
    here = reverse("session", args=[session.id])
    many = human.count_text(talk.total, "turn")
    shown = f"turns {talk.first} to {talk.last} of {human.number(talk.total)}"
    return Pager(
        f"{here}?{urlencode({'after': max(talk.first - 1 - PAGE, 0)})}" if talk.first > 1 else "",
        f"{here}?{urlencode({'after': talk.last})}" if talk.last < talk.total else "",
        shown if talk.first and talk.last - talk.first + 1 < talk.total else many,
        PAGE,
        "Previous",
        "Next",
    )


def _show_talk(request: PageRequest, session: Session, *, after: int) -> HttpResponse:
    return show(request, "sessions/session.html#talk", _conversation(request, session, after=after))


def _read_soon(request: PageRequest, keys: list[str]) -> None:
    """A job, where one of these turns waits for a reader."""
    desk = request.desk
    readings = turns.readings(desk.memory.db, keys)
    if any(reading.status is ReadingStatus.WAITING for reading in readings.values()):
        submit_reading(desk.space.name, actor=desk.actor)


def _all_turns(request: PageRequest, session: Session) -> list[str]:
    found: list[str] = []
    number = 0
    while stretch := turns.of_session(request.desk.memory.db, session.name, after=number, limit=500):
        found += [turn.id for turn in stretch]
        number = stretch[-1].number
    return found


def _turn_before_page(request: PageRequest) -> int:
    wanted = _number(request.GET.get("turn", ""))
    return max(wanted - 4, 0) if wanted else _number(request.GET.get("after", ""))


def _number(text: str) -> int:
    return whole_number(text) or 0
