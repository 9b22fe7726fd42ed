"""A preview as its page shows it: digests with what they take and leave, what it would all do, what else is due.

What a person picked of a preview: digests left out or put in, sentences swapped. Kept in their session while they look
through the pages of it, until it is written.

Previews of consolidations, worked out once for the sections that are due: at once where that is quick, else aside
while the page waits. Kept in this process alone; another one works out its own.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from django.contrib.sessions.backends.base import SessionBase
from django.urls import NoReverseMatch, reverse

from memoryapp import consolidate
from memoryapp.consolidate import (
    Choice,
    Digest,
    Original,
    Past,
    Preview,
    Ranker,
    Sentence,
    Staying,
    runs,
    under_the_floor,
    with_sentences,
)
from memoryapp.domain.errors import BadInput, PalimpsestError
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind, Memory
from memoryapp.index.roster import KINDS, SPEC
from memoryapp.interfaces.audit.revisions import actor_name
from memoryapp.interfaces.pages import human, wording
from memoryapp.interfaces.pages.access import Desk
from memoryapp.spaces import Space
from memoryapp.store import conflicts, entity_pairs, memories
from memoryapp.tree import overfull

_KEY = "consolidate"
_MOST_PICKS = 2_000  # digests that may be changed by hand: a session is a row, not a store


@dataclass(slots=True)
class Picks:
    """`out`: digests that are due and not wanted; `put_in`: those rolled back once that are wanted all the same;
    `sentences`: what a digest takes where that was changed."""

    out: set[str] = field(default_factory=set)
    put_in: set[str] = field(default_factory=set)
    sentences: dict[str, list[str]] = field(default_factory=dict)

    def wants(self, digest: Digest) -> bool:
        return digest.id in self.put_in if digest.rolled_back else digest.id not in self.out

    def put(self, digest: Digest, *, on: bool) -> None:
        if digest.rolled_back:
            (self.put_in.add if on else self.put_in.discard)(digest.id)
        else:
            (self.out.discard if on else self.out.add)(digest.id)

    def take(self, digest: Digest, sentences: Sequence[str]) -> None:
        """`digest` with the ranker's own choice. Raises BadInput for sentences it does not have, or none."""
        changed = with_sentences(digest, sentences)
        if [one.id for one in changed.taken] == [one.id for one in digest.taken]:
            self.sentences.pop(digest.id, None)
            return
        if len(self.sentences) >= _MOST_PICKS and digest.id not in self.sentences:
            raise BadInput(f"{_MOST_PICKS:,} digests are already edited by hand; write these first.", field="take")
        self.sentences[digest.id] = [one.id for one in changed.sentences if one.taken]

    def shown(self, digest: Digest) -> Digest:
        """The digest as it would be written. A change that no longer fits its sentences is forgotten."""
        picked = self.sentences.get(digest.id)
        if picked is None:
            return digest
        try:
            return with_sentences(digest, picked)
        except BadInput:
            del self.sentences[digest.id]
            return digest

    def choices(self, digests: Iterable[Digest], *, prints: dict[str, str]) -> list[Choice]:
        """`prints`: of the digests as they were seen; without one nobody saw the digest, and it is not chosen."""
        return [
            Choice(one.id, prints[one.id], tuple(self.sentences[one.id]) if one.id in self.sentences else None)
            for one in digests
            if one.id in prints
        ]


def picks_of(session: SessionBase, space: str, look: str) -> Picks:
    """`look`: ranker and age; under another look the digests are others."""
    told: dict[str, Any] = session.get(_KEY, {}).get(space, {})
    if told.get("look") != look:
        return Picks()
    return Picks(set(told["out"]), set(told["in"]), dict(told["sentences"]))


def keep_picks(session: SessionBase, space: str, look: str, picks: Picks) -> None:
    every = dict(session.get(_KEY, {}))
    told = {"look": look, "out": sorted(picks.out), "in": sorted(picks.put_in), "sentences": picks.sentences}
    every[space] = told
    session[_KEY] = every


