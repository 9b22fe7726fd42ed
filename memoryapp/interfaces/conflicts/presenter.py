"""The review page put together: tabs with their counts, the queue, one case with all that helps to decide it.

A conflict made ready for its page: both sides with their diff, source and trust; a line for the queue.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from memoryapp import review
from memoryapp.accounts.roles import Role
from memoryapp.domain.conflict import Conflict, ConflictStatus, Outcome
from memoryapp.domain.errors import BadInput, NotFound
from memoryapp.domain.memory import Memory, Usage
from memoryapp.domain.trust import Trust
from memoryapp.domain.turn import Turn
from memoryapp.interfaces.conflicts.verdicts import (
    SHORT,
    WORDS,
    available_outcomes,
    becomes,
    briefly,
    buttons_of,
    detector_told,
    status_told,
    subject_of,
    sureness,
)
from memoryapp.interfaces.facts.source import QuotedTurn, spoken_of
from memoryapp.interfaces.memories.rows import Tag, source_of
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import Desk
from memoryapp.interfaces.pages.wording import Piece, shorten_pieces, word_diff
from memoryapp.review.case import Case
from memoryapp.spaces import Space
from memoryapp.store import conflicts, memories, usage


@dataclass(frozen=True, slots=True)
class Line:
    """A conflict in the queue: the incoming words, or the existing ones where only a text came in."""

    id: str
    words: str
    lang: str
    proposed: str
    about: str
    at: datetime
    certain: bool
    proposals: int


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two. `pieces`: its own words with what the other side does not say. `trust` is None for a text."""

    letter: str
    name: str
    href: str
    lang: str
    tags: list[Tag]
    pieces: list[Piece]
    trust: Trust | None
    spoken: QuotedTurn | None
    source: str
    source_href: str
    kv: list[tuple[str, str]]


def line_of(conflict: Conflict, existing: Memory, incoming: Memory | None) -> Line:
    text = incoming.text if incoming else conflict.incoming_text or existing.text
    return Line(
        conflict.id,
        wording.excerpt(text, limit=110),
        wording.language(text),
        f"{SHORT[conflict.outcome]} {conflict.confidence:.2f}",
        briefly(conflict),
        conflict.created_at,
        conflict.certain,
        len(conflict.proposals),
    )


def sides_of(
    conflict: Conflict,
    existing: Memory,
    incoming: Memory | None,
    *,
    trusts: tuple[Trust, Trust | None],
    turns: tuple[Turn | None, Turn | None],
    used: dict[str, Usage],
) -> tuple[Side, Side]:
    """Both sides; the diff is of their words."""
    other = incoming.text if incoming else conflict.incoming_text or ""
    pieces = word_diff(existing.text, other)
    old = shorten_pieces([p for p in pieces if p.kind != "in"], keep=240)
    new = shorten_pieces([p for p in pieces if p.kind != "out"], keep=240)
    one = _side("A", "Existing", existing, old, trusts[0], turns[0], used)
    if incoming is not None:
        return one, _side("B", "New", incoming, new, trusts[1], turns[1], used)
    source, _, href = source_of(existing)
    said = Side("B", "What its source says now", "", wording.language(other), [], new, None, None, source, href, [])
    return one, said


def _side(
    letter: str,
    name: str,
    memory: Memory,
    pieces: list[Piece],
    trust: Trust | None,
    turn: Turn | None,
    used: dict[str, Usage],
) -> Side:
    source, _, href = source_of(memory)
    tags = [Tag(memory.category.value)] if memory.category else [Tag(memory.kind.value)]
    tags += [Tag("decision", "good")] if memory.decision_point else []
    tags += [Tag(memory.state.value, "superseded" if memory.state == "superseded" else "")] * (memory.state != "held")
    tags += [Tag("edited")] if memory.edited else []
    return Side(
        letter=letter,
        name=name,
        href=reverse("memory", args=[memory.id]),
        lang=wording.language(memory.text),
        tags=tags,
        pieces=pieces,
        trust=trust,
        spoken=spoken_of(memory, turn),
        source=source,
        source_href=href,
        kv=_facts(memory, used.get(memory.id)),
    )


def _facts(memory: Memory, used: Usage | None) -> list[tuple[str, str]]:
    since = memory.valid_from or memory.occurred_at or memory.created_at
    until = f"to {human.day(memory.valid_to)}" if memory.valid_to else "no end date"
    seen = "once" if not memory.reinforcements else f"{memory.reinforcements + 1} times"
    if len(memory.sessions) > 1:
        seen += f" in {len(memory.sessions)} sessions"
    told = [("Holds", f"from {human.day(since)}, {until}"), ("Seen", seen)]
    if used and used.accesses:
        told.append(("Used", f"{human.count_text(used.accesses, 'answer')}, last {human.ago(used.accessed_at)}"))
    else:
        told.append(("Used", "not yet"))
    return told


