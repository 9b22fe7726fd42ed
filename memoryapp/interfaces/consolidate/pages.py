"""Consolidate: what old daily logs would become, sentence by sentence; written, rolled back; and the words that mark a
sentence, which the space's setting keeps in one line, parted by commas.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryapp import consolidate, graph, review
from memoryapp.accounts.models import Space
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import set_settings
from memoryapp.consolidate import Digest, Preview, Ranker
from memoryapp.domain.errors import BadInput, Clash, NotAllowed, NotFound
from memoryapp.domain.sentences import MARKERS, markers_in
from memoryapp.interfaces.consolidate.presenter import (
    RANKERS,
    Picks,
    also_due,
    digest_line,
    doing_of,
    forget_picks,
    keep_picks,
    page_of,
    picks_of,
    preview_of,
    read_prints,
    run_lines,
)
from memoryapp.interfaces.jobs.presenter import job_view
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import (
    STOP_POLLING,
    PageRequest,
    came_from,
    page,
    redirect_with_message,
    say,
    show,
)
from memoryapp.interfaces.pages.filters import address
from memoryapp.interfaces.pages.paging import Pager, place_after
from memoryapp.jobs.models import OPEN, Job
from memoryapp.jobs.requests import submit_consolidate
from memoryapp.store import revisions

_SETTING = "marker_words"
MOST = 100
CHARS = 40
KEYS = [
    ("j k", "Next sentence or digest, previous"),
    ("x", "Keep or drop it"),
    ("↵", "Open its source"),
    ("w", "Write the digests"),
    ("u", "Undo the last action"),
]
_RUNS = 25
_MARKS_BEFORE = "consolidate-marks"  # in the session: the words before the last change


@dataclass(frozen=True, slots=True)
class Look:
    """By which ranker and age the page looks. `own`: of the space's settings, so that no address need say it."""

    ranker: Ranker
    days: int
    own: bool

    @property
    def key(self) -> str:
        return f"{self.ranker.value}:{self.days}"


@require_GET
@page()
def consolidate_page(request: PageRequest) -> HttpResponse:
    look, space = _look(request), request.desk.memory
    context: dict[str, Any] = {
        "look": look,
        "old": consolidate.old_enough(space, older_than_days=look.days),
        **_tabs(request, "preview"),
        **_job(request),
        "runs": run_lines(space, you=request.desk.actor.name),
        "due": also_due(request.desk),
        "rankers": [(one.value, words, one is look.ranker) for one, words in RANKERS.items()],
        "page_keys": KEYS if request.desk.may.decide else [],
    }
    preview = preview_of(space, ranker=look.ranker, days=look.days)
    if preview is None:
        if _is_waiting_poll(request):
            return show(request, "consolidate/waiting.html#", context)
        return show(request, "consolidate/consolidate.html", {**context, "waiting": True}, at="consolidate")
    picks = _picks(request, look)
    context |= page_of(preview, picks, after=request.GET.get("after", ""))
    context["count"] = len(preview.due)
    context["pager"] = _pager(request, context)
    response = show(request, "consolidate/consolidate.html", context, at="consolidate")
    if _is_waiting_poll(request):
        response["HX-Refresh"] = "true"
    return response


@require_POST
@page(Role.CURATOR)
def pick(request: PageRequest) -> HttpResponse:
    """Puts a digest among those that are written, or takes it out."""
    look = _look(request)
    preview = _preview(request, look)
    picks = _picks(request, look)
    picks.put(_digest(preview, request.POST.get("digest", "")), on=bool(request.POST.get("on")))
    keep_picks(request.session, request.desk.space.name, look.key, picks)
    return show(request, "consolidate/summed.html#", {"doing": doing_of(preview, picks), "look": look})


@require_POST
@page(Role.CURATOR)
def swap(request: PageRequest) -> HttpResponse:
    """A digest takes the sentences that are ticked, and no others; `reset` gives the choice back to the ranker."""
    look = _look(request)
    preview = _preview(request, look)
    picks = _picks(request, look)
    digest = _digest(preview, request.POST.get("digest", ""))
    hidden = {one.id for one in picks.shown(digest).taken} - set(request.POST.getlist("shown"))
    if request.POST.get("reset"):
        picks.sentences.pop(digest.id, None)
    else:
        picks.take(digest, [*hidden, *request.POST.getlist("take")])
    keep_picks(request.session, request.desk.space.name, look.key, picks)
    every = bool(request.POST.get("every"))
    context = {
        "line": digest_line(digest, picks, every=every),
        "every": every,
        "doing": doing_of(preview, picks),
        "look": look,
    }
    return show(request, "consolidate/swapped.html#", context)


@require_GET
@page()
def digest(request: PageRequest, key: str) -> HttpResponse:
    """One digest with every sentence that is left."""
    look = _look(request)
    preview = _preview(request, look)
    line = digest_line(_digest(preview, key), _picks(request, look), every=True)
    return show(request, "consolidate/digest.html#", {"line": line, "every": True, "look": look})