def forget_picks(session: SessionBase, space: str) -> None:
    every = {name: told for name, told in session.get(_KEY, {}).items() if name != space}
    session[_KEY] = every


def read_prints(seen: str) -> dict[str, str]:
    """“id:print id:print …” as the page carries it."""
    pairs = (one.partition(":") for one in seen.split())
    return {key: mark for key, _, mark in pairs if mark}


PAGE = 6  # digests: keeps the page under 100 KB with long sentences
LEFT = 6  # sentences that are left, shown before one asks for the others
LONG = 500  # characters of a sentence
_NAMED = 8  # digests of the pages to come
_RUNS = 3
_FADED = 10  # facts
_MOST = 99  # pairs that are counted
RANKERS = {
    Ranker.MARKS: "by marks: length, marker words, names, done items",
    Ranker.CENTRAL: "by the recurring topics of the group, without repetition",
}
_BY = {"likeness": "by similar wording", "digest": "again: one of its sections changed"}


@dataclass(frozen=True, slots=True)
class SentenceLine:
    sentence: Sentence
    text: str
    lang: str
    at: datetime | None  # the day of its section
    whole: bool  # nothing was cut off


@dataclass(frozen=True, slots=True)
class DigestLine:
    """`hidden`: sentences that are left and not shown. `by`: what brought its sections together."""

    digest: Digest
    on: bool
    lang: str
    by: str
    taken: list[SentenceLine]
    left: list[SentenceLine]
    hidden: int
    changed: bool

    @property
    def shown_originals(self) -> tuple[Original, ...]:
        return self.digest.originals[:30]

    @property
    def more_originals(self) -> int:
        return max(len(self.digest.originals) - 30, 0)


@dataclass(frozen=True, slots=True)
class Doing:
    """What writing the picked digests would do. `due`: how many there are; `after` is the bar's width in percent."""

    due: int
    picked: int
    archives: int
    taken: int
    sentences: int
    links: int
    bytes_before: int
    bytes_after: int

    @property
    def after(self) -> float:
        return round(100 * self.bytes_after / self.bytes_before, 1) if self.bytes_before else 0.0


@dataclass(frozen=True, slots=True)
class RunLine:
    past: Past
    who: str
    reason: str  # of a person
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Due:
    """Something else that waits: in words, and where to see it or to have it done. `facts`: the first of them, with the
    trust and the language of each."""

    told: str
    href: str
    facts: Sequence[tuple[Memory, float, str]] = ()


def digest_line(digest: Digest, picks: Picks, *, every: bool = False) -> DigestLine:
    """`digest` with the ranker's own choice; `every` sentence that is left, or the best of them."""
    shown = picks.shown(digest)
    days = {one.id: one.at for one in digest.originals}
    left = shown.left if every else shown.left[:LEFT]
    return DigestLine(
        digest=shown,
        on=picks.wants(digest),
        lang=wording.language(shown.title),
        by=f"by shared entity {digest.topic.name}" if digest.topic.entity else _BY.get(digest.topic.by, ""),
        taken=[_sentence(one, days) for one in shown.taken],
        left=[_sentence(one, days) for one in left],
        hidden=len(shown.left) - len(left),
        changed=digest.id in picks.sentences,
    )


def page_of(preview: Preview, picks: Picks, *, after: str) -> dict[str, Any]:
    """One page of digests. `after`: id of the last one of the page before; one that is gone begins at the first."""
    ids = [one.id for one in preview.digests]
    begin = ids.index(after) + 1 if after in ids else 0
    shown = preview.digests[begin : begin + PAGE]
    rest = preview.digests[begin + PAGE :]
    return {
        "lines": [digest_line(one, picks) for one in shown],
        "rest": [(one, wording.language(one.topic.name)) for one in rest[:_NAMED]],
        "rest_total": len(rest),
        "begin": begin,
        "newer": begin > 0,
        "newer_after": ids[begin - PAGE - 1] if begin > PAGE else "",
        "older_after": shown[-1].id if rest else "",
        "shown": f"{begin + 1} to {begin + len(shown)} of {human.count_text(len(ids), 'digest')}" if ids else "",
        "doing": doing_of(preview, picks),
        "seen": " ".join(f"{one.id}:{one.print}" for one in preview.digests),
        "staying": _staying_rows(preview.staying),
        "staying_total": len(preview.staying),
    }


