"""The review page put together: tabs with their counts, the queue, one case with all that helps to decide it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from django.utils.http import urlencode

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.review.case import Case
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, usage
from memoryapp.web import human
from memoryapp.web.access import Desk
from memoryapp.web.clashes import line_of, proposals_told, sides_of
from memoryapp.web.verdicts import (
    SHORT,
    WORDS,
    becomes,
    buttons_of,
    detector_told,
    offered,
    status_told,
    subject_of,
    sureness,
)

TABS = {"waiting": "Waiting", "automatic": "Decided automatically", "decided": "Decided", "snoozed": "Snoozed"}
SORTS = {
    "newest": "Newest first",
    "oldest": "Oldest first",
    "confidence": "Most confident first",
    "trust": "Most trust at stake first",
}
_QUEUE = 25
_MOST_SURE = 200  # accepted in one go
_LISTED = 12
_POLICIES = {"review": "review all", "auto-certain": "decide the certain", "auto": "decide automatically"}


@dataclass(frozen=True, slots=True)
class Asked:
    """The address of the page: which tab, narrowed to a detector, in which order, from where on."""

    tab: str = ""
    detector: str = ""
    sort: str = "newest"
    after: str = ""

    @property
    def query(self) -> str:
        kept = {"tab": self.tab, "detector": self.detector, "after": self.after}
        kept |= {"sort": self.sort} if self.sort != "newest" else {}
        return urlencode({name: value for name, value in kept.items() if value})


def asked_of(asked: QueryDict) -> Asked:
    """Raises BadInput that names the parameter."""
    tab, sort = asked.get("tab", ""), asked.get("sort") or "newest"
    if tab and tab not in TABS:
        raise BadInput(f"“{tab[:40]}” is not a tab. Known: {', '.join(TABS)}.", field="tab")
    if sort not in SORTS:
        raise BadInput(f"“{sort[:40]}” is not a sort order. Known: {', '.join(SORTS)}.", field="sort")
    return Asked(tab, asked.get("detector", "")[:60], sort, asked.get("after", "")[:200])


def judge_of(desk: Desk, asked: Asked, *, key: str = "", lenient: bool = False, last: str = "") -> dict[str, Any]:
    """All that the page shows. `lenient`: a case that is not there any more gives way to the first of the queue.
    `last`: the conflict that the reader decided last, offered to be taken back.

    Raises NotFound for a `key` that names no conflict, where it is not lenient.
    """
    space = desk.memory
    tab = asked.tab or (_tab_of(space, key) if key else "waiting")
    here = Asked(tab, asked.detector, asked.sort, asked.after)
    found = review.queue(
        space, tab=tab, detector=here.detector or None, sort=here.sort, after=here.after or None, limit=_QUEUE
    )
    if asked.after and not found.cases:  # the last of a later page was decided: what waits is on the first
        return judge_of(desk, replace(asked, after=""), key=key, lenient=lenient, last=last)
    lines = [line_of(one.conflict, one.existing, one.incoming) for one in found.cases]
    ids = [line.id for line in lines]
    chosen = key if key and (not lenient or key in ids) else (ids[0] if ids else "")
    shown = next((one for one in found.cases if one.conflict.id == chosen), None)
    if chosen and shown is None:
        shown = review.case(space, chosen)
    counts = review.tallies(space)
    sure = conflicts.sure(space.db, now=space.clock(), limit=_MOST_SURE)
    return {
        "tabs": _tabs(counts, here),
        "asked": here,
        "lines": lines,
        "total": found.total,
        "older": f"?{_more(here, found.next)}" if found.next else "",
        "filters": _filters(here, found.detectors),
        "sorts": [(f"?{_with(here, sort=sort)}", told, sort == here.sort) for sort, told in SORTS.items()],
        "sorted_by": SORTS[here.sort],
        "sure": len(sure) if tab == "waiting" else 0,
        "policy": _POLICIES.get(space.tuning.conflict_policy, space.tuning.conflict_policy),
        "case": case_context(desk, shown, ids=ids, asked=here) | {"last": last} if shown else None,
        "page_keys": _KEYS if desk.role.allows(Role.WRITER) else _READER_KEYS,
        "waiting": counts["waiting"],
    }


def case_context(desk: Desk, case: Case, *, ids: Sequence[str], asked: Asked) -> dict[str, Any]:
    space, conflict = desk.memory, case.conflict
    at = ids.index(conflict.id) if conflict.id in ids else -1
    following = ids[at + 1 :][:1] or ids[:at][-1:]
    used = usage.get_many(space.db, [m.id for m in (case.existing, case.incoming) if m])
    one, other = sides_of(
        conflict,
        case.existing,
        case.incoming,
        trusts=(case.existing_trust, case.incoming_trust),
        turns=(case.existing_turn, case.incoming_turn),
        used=used,
    )
    undecided = conflict.status is ConflictStatus.WAITING
    return {
        "key": conflict.id,
        "conflict": conflict,
        "subject": subject_of(conflict, case.existing),
        "detector": detector_told(conflict.detector),
        "one": one,
        "other": other,
        "proposal": WORDS[conflict.outcome],
        "sure": sureness(conflict),
        "gate": case.gate or "",
        "precedents": case.precedents[:4],
        "proposals": proposals_told(conflict, you=desk.actor.name),
        "buttons": buttons_of(conflict) if undecided else [],
        "status": status_told(conflict, now=space.clock(), you=desk.actor.name),
        "snoozed": case.snoozed,
        "undoable": conflict.status in (ConflictStatus.DECIDED, ConflictStatus.AUTOMATIC),
        "changes": undecided,
        "pair": case.incoming is not None,
        "merged": review.suggest_merge(case.existing, case.incoming) if case.incoming else conflict.incoming_text,
        "position": at + 1 if at >= 0 and not asked.after else 0,
        "before": ids[at - 1] if at > 0 else "",
        "next": following[0] if following else "",
        "onward": ids[at + 1] if 0 <= at < len(ids) - 1 else (ids[0] if at < 0 and ids else ""),
    }


def changes_of(desk: Desk, key: str) -> dict[str, Any]:
    """The table of what changes, an outcome a row, the proposed one first. Raises NotFound."""
    space = desk.memory
    case = review.case(space, key)
    conflict, now = case.conflict, space.clock()
    rows = [
        becomes(conflict, case.existing, case.incoming, one, now=now, lines=_lines(space, conflict, one))
        for one in sorted(offered(conflict), key=lambda one: one is not conflict.outcome)
    ]
    return {"rows": rows, "pair": case.incoming is not None, "key": key}


def accepting(desk: Desk, asked: QueryDict) -> dict[str, Any]:
    """What would be accepted: all the certain ones, or those picked. Only what waits counts."""
    space = desk.memory
    if asked.get("which") == "sure":
        ids: Sequence[str] = conflicts.sure(space.db, now=space.clock(), limit=_MOST_SURE)
    else:
        ids = list(dict.fromkeys(asked.getlist("ids")))[:_MOST_SURE]
    found = [c for c in conflicts.get_many(space.db, ids).values() if c.status is ConflictStatus.WAITING]
    shown = found[:_LISTED]
    known = memories.get_many(space.db, [k for c in shown for k in (c.existing, c.incoming) if k])
    lines = [
        (line_of(c, known[c.existing], known.get(c.incoming or "")), known[c.existing].text)
        for c in shown
        if c.existing in known
    ]
    counts = {told: sum(c.outcome is outcome for c in found) for outcome, told in SHORT.items()}
    return {
        "ids": [c.id for c in found],
        "lines": lines,
        "rest": len(found) - len(shown),
        "counts": [(count, told) for told, count in counts.items() if count],
        "asked": asked_of(asked),
    }


def _lines(space: Space, conflict: Conflict, outcome: Outcome) -> list[str]:
    """What changes beside the two: what was made from one that goes, and other cases that close."""
    found = review.impact(space, conflict.id, outcome)
    kinds = Counter(str(memory.kind) for memory in found.derived)
    told = []
    if anew := kinds.pop("summary", 0):
        told.append(f"{human.counted(anew, 'summary', 'summaries')} rewritten")
    if tell := kinds.pop("episode", 0):
        told.append(f"{human.counted(tell, 'episode')} still {'mentions' if tell == 1 else 'mention'} it")
    if others := kinds.total():
        told.append(f"{human.counted(others, 'memory', 'memories')} made from it")
    if found.closes:
        told.append(f"{human.counted(len(found.closes), 'other case')} closed")
    return told


def _tab_of(space: Space, key: str) -> str:
    """Where a case is found now. Raises NotFound."""
    conflict = conflicts.get(space.db, key)
    if conflict is None:
        raise NotFound(f"There is no conflict {key} in space “{space.name}”.")
    if conflict.status is ConflictStatus.WAITING:
        return "snoozed" if conflict.snoozed_until and conflict.snoozed_until > space.clock() else "waiting"
    return "automatic" if conflict.status is ConflictStatus.AUTOMATIC else "decided"


def _tabs(counts: Mapping[str, int], asked: Asked) -> list[dict[str, Any]]:
    return [
        {"key": key, "name": name, "count": counts.get(key, 0), "on": key == asked.tab, "href": f"?tab={key}"}
        for key, name in TABS.items()
    ]


def _with(asked: Asked, **changed: str) -> str:
    names = {"tab": asked.tab, "detector": asked.detector, "sort": asked.sort} | changed
    return urlencode({name: value for name, value in names.items() if value})


def _more(asked: Asked, cursor: str) -> str:
    return f"{_with(asked)}&{urlencode({'after': cursor})}"


def _filters(asked: Asked, present: Sequence[tuple[str, int]]) -> list[tuple[str, str, bool]]:
    """(address, words, on) of the kinds of conflicts that the tab holds, all of them first."""
    every = [(f"?{_with(asked, detector='')}", "All kinds", not asked.detector)]
    return every + [
        (f"?{_with(asked, detector=name)}", f"{detector_told(name)}, {count}", name == asked.detector)
        for name, count in present
    ]


_READER_KEYS = (("j k", "Next, previous case"),)
_KEYS = (
    ("a", "Keep the existing one"),
    ("b", "Replace it with the new one"),
    ("s", "Both hold"),
    ("S", "Both hold, saying where or when"),
    ("m", "Merge"),
    ("n", "Neither"),
    ("p", "Accept the last proposal of an agent"),
    ("z", "Snooze"),
    ("u", "Undo the last decision"),
    ("r", "Add a reason"),
    ("x", "Select to accept together"),
    *_READER_KEYS,
)