@require_POST
@page(Role.CURATOR)
def write(request: PageRequest) -> HttpResponse:
    """Begins the job that writes all that is due, or only what is picked; as it was seen, or not at all."""
    desk, look = request.desk, _look(request)
    preview, picks = _preview(request, look), _picks(request, look)
    only = request.POST.get("which") == "picked"
    wanted = [one for one in preview.digests if (picks.wants(one) if only else not one.rolled_back)]
    if not wanted:
        raise BadInput("No digest is selected." if only else "There is no digest to write.", field="which")
    choices = picks.choices(wanted, prints=read_prints(request.POST.get("seen", "")))
    if not choices:
        raise Clash("The daily logs were changed since this page was loaded. Check the preview again.")
    job = submit_consolidate(
        desk.space.name,
        actor=desk.actor,
        ranker=look.ranker.value,
        older_than_days=look.days,
        choices=choices,
    )
    forget_picks(request.session, desk.space.name)
    return redirect_with_message(request, f"{reverse('consolidate')}{_query(request, job=job.pk)}")


@require_GET
@page()
def working(request: PageRequest, key: str) -> HttpResponse:
    """The job that writes, as far as it is; asked every second until it has ended, then the page is drawn anew."""
    job = _job_named(request, key)
    context = {"job": job, "told": job_view(job, you=request.desk.actor.name), "look": _look(request)}
    response = show(request, "consolidate/working.html#", context, status=200 if job.open else STOP_POLLING)
    if not job.open:
        response["HX-Refresh"] = "true"
    return response


@require_GET
@page()
def runs_page(request: PageRequest) -> HttpResponse:
    place = place_after(request.GET.get("after", ""))
    found = run_lines(request.desk.memory, you=request.desk.actor.name, before=place, limit=_RUNS + 1)
    shown = found[:_RUNS]
    last = f"{shown[-1].past.run.started_at.isoformat()}~{shown[-1].past.run.id}" if len(found) > _RUNS else ""
    pager = Pager(
        newer=reverse("consolidate-runs") if place else "",
        older=address(request.GET, after=last) if last else "",
        shown=human.count_text(len(shown), "run"),
        size=_RUNS,
    )
    return show(
        request, "consolidate/runs.html", {"lines": shown, "pager": pager, **_tabs(request, "runs")}, at="consolidate"
    )


@require_POST
@page(Role.CURATOR)
def roll_back(request: PageRequest, run: str) -> HttpResponse:
    """Digests gone, originals held again, as before the run. Taking this back writes the digests again."""
    space = request.desk.memory
    if revisions.get_run(space.db, run).act != "consolidate":
        raise Clash("This run is not a consolidation. The audit can undo any run.")
    undone = review.undo_run(space, run, actor=request.desk.actor)
    graph.put_again(space, run)
    said = f"Rolled back: {human.count_text(undone.taken_back, 'memory', 'memories')} restored."
    if undone.left:
        said += f" {human.count_text(len(undone.left), 'change')} stayed, because something was changed since."
    to = came_from(request, reverse("consolidate"))
    return redirect_with_message(request, to, said, undo=reverse("run-undo", args=[undone.run.id]))


@require_http_methods(["GET", "POST"])
@page()
def marks_page(request: PageRequest) -> HttpResponse:
    """The words that make a sentence worth more; each change is saved at once, and can be undone."""
    row = request.desk.space
    if request.method == "GET":
        return _marks(request)
    if not request.desk.may.rule:
        raise NotAllowed("Only an administrator of this space can change its settings.")
    before, typed = words_of(row), request.POST
    if request.GET.get("undo"):
        save_markers(row, request.session.get(_MARKS_BEFORE, {}).get(row.name, before))
        return redirect_with_message(request, reverse("consolidate-marks"), "Undone.")
    try:
        if typed.get("reset"):
            reset_markers(row)
            said = "Marks reset to the defaults."
        elif typed.get("drop"):
            drop_marker(row, typed["drop"])
            said = f"“{typed['drop'][:CHARS]}” removed."
        else:
            new = add_marker(row, typed.get("word", ""))
            said = f"Added: {', '.join(new)}." if new else "That is already a mark."
    except BadInput as problem:
        return _marks(request, problem=problem.detail, typed=typed.get("word", ""))
    request.session[_MARKS_BEFORE] = {**request.session.get(_MARKS_BEFORE, {}), row.name: before}
    response = _marks(request)
    undo = f"{reverse('consolidate-marks')}?undo=1" if words_of(row) != before else ""
    return say(response, said, undo=undo)


def _marks(request: PageRequest, *, problem: str = "", typed: str = "") -> HttpResponse:
    row = request.desk.space
    context = {"marks": marks_of(row), "own": has_own_markers(row), "problem": problem, "typed": typed}
    if request.htmx:
        return show(request, "consolidate/marks.html#marks", context)
    return show(request, "consolidate/marks.html", {**context, **_tabs(request, "marks")}, at="consolidate")