def doing_of(preview: Preview, picks: Picks) -> Doing:
    picked = [picks.shown(one) for one in preview.digests if picks.wants(one)]
    return Doing(
        due=len(preview.due),
        picked=len(picked),
        archives=sum(len(one.originals) for one in picked),
        taken=sum(len(one.taken) for one in picked),
        sentences=sum(len(one.sentences) for one in picked),
        links=sum(one.links for one in picked),
        bytes_before=sum(one.bytes_before for one in picked),
        bytes_after=sum(one.bytes_after for one in picked),
    )


def run_lines(
    space: Space, *, you: str, before: tuple[datetime, str] | None = None, limit: int = _RUNS
) -> list[RunLine]:
    return [_run(past, you) for past in runs(space, before=before, limit=limit)]


def also_due(desk: Desk) -> list[Due]:
    """Each is looked at by itself: a trouble with one does not hide the others."""
    space = desk.memory
    found = []
    for told in (_duplicate_tasks, _faded_tasks, _large_node_tasks):
        try:
            found += told(space)
        except PalimpsestError:
            continue
    return found


def _duplicate_tasks(space: Space) -> list[Due]:
    pairs = len(entity_pairs.waiting(space.db, limit=_MOST + 1))
    if not pairs:
        return []
    many = f"{_MOST} and more" if pairs > _MOST else human.number(pairs)
    told = f"{many} {'pair of names looks' if pairs == 1 else 'pairs of names look'} the same"
    return [Due(told, f"{reverse('entities')}?tab=alike")]


def _faded_tasks(space: Space) -> list[Due]:
    low = under_the_floor(space)
    if not low:
        return []
    found = memories.get_many(space.db, list(low)[:_FADED])
    facts = [(found[key], low[key], wording.language(found[key].text)) for key in low if key in found]
    told = f"{human.count_text(len(low), 'fact')} fell below trust {space.tuning.trust_floor:g}"
    return [Due(told, f"{reverse('settings-heartbeat')}#beat-expire", facts)]


def _large_node_tasks(space: Space) -> list[Due]:
    large = overfull(space)
    if not large:
        return []
    try:
        href = f"{reverse('tree')}?node={large[0].path}"
    except NoReverseMatch:
        href = reverse("memory", args=[large[0].id])
    return [Due(f"{human.number(len(large))} {'node is' if len(large) == 1 else 'nodes are'} over 10 KB", href)]


def _sentence(one: Sentence, days: Mapping[str, datetime]) -> SentenceLine:
    text = one.text if len(one.text) <= LONG else one.text[:LONG].rstrip() + " …"
    return SentenceLine(one, text, "ko" if one.korean else "en", days.get(one.section), len(one.text) <= LONG)


def _staying_rows(staying: Sequence[Staying]) -> list[tuple[Staying, str]]:
    return [(one, wording.language(one.title)) for one in staying[:40]]


def _run(past: Past, you: str) -> RunLine:
    run = past.run
    seconds = (run.ended_at - run.started_at).total_seconds() if run.ended_at else None
    by = actor_name(run.actor, you=you)
    return RunLine(past, by, "" if run.reason.startswith("logs older than") else run.reason, seconds)


log = logging.getLogger(__name__)

AT_ONCE = 150  # sections; more make a page wait for longer than one likes
_KEPT = 8
_OF_USE = {"accesses", "accessed_at", "used", "not_useful"}  # columns that change when a section is only read
_lock = threading.Lock()
_counts: dict[str, int] = {}  # digests due by space, as last worked out; −1 while that is done for the first time
_kept: OrderedDict[tuple[str, str], Future[Preview]] = OrderedDict()


