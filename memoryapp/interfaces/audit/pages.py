"""The audit: every act with its changes, narrowed by the address; a change or a whole run taken back."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q
from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from memoryapp import review
from memoryapp.accounts.actor import name_of
from memoryapp.accounts.keys import MARK, key_named
from memoryapp.accounts.models import ApiKey
from memoryapp.accounts.roles import Role
from memoryapp.domain.change import Run
from memoryapp.interfaces.audit.presenter import days_of, run_lines
from memoryapp.interfaces.pages import human
from memoryapp.interfaces.pages.access import PageRequest, came_from, page, redirect_with_message, show
from memoryapp.interfaces.pages.clock import RECORDED
from memoryapp.interfaces.pages.filters import Adder, Chip, Field, address, day_of, span_of
from memoryapp.interfaces.pages.paging import Pager, place_after
from memoryapp.spaces import Space
from memoryapp.store import audit, revisions
from memoryapp.store.audit import Act

_RUNS, _CHANGES = 25, 60  # a page
_ACTS = (
    "remember", "read", "ingest", "edit", "resolve", "archive", "delete", "restore", "confirm", "tag", "categorise",
    "undo", "purge", "expire",
)  # fmt: skip


@require_GET
@page(follows=RECORDED)
def audit_page(request: PageRequest) -> HttpResponse:
    key = request.GET.get("run", "")
    return show(request, "audit/audit.html", _one_run(request, key) if key else list_context(request), at="audit")


def list_context(request: PageRequest) -> dict[str, Any]:
    """A page of runs, as the address asks for it. Raises BadInput."""
    asked, space = request.GET, request.desk.memory
    record, until = asked.get("record", "").strip()[:64], day_of(asked, "until", after=1)
    if request.desk.past:
        until = min(until or request.desk.past.at, request.desk.past.at)
    found = audit.acts(
        space.db,
        before=place_after(asked.get("after", "")),
        since=day_of(asked, "since"),
        until=until,
        act=asked.get("act") or None,
        actor=asked.get("actor") or None,
        by_key=_name_of_key(request),
        said=asked.get("agent") or None,
        only=audit.runs_of_record(space.db, record) if record else None,
        limit=_RUNS + 1,
    )
    shown = found[:_RUNS]
    return {
        "days": days_of(
            run_lines(
                space,
                shown,
                you=request.desk.actor.name,
                undone=_undone_runs(space, shown),
                may_decide=request.desk.may.decide,
            )
        ),
        "chips": _chips(request),
        "adders": _adders(request),
        "action": reverse("audit"),
        "clear": reverse("audit"),
        "pager": _pager(request, shown, more=len(found) > _RUNS),
    }


@require_POST
@page(Role.CURATOR)
def undo(request: PageRequest, revision: str) -> HttpResponse:
    """Takes one change back; the page is drawn anew."""
    undone = review.undo_revision(request.desk.memory, revision, actor=request.desk.actor)
    to = came_from(request, reverse("audit"))
    return redirect_with_message(request, to, "One change undone.", undo=reverse("run-undo", args=[undone.run.id]))


def _name_of_key(request: PageRequest) -> str | None:
    """What the history calls the key that the address names. Raises NotFound."""
    key = request.GET.get("key", "")[:80]
    return name_of(key_named(key, request.desk.space)) if key else None


def _keys(request: PageRequest) -> list[tuple[str, str, bool]]:
    """The keys that open this space, those used last first: (how it begins, what it is called, whether it is named)."""
    known = ApiKey.objects.filter(Q(space=request.desk.space) | Q(space=None), local=False)
    asked = request.GET.get("key", "")
    return [
        (f"{MARK}_{key.prefix}", f"{key.name}, {MARK}_{key.prefix}", f"{MARK}_{key.prefix}" == asked)
        for key in known.order_by(F("last_used_at").desc(nulls_last=True))[:40]
    ]


def _one_run(request: PageRequest, key: str) -> dict[str, Any]:
    """A run with all it changed, a page at a time. Raises NotFound."""
    space = request.desk.memory
    run = revisions.get_run(space.db, key)
    after = request.GET.get("after", "")
    found = audit.changes(space.db, run.id, after=after, limit=_CHANGES + 1)
    shown = found[:_CHANGES]
    count = audit.changes_of(space.db, [run.id], limit=0)[run.id][1]
    act = Act(run, shown, count)
    lines = run_lines(
        space,
        [act],
        you=request.desk.actor.name,
        undone=_undone_runs(space, [act]),
        may_decide=request.desk.may.decide,
    )
    older = address(request.GET, after=shown[-1].id) if len(found) > _CHANGES else ""
    newer = address(request.GET) if after else ""
    told = human.count_text(count, "change")
    return {"days": days_of(lines), "run": run, "pager": Pager(newer, older, told, _CHANGES, "First", "Next")}


def _undone_runs(space: Space, shown: tuple[Act, ...] | list[Act]) -> dict[str, str]:
    return audit.undone(space.db, since=min(act.run.started_at for act in shown)) if shown else {}


def _cursor(run: Run) -> str:
    return f"{run.started_at.isoformat()}~{run.id}"


def _pager(request: PageRequest, shown: tuple[Act, ...], *, more: bool) -> Pager:
    older = address(request.GET, after=_cursor(shown[-1].run)) if more else ""
    newer = address(request.GET) if request.GET.get("after") else ""
    return Pager(newer, older, f"{human.count_text(len(shown), 'act')} shown, newest first", _RUNS, "Newest")


def _chips(request: PageRequest) -> list[Chip]:
    asked = request.GET
    chips = [
        Chip(label, asked[key][:80], address(asked, without=[key]))
        for key, label in (
            ("actor", "Who"),
            ("key", "Key"),
            ("agent", "Agent"),
            ("act", "Action"),
            ("record", "Record"),
        )
        if asked.get(key)
    ]
    if asked.get("since") or asked.get("until"):
        chips.append(Chip("Between", span_of(asked), address(asked, without=["since", "until"])))
    return chips


def _adders(request: PageRequest) -> list[Adder]:
    asked = request.GET

    def kept(*own: str) -> list[tuple[str, str]]:
        return [(name, asked[name]) for name in asked if name not in (*own, "after", "space") and asked[name]]

    names = audit.actors(request.desk.memory.db)[:40]
    agents = sorted({name.rpartition("/")[2] for name in names if "/" in name})
    keys = _keys(request) if request.desk.may.rule else []
    return [
        Adder("actor", "Who", [(name, name, name == asked.get("actor")) for name in names], [], kept("actor")),
        *([Adder("key", "Key", keys, [], kept("key"))] if keys else []),
        *(
            [Adder("agent", "Agent", [(name, name, name == asked.get("agent")) for name in agents], [], kept("agent"))]
            if agents
            else []
        ),
        Adder("act", "Action", [(act, act, act == asked.get("act")) for act in _ACTS], [], kept("act")),
        Adder(
            "between",
            "Between",
            [],
            [
                Field("since", "From", "date", asked.get("since", "")),
                Field("until", "Until (inclusive)", "date", asked.get("until", "")),
            ],
            kept("since", "until"),
        ),
        Adder(
            "record",
            "Record",
            [],
            [Field("record", "Id of a memory, entity or conflict", "text", asked.get("record", ""))],
            kept("record"),
        ),
    ]