def proposals_told(conflict: Conflict, *, you: str) -> list[dict[str, Any]]:
    """What agents, and people who may not decide, suggest: the last one first."""
    told = []
    for one in reversed(conflict.proposals):
        outcome = one.get("outcome")
        told.append(
            {
                "by": "You" if one.get("by") == you else one.get("by", "somebody"),
                "verb": "propose" if one.get("by") == you else "proposes",
                "outcome": next((words for name, words in SHORT.items() if name == outcome), str(outcome)),
                "accept": outcome if outcome in tuple(SHORT) and conflict.status is ConflictStatus.WAITING else "",
                "said": _as_proposed(one),
                "reason": one.get("reason") or "",
                "text": one.get("text") or "",
                "at": _moment(one.get("at")),
            }
        )
    return told


def _as_proposed(one: dict[str, Any]) -> str:
    """What a decision that follows this proposal sends, as JSON: whose it was, and the words of a merge."""
    told = f"as {one.get('by', 'somebody')} proposed"
    reason = f"{told}: {one['reason']}"[:300] if one.get("reason") else told
    return json.dumps({"reason": reason} | ({"text": one["text"]} if one.get("text") else {}))


def _moment(value: object) -> datetime | None:
    try:
        return value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except ValueError:
        return None


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
class ConflictsQuery:
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


def asked_of(asked: QueryDict) -> ConflictsQuery:
    """Raises BadInput that names the parameter."""
    tab, sort = asked.get("tab", ""), asked.get("sort") or "newest"
    if tab and tab not in TABS:
        raise BadInput(f"“{tab[:40]}” is not a tab. Known: {', '.join(TABS)}.", field="tab")
    if sort not in SORTS:
        raise BadInput(f"“{sort[:40]}” is not a sort order. Known: {', '.join(SORTS)}.", field="sort")
    return ConflictsQuery(tab, asked.get("detector", "")[:60], sort, asked.get("after", "")[:200])


def judge_of(
    desk: Desk, asked: ConflictsQuery, *, key: str = "", lenient: bool = False, last: str = ""
) -> dict[str, Any]:
    """All that the page shows. `lenient`: a case that is not there any more gives way to the first of the queue.
    `last`: the conflict that the reader decided last, offered to be taken back.

    Raises NotFound for a `key` that names no conflict, where it is not lenient.
    """
    space = desk.memory
    tab = asked.tab or (_tab_of(space, key) if key else "waiting")
    here = ConflictsQuery(tab, asked.detector, asked.sort, asked.after)
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
        "older": f"?{_older_query(here, found.next)}" if found.next else "",
        "filters": _filters(here, found.detectors),
        "sorts": [(f"?{_query_with(here, sort=sort)}", told, sort == here.sort) for sort, told in SORTS.items()],
        "sorted_by": SORTS[here.sort],
        "sure": len(sure) if tab == "waiting" else 0,
        "policy": _POLICIES.get(space.tuning.conflict_policy, space.tuning.conflict_policy),
        "case": case_context(desk, shown, ids=ids, asked=here) | {"last": last} if shown else None,
        "page_keys": _KEYS if desk.role.allows(Role.WRITER) else _READER_KEYS,
        "waiting": counts["waiting"],
    }


def case_context(desk: Desk, case: Case, *, ids: Sequence[str], asked: ConflictsQuery) -> dict[str, Any]:
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
        for one in sorted(available_outcomes(conflict), key=lambda one: one is not conflict.outcome)
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
        told.append(f"{human.count_text(anew, 'summary', 'summaries')} rewritten")
    if tell := kinds.pop("episode", 0):
        told.append(f"{human.count_text(tell, 'episode')} still {'mentions' if tell == 1 else 'mention'} it")
    if others := kinds.total():
        told.append(f"{human.count_text(others, 'memory', 'memories')} made from it")
    if found.closes:
        told.append(f"{human.count_text(len(found.closes), 'other case')} closed")
    return told


def _tab_of(space: Space, key: str) -> str:
    """Where a case is found now. Raises NotFound."""
    conflict = conflicts.get(space.db, key)
    if conflict is None:
        raise NotFound(f"There is no conflict {key} in space “{space.name}”.")
    if conflict.status is ConflictStatus.WAITING:
        return "snoozed" if conflict.snoozed_until and conflict.snoozed_until > space.clock() else "waiting"
    return "automatic" if conflict.status is ConflictStatus.AUTOMATIC else "decided"


def _tabs(counts: Mapping[str, int], asked: ConflictsQuery) -> list[dict[str, Any]]:
    return [
        {"key": key, "name": name, "count": counts.get(key, 0), "on": key == asked.tab, "href": f"?tab={key}"}
        for key, name in TABS.items()
    ]


def _query_with(asked: ConflictsQuery, **changed: str) -> str:
    names = {"tab": asked.tab, "detector": asked.detector, "sort": asked.sort} | changed
    return urlencode({name: value for name, value in names.items() if value})


def _older_query(asked: ConflictsQuery, cursor: str) -> str:
    return f"{_query_with(asked)}&{urlencode({'after': cursor})}"


def _filters(asked: ConflictsQuery, present: Sequence[tuple[str, int]]) -> list[tuple[str, str, bool]]:
    """(address, words, on) of the kinds of conflicts that the tab holds, all of them first."""
    every = [(f"?{_query_with(asked, detector='')}", "All kinds", not asked.detector)]
    return every + [
        (f"?{_query_with(asked, detector=name)}", f"{detector_told(name)}, {count}", name == asked.detector)
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