def _look(request: PageRequest) -> Look:
    """Raises BadInput for a ranker or an age that is none."""
    tuning = request.desk.memory.tuning
    asked = request.POST if request.method == "POST" else request.GET
    wanted, days = asked.get("ranker", ""), asked.get("days", "").strip()
    try:
        ranker = Ranker(wanted or tuning.digest_ranker)
    except ValueError:
        known = ", ".join(Ranker)
        raise BadInput(f"“{wanted[:40]}” is not a ranker. Known: {known}.", field="ranker") from None
    if days and not (days.isascii() and days.isdigit() and len(days) < 6):
        raise BadInput("The age must be a whole number of days.", field="days")
    age = int(days) if days else tuning.consolidate_after_days
    return Look(ranker, age, ranker.value == tuning.digest_ranker and age == tuning.consolidate_after_days)


def _preview(request: PageRequest, look: Look) -> Preview:
    found = preview_of(request.desk.memory, ranker=look.ranker, days=look.days)
    if found is None:
        raise Clash("The daily logs were changed; the preview is being recomputed. Reload the page.")
    return found


def _digest(preview: Preview, key: str) -> Digest:
    found = next((one for one in preview.digests if one.id == key), None)
    if found is None:
        raise NotFound("This digest is no longer in the preview: its sections have changed. Reload the page.")
    return found


def _picks(request: PageRequest, look: Look) -> Picks:
    return picks_of(request.session, request.desk.space.name, look.key)


def _tabs(request: PageRequest, at: str) -> dict[str, Any]:
    return {"tab": at, "purpose_days": request.desk.memory.tuning.consolidate_after_days}


def _job(request: PageRequest) -> dict[str, Any]:
    """The job that writes now, or the one that the address names."""
    mine = Job.objects.filter(space=request.desk.space.name, kind="consolidate")
    key = request.GET.get("job", "")
    job = mine.filter(status__in=OPEN).order_by("created_at").first() or (mine.filter(pk=key).first() if key else None)
    if job is None:
        return {}
    return {"job": job, "told": job_view(job, you=request.desk.actor.name)}


def _job_named(request: PageRequest, key: str) -> Job:
    job = Job.objects.filter(space=request.desk.space.name, kind="consolidate", pk=key).first()
    if job is None:
        raise NotFound(f"There is no job {key} that consolidates this space.")
    return job


def _is_waiting_poll(request: PageRequest) -> bool:
    return bool(request.htmx) and request.headers.get("HX-Target") == "waiting"


def _query(request: PageRequest, **put: str) -> str:
    look = _look(request)
    told = put if look.own else {"ranker": look.ranker.value, "days": str(look.days), **put}
    asked = request.GET.copy()
    asked.clear()
    for name, value in told.items():
        asked[name] = value
    return f"?{asked.urlencode()}" if told else ""


def _pager(request: PageRequest, context: dict[str, Any]) -> Pager:
    before = {"after": context["newer_after"]} if context["newer_after"] else {}
    newer = address(request.GET, without=["job"], **before)
    older = address(request.GET, without=["job"], after=context["older_after"])
    return Pager(
        newer=newer if context["newer"] else "",
        older=older if context["older_after"] else "",
        shown=context["shown"],
        size=len(context["lines"]),
        back="Previous",
        on="Next",
    )


@dataclass(frozen=True, slots=True)
class Mark:
    word: str
    lang: str


def marks_of(row: Space) -> list[Mark]:
    return [Mark(word, wording.language(word)) for word in _words(row)]


def has_own_markers(row: Space) -> bool:
    """Whether the space has other words than every space begins with."""
    return _words(row) != markers_in(MARKERS)


def add_marker(row: Space, typed: str) -> tuple[str, ...]:
    """Adds one or several, parted by commas; returns those that are new. Raises BadInput."""
    before = _words(row)
    wanted = markers_in(typed)
    if not wanted:
        raise BadInput("Enter a word first.", field="word")
    if long := [word for word in wanted if len(word) > CHARS]:
        raise BadInput(f"“{long[0][:CHARS]}…” is too long for a mark: {CHARS} characters at most.", field="word")
    new = tuple(word for word in wanted if word not in before)
    if len(before) + len(new) > MOST:
        raise BadInput(f"A space has {MOST} marks at most.", field="word")
    save_markers(row, [*before, *new])
    return new


def drop_marker(row: Space, word: str) -> None:
    save_markers(row, [one for one in _words(row) if one != word])


def save_markers(row: Space, words: list[str] | tuple[str, ...]) -> None:
    """Replaces the words; those that every space begins with need no setting."""
    told = {name: value for name, value in row.settings.items() if name != _SETTING}
    if tuple(words) != markers_in(MARKERS):
        told[_SETTING] = ", ".join(words)
    set_settings(row, told)


def reset_markers(row: Space) -> None:
    save_markers(row, markers_in(MARKERS))


def words_of(row: Space) -> list[str]:
    return list(_words(row))


def _words(row: Space) -> tuple[str, ...]:
    return markers_in(str(row.settings.get(_SETTING, MARKERS)))