def preview_of(space: Space, *, ranker: Ranker, days: int) -> Preview | None:
    """The preview of what is held now; None while it is still being worked out. Raises what `consolidate.preview`
    does."""
    old, state = _preview_state(space, days)
    key = (space.name, derived_id("preview", state, str(ranker), str(days)))
    with _lock:
        found = _kept.get(key)
        begin = found is None
        if found is None:
            found = _kept[key] = Future()
        _kept.move_to_end(key)
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    if begin and old <= AT_ONCE:
        _fill(found, space, ranker, days)
    elif begin:
        _aside(_fill, found, space, ranker, days)
    if old > AT_ONCE and not found.done():
        return None
    try:
        return found.result()
    except BaseException:
        with _lock:
            _kept.pop(key, None)  # what went wrong once is tried again
        raise


def _preview_state(space: Space, days: int) -> tuple[int, str]:
    """How many sections are due, and the state of all that a preview is made from: the settings, these sections, whom
    they name, which of them wait for a decision, and the digests there are. Whatever else is written, such as what
    agents remember meanwhile, leaves a preview as it is."""
    view, due = consolidate.slots_due(space, older_than_days=days)
    roster, known = view.roster, view.incidence.entities
    digests = np.flatnonzero(roster.alive & (roster.kind == KINDS.index(Kind.DIGEST)))
    about = np.concatenate([due, digests])
    told = hashlib.blake2b(
        repr((space.index.serial, space.encoder.name, space.encoder.ready, space.tuning)).encode(), digest_size=16
    )
    for name in sorted(SPEC.keys() - _OF_USE):
        told.update(roster.columns[name][about].tobytes())
    told.update(" ".join(roster.ids[slot] for slot in about.tolist()).encode())
    matrix = view.incidence.matrix
    named = matrix[due[due < matrix.shape[0]]]
    for array in (named.indptr, named.indices, named.data):
        told.update(array.tobytes())
    codes = np.unique(named.indices).tolist()
    told.update(repr([(one.id, one.name, one.normal) for code in codes if (one := known[code])]).encode())
    waiting = conflicts.disputed_ids(space.db) & {roster.ids[slot] for slot in due.tolist()}
    told.update(" ".join(sorted(waiting)).encode())
    return len(due), told.hexdigest()


def digests_due(space: Space) -> int | None:
    """How many digests are due by the space's own settings, as they were last worked out; None where that was never
    done in this process. Then it is begun, where it is quick, so that the next page can tell."""
    old = consolidate.old_enough(space)
    if not old:
        return 0
    with _lock:
        known = _counts.get(space.name)
        if known is None:
            _counts[space.name] = -1  # begun: not by every page anew
    if known is None and old <= AT_ONCE:
        _aside(_count, space)
    return known if known is not None and known >= 0 else None


def _aside(do: Callable[..., None], *args: Any) -> None:
    """On a thread that a process need not wait for when it ends: nobody reads that page any more."""
    threading.Thread(target=do, args=args, name="preview", daemon=True).start()


def _count(space: Space) -> None:
    try:
        preview_of(space, ranker=Ranker(space.tuning.digest_ranker), days=space.tuning.consolidate_after_days)
    except Exception as error:  # noqa: BLE001 - a count in the rail is not worth a word to anybody
        log.debug("The digests of space %s cannot be counted: %s", space.name, error)


def _fill(found: Future[Preview], space: Space, ranker: Ranker, days: int) -> None:
    """Others who ask for the same meanwhile wait for this one."""
    try:
        made = consolidate.preview(space, ranker=ranker, older_than_days=days)
        if ranker.value == space.tuning.digest_ranker and days == space.tuning.consolidate_after_days:
            _counts[space.name] = len(made.due)
        found.set_result(made)
    except BaseException as error:  # noqa: BLE001 - it is raised where the result is waited for
        found.set_exception(error)
