"""What changed since, as it stands now: revisions of memories grouped by what was done, and what was added by where it
came from; without what was taken back since, each with the memory as it is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse
from django.utils import timezone
from numpy.typing import NDArray

from memoryapp.domain.change import Revision
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.index.roster import KINDS
from memoryapp.interfaces.audit.revisions import actor_name, fields_of
from memoryapp.interfaces.facts.source import session_href
from memoryapp.interfaces.memories.rows import Row, row_of
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.wording import Piece, shorten_pieces, word_diff
from memoryapp.jobs.reading import EXTRACTION
from memoryapp.spaces import Space, rows_at, trust_of
from memoryapp.store import conflicts, documents, memories, revisions

_TOLD = ("memory", "conflict")  # an ingest leaves thousands of revisions of edges and entities besides
MOST = 300  # revisions looked at: the newest
_SHOWN, _SHOWN_ALONE = 3, 50
_SHOWN_MADE = 2  # of what others made of it
_MADE = ("episodes", "summaries", "edited", "read again")
_BESIDE = 24  # characters that are shown around a change
_ORIGINS = 5  # where added memories came from, those with most first

# Group → the acts that belong to it, in the order of the page.
GROUPS: dict[str, tuple[str, ...]] = {
    "superseded": ("supersede",),
    "resolved": (),  # conflicts that were decided
    "added": ("create",),
    "reinforced": ("remember", "extract"),
    "confirmed": ("confirm",),
    "episodes": ("narrate",),
    "summaries": ("summarise",),
    "edited": ("edit", "tag", "pin", "unpin"),
    "read again": ("ingest",),
    "restored": ("restore", "undo"),
    "archived": ("archive", "expire"),
    "deleted": ("delete", "exclude"),
}
_OF_ACT = {act: name for name, acts in GROUPS.items() for act in acts}
_UNDOABLE = {"edited", "archived", "deleted", "reinforced", "confirmed", "superseded"}
_TOLD_AS = {Kind.EPISODE: "episodes", Kind.SUMMARY: "summaries"}
OUTCOMES = {
    "keep": "the older one was kept",
    "replace": "it was replaced",
    "both": "both hold",
    "merge": "merged into one",
    "neither": "neither holds",
}
_DECIDED = ("decided", "automatic")


@dataclass(frozen=True, slots=True)
class Change:
    """`pieces`: what was struck and what was written in its place, where the words changed; else `line` is shown."""

    at: datetime
    clock: str
    line: str
    title: str
    lang: str
    pieces: list[Piece]
    href: str
    trust: float | None
    who: str
    source: str
    source_href: str
    told: str
    undo: str
    undo_told: str


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """`count` 0: its name says it. `href` leads to all of it."""

    key: str
    name: str
    count: int
    href: str
    changes: list[Change]


@dataclass(frozen=True, slots=True)
class Origins:
    """Added memories that came from one place. `told`: “884 sections from uinotes”."""

    told: str
    href: str
    revisions: list[Revision]


@dataclass(frozen=True, slots=True)
class Since:
    """`more`: there was more than is looked at; then every count but that of what was added is of the last MOST
    changes. `agents`: whether any of what was added came from an agent; `sections`: how many of it are sections of
    files."""

    groups: list[ChangeGroup]
    counts: dict[str, int]
    more: bool
    agents: bool
    sections: int = 0


def changed_since(
    space: Space, since: datetime, *, you: str, only: str = "", may_decide: bool = True, then: Space | None = None
) -> Since:
    """Newest first in each group. `only` names one group, which is then shown at length. Without `may_decide` what is
    deleted keeps its words for itself. `then`: the space as of the instant up to which it is told, in the words and
    with the trust of then; None for now."""
    until = then.at if then is not None else None
    newest = _newest_revisions(space, since, until)
    found = net(newest)
    grouped: dict[str, list[Revision]] = {name: [] for name in GROUPS}
    for revision in found:
        group = _group_of(revision, _kind(space, revision))
        if group:
            grouped[group].append(revision)
    most = _SHOWN_ALONE if only else _SHOWN
    wanted = {
        name: revs[: _SHOWN_MADE if name in _MADE and not only else most]
        for name, revs in grouped.items()
        if revs and only in ("", name) and name != "added"
    }
    if not only and "superseded" in wanted:  # that tells it
        wanted["resolved"] = [one for one in wanted.get("resolved", ()) if not _is_replacement(one)]
    more = len(newest) == MOST
    counts = {name: len(revs) for name, revs in grouped.items() if revs}
    sections = sum(_kind(space, revision) is Kind.SECTION for revision in grouped["added"])
    if more:  # a whole folder came in: the index knows how many without reading their revisions
        added, sections = _count_added(space, since, until)
        counts = {"added": added} | {name: n for name, n in counts.items() if name != "added"}
        counts = {name: counts[name] for name in GROUPS if counts.get(name)}
    origins = _origins(space, grouped["added"], (since, until) if more else None, you) if only in ("", "added") else []
    wanted |= {one.told: one.revisions[:most] for one in origins}
    runs = Counter(revision.run for revision in found)
    shown = _changes_by_group(space, wanted, you, runs, may_decide=may_decide, then=then or space)
    arrived = [ChangeGroup("added", one.told, 0, one.href, shown[one.told]) for one in origins]
    groups: list[ChangeGroup] = []
    for name in GROUPS:
        if name == "added":
            groups += arrived
        elif shown.get(name):
            href = "" if only or len(grouped[name]) == len(shown[name]) else f"?act={name.replace(' ', '+')}"
            groups.append(ChangeGroup(name, name.capitalize(), counts.get(name, 0), href, shown[name]))
    agents = any(r.actor.kind == "agent" or r.actor == EXTRACTION for r in grouped["added"])
    return Since(groups, counts, more, agents, sections)


def _origins(
    space: Space, added: Sequence[Revision], span: tuple[datetime, datetime | None] | None, you: str
) -> list[Origins]:
    """By where it came from: the source of a document, a session, else who wrote it; those with most first. With
    `span` (since, until) all that the index knows to have been added then is counted: `added` are only the newest."""
    roster = space.index.roster
    places = roster.names["place"].names
    known = {slot: revision for revision in added if (slot := roster.slot(revision.record_id)) is not None}
    slots = list(known) if span is None else np.flatnonzero(_added_mask(space, *span)).tolist()
    place = {slot: places[code] if (code := int(roster.place[slot])) >= 0 else ("", "", "") for slot in slots}
    from_source = documents.sources_of(space.db, sorted({document for _, document, _ in place.values() if document}))
    names = {one.id: one.name for one in documents.sources(space.db)} if from_source else {}
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for slot in slots:
        path, document, session = place[slot]
        if document and from_source.get(document) in names:
            key = ("source", from_source[document])
        elif session:
            key = ("session", session)
        elif path:
            key = ("path", path)
        else:
            key = ("by", actor_name(known[slot].actor, you=you) if slot in known else "")
        found[key].append(slot)
    ranked = sorted(found.items(), key=lambda one: -len(one[1]))
    rest = [slot for _, some in ranked[_ORIGINS:] for slot in some] if len(ranked) > _ORIGINS + 1 else []
    kept = ranked[:_ORIGINS] if rest else ranked
    listed = [(*_told_origin(kind, key, names), some) for (kind, key), some in kept]
    if rest:
        listed.append((f"from {len(ranked) - _ORIGINS} other places", reverse("memories"), rest))
    made = []
    for told, href, some in listed:
        among = set(some)
        newest = [revision for slot, revision in known.items() if slot in among]
        made.append(Origins(f"{_counted_kinds(roster.kind[some].tolist())} {told}", href, newest))
    return made


def _told_origin(kind: str, key: str, names: dict[str, str]) -> tuple[str, str]:
    """(“from …”, the address of what is there)."""
    if kind == "source":
        return f"from {names[key]}", f"{reverse('memories')}?kind=section"
    if kind == "session":
        return f"from session {key}", session_href(key)
    if kind == "path":
        return f"from {key.rsplit('/', 1)[-1]}", f"{reverse('memories')}?{urlencode({'source': key})}"
    return (f"by {key}" if key else "written directly"), reverse("memories")


def _counted_kinds(kinds: Sequence[int]) -> str:
    """“11 facts”; of several kinds “12 memories”."""
    only = {KINDS[kind] for kind in kinds}
    word = only.pop().value if len(only) == 1 else "memory"
    return human.count_text(len(kinds), word, "memories" if word == "memory" else "")


def net(newest: Sequence[Revision]) -> list[Revision]:
    """The revisions, newest first, without those that were taken back by a later one, and without that one: what was
    archived and restored, decided and undone, has not changed. What was new and is deleted is told as deleted alone."""
    standing: dict[tuple[str, str], list[Revision]] = {}
    for revision in reversed(newest):
        stack = standing.setdefault((revision.record, revision.record_id), [])
        begin = next((n for n in range(len(stack)) if _takes_back(revision, stack[n:])), None)
        if begin is None:
            stack.append(revision)
        else:
            del stack[begin:]
    for stack in standing.values():
        if len(stack) > 1 and stack[0].act == "create" and stack[-1].after.get("state") == State.DELETED:
            del stack[0]
    kept = {revision.id for stack in standing.values() for revision in stack}
    return [revision for revision in newest if revision.id in kept]


def _takes_back(later: Revision, earlier: Sequence[Revision]) -> bool:
    """Whether the record is after `later` as it was before all of `earlier`, which follow one another."""
    if any(revision.act == "create" for revision in earlier):
        return later.act == "undo" and later.after.get("state") == State.DELETED
    before: dict[str, object] = {}
    for revision in earlier:
        for name in (*revision.before, *revision.after):
            before.setdefault(name, revision.before.get(name))
    return all(name in later.after or name in later.before for name in before) and all(
        later.after.get(name) == value for name, value in before.items()
    )


def _newest_revisions(space: Space, since: datetime, until: datetime | None = None) -> Sequence[Revision]:
    """The newest since then, at most MOST. The store goes through a thousand entries of its index to find the first; as
    many memories as are looked at were each written by a revision, so that it need go back no further than they do."""
    roster = space.index.roster
    created = roster.created[roster.alive]
    if until is not None:
        created = created[created < until.timestamp()]
    if len(created) >= MOST:
        near = datetime.fromtimestamp(int(np.partition(created, -MOST)[-MOST]), UTC)
        if near > since:
            found = revisions.page(space.db, since=near, until=until, kinds=_TOLD, limit=MOST)
            if len(found) == MOST:
                return found
    return revisions.page(space.db, since=since, until=until, kinds=_TOLD, limit=MOST)


def _count_added(space: Space, since: datetime, until: datetime | None) -> tuple[int, int]:
    """How many memories were written since, those apart that are told as episodes and summaries; and how many of them
    are sections of files."""
    added = _added_mask(space, since, until)
    return int(added.sum()), int((added & (space.index.roster.kind == KINDS.index(Kind.SECTION))).sum())


def _added_mask(space: Space, since: datetime, until: datetime | None) -> NDArray[np.bool_]:
    roster = space.index.roster
    told_apart = np.isin(roster.kind, [KINDS.index(kind) for kind in (*_TOLD_AS, Kind.TURN)])
    added: NDArray[np.bool_] = roster.alive & (roster.created >= since.timestamp()) & ~told_apart
    return added if until is None else added & (roster.created < until.timestamp())


def _changes_by_group(
    space: Space, wanted: dict[str, list[Revision]], you: str, runs: Counter[str], *, may_decide: bool, then: Space
) -> dict[str, list[Change]]:
    """By group; one question to the store for the memories of all, one for the conflicts."""
    decided = conflicts.get_many(space.db, [r.record_id for r in wanted.get("resolved", ())])
    subjects = {r.id: _subject(r, decided) for revs in wanted.values() for r in revs}
    successors = {r.id: _successor(r) for r in wanted.get("superseded", ())}
    present = memories.get_many(space.db, [key for key in (*subjects.values(), *successors.values()) if key])
    if not may_decide:
        present = {key: memory for key, memory in present.items() if memory.state is not State.DELETED}
    present = rows_at(then, present)
    trusts = {key: trust.value for key, trust in trust_of(then, list(present.values())).items()}

    def line(revision: Revision, group: str) -> Change:
        stands = present.get(successors.get(revision.id, ""))
        return _change(then, revision, present.get(subjects[revision.id]), trusts, you, group, runs, stands=stands)

    return {name: [line(revision, name) for revision in revs] for name, revs in wanted.items()}


def _kind(space: Space, revision: Revision) -> Kind | None:
    """From the index, which knows it of every memory that is not purged."""
    roster = space.index.roster
    slot = roster.slot(revision.record_id) if revision.record == "memory" else None
    return KINDS[roster.kind[slot]] if slot is not None else None


def _group_of(revision: Revision, kind: Kind | None) -> str:
    """By act; an ingest that took a section out, or brought it back, is told as that. Empty for what is told
    elsewhere: the sides of a conflict that was decided, its proposals, what is no memory."""
    if revision.record == "conflict":
        return "resolved" if revision.after.get("status") in _DECIDED else ""
    if revision.record != "memory":
        return ""
    state = revision.after.get("state")
    if revision.act != "create" and state in ("archived", "deleted", "superseded"):
        return str(state)
    if kind in _TOLD_AS and revision.act in ("create", "narrate", "summarise"):
        return _TOLD_AS[kind]
    if revision.act == "ingest" and state == "held":
        return "restored"
    return "" if revision.act == "resolve" else _OF_ACT.get(revision.act, "edited")


def _subject(revision: Revision, found: dict[str, Conflict]) -> str:
    """Id of the memory that a line is about: of a conflict, what was held before it."""
    if revision.record != "conflict":
        return revision.record_id
    conflict = found.get(revision.record_id)
    return conflict.existing if conflict else ""


def _successor(revision: Revision) -> str:
    """Id of what stands in place of a superseded memory, where something does."""
    standing = revision.after.get("superseded_by") or ()
    return str(standing[0]) if standing else ""


def _change(
    space: Space,
    revision: Revision,
    memory: Memory | None,
    trusts: dict[str, float],
    you: str,
    group: str,
    runs: Counter[str],
    *,
    stands: Memory | None = None,
) -> Change:
    """`stands`: what took the memory's place; the line is then about that, with the memory's words struck above."""
    was = revision.before.get("text") if memory and revision.before.get("text") != memory.text else None
    if memory is not None and stands is not None:
        was, memory = memory.text, stands
    pieces: list[Piece] = []
    if memory is not None and isinstance(was, str):
        pieces = shorten_pieces(word_diff(wording.plain(was), wording.plain(memory.text)), keep=_BESIDE)
    row = row_of(space, memory, trust=trusts.get(memory.id), limit=180) if memory else None
    by = actor_name(revision.actor, you=you)
    return Change(
        at=revision.at,
        clock=_clock(revision.at),
        line=str(row.line) if row else "A memory that was deleted or purged.",
        title=row.title if row else "",
        lang=row.lang if row else "en",
        pieces=pieces,
        href=reverse("memory", args=[row.id]) if row else "",
        trust=row.trust if row else None,
        who=by,
        source=row.source if row else "",
        source_href=row.source_href if row else "",
        told=_change_text(revision, row),
        undo=revision.run if group in _UNDOABLE and row else "",
        undo_told="Undo" if runs[revision.run] == 1 else f"Undo all {runs[revision.run]}",
    )


def _change_text(revision: Revision, row: Row | None) -> str:
    if revision.record == "conflict":
        return _decision_text(revision)
    if row is not None and row.memory.kind is Kind.EPISODE:
        return _episode(row.memory)
    if revision.reason and revision.act != "create":  # what is new already names where it came from
        return f"“{revision.reason}”"
    if revision.act in ("remember", "extract", "confirm") and row is not None:
        return f"seen {human.count_text(row.memory.reinforcements + 1, 'time')}"
    fields = [name for name, _, _ in fields_of(revision)] if revision.act in ("edit", "tag") else []
    return f"changed {', '.join(fields)}" if fields else ""


def _outcome(revision: Revision) -> str:
    decision = revision.after.get("decision")
    return str(decision.get("outcome")) if isinstance(decision, dict) else ""


def _is_replacement(revision: Revision) -> bool:
    return _outcome(revision) == "replace"


def _decision_text(revision: Revision) -> str:
    return OUTCOMES.get(_outcome(revision), "a conflict was decided")


def _episode(memory: Memory) -> str:
    """“8 turns, 5 facts, decided: …”."""
    turns, facts = int(memory.detail.get("turns") or 0), len(memory.detail.get("facts") or ())
    parts = [human.count_text(count, word) for count, word in ((turns, "turn"), (facts, "fact")) if count]
    decision = str(memory.detail.get("decision") or "")
    return ", ".join([*parts, *([f"decided: {wording.excerpt(decision, limit=90)}"] if decision else [])])


def _clock(at: datetime) -> str:
    return (
        human.clock(at)
        if timezone.localtime(at).date() == timezone.localtime(human.now()).date()
        else human.short_day(at)
    )


@dataclass(frozen=True, slots=True)
class Sentence:
    strong: str
    faint: str


def sentence(since: Since, *, held: int, told: str, waiting: int = 0) -> Sentence:
    """The one sentence of Home: what came in, what became of the rest, and how many conflicts wait."""
    waits = f" {human.in_words(waiting).capitalize()} {'conflict waits' if waiting == 1 else 'conflicts wait'} for you."
    said = _what_changed(since, held=held, told=told)
    return Sentence(said.strong, said.faint + waits) if waiting else said


def _what_changed(since: Since, *, held: int, told: str) -> Sentence:
    counts = since.counts
    sections = since.sections
    added = counts.get("added", 0) - sections
    if not counts:
        return Sentence(f"Nothing has changed {told}.", f"{human.count_text(held, 'memory', 'memories')} in total.")
    read = f"{_amount(sections, 'section').capitalize()} {'was' if sections == 1 else 'were'} imported from your notes"
    if not added:
        strong = f"{read} {told}" if sections else f"Nothing new {told}"
    elif since.agents:
        strong = f"{read}, and your agents" if sections else "Your agents"
        strong += f" added {_amount(added, 'memory', 'memories')} {told}"
    else:
        came = f"{_amount(added, 'memory', 'memories')} {'was' if added == 1 else 'were'} added {told}"
        strong = f"{read}, and {came}" if sections else came[0].upper() + came[1:]
    rest = [
        f"{human.in_words(counts[name])} {'was' if counts[name] == 1 else 'were'} {verb}"
        for name, verb in _REST
        if counts.get(name)
    ]
    if not rest:
        return Sentence(f"{strong}.", f"{human.count_text(held, 'memory', 'memories')} in total.")
    joined = rest[0] if len(rest) == 1 else ", ".join(rest[:-1]) + f" and {rest[-1]}"
    return Sentence(f"{strong}.", joined[0].upper() + joined[1:] + ".")


_REST: Sequence[tuple[str, str]] = (
    ("superseded", "superseded"),
    ("reinforced", "said again"),
    ("confirmed", "confirmed"),
    ("edited", "edited"),
    ("read again", "changed in their files"),
    ("archived", "archived"),
    ("deleted", "deleted"),
    ("restored", "restored"),
)


def _amount(count: int, one: str, many: str = "") -> str:
    return f"{human.in_words(count)} {one if count == 1 else (many or one + 's')}"
