"""A preview as its page shows it: digests with what they take and leave, what it would all do, what else is due."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import NoReverseMatch, reverse

from memoryapp.consolidate import Digest, Original, Past, Preview, Ranker, Sentence, Staying, runs, under_the_floor
from memoryapp.domain.errors import PalimpsestError
from memoryapp.domain.memory import Memory
from memoryapp.spaces import Space
from memoryapp.store import entity_pairs, memories
from memoryapp.tree import overfull
from memoryapp.web import human, wording
from memoryapp.web.access import Desk
from memoryapp.web.consolidate_picks import Picks
from memoryapp.web.revisions import who

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
        "shown": f"{begin + 1} to {begin + len(shown)} of {human.counted(len(ids), 'digest')}" if ids else "",
        "doing": doing_of(preview, picks),
        "seen": " ".join(f"{one.id}:{one.print}" for one in preview.digests),
        "staying": _staying(preview.staying),
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
    for told in (_alike, _faded, _large):
        try:
            found += told(space)
        except PalimpsestError:
            continue
    return found


def _alike(space: Space) -> list[Due]:
    pairs = len(entity_pairs.waiting(space.db, limit=_MOST + 1))
    if not pairs:
        return []
    many = f"{_MOST} and more" if pairs > _MOST else human.number(pairs)
    told = f"{many} {'pair of names looks' if pairs == 1 else 'pairs of names look'} the same"
    return [Due(told, f"{reverse('entities')}?tab=alike")]


def _faded(space: Space) -> list[Due]:
    low = under_the_floor(space)
    if not low:
        return []
    found = memories.get_many(space.db, list(low)[:_FADED])
    facts = [(found[key], low[key], wording.language(found[key].text)) for key in low if key in found]
    told = f"{human.counted(len(low), 'fact')} fell below trust {space.tuning.trust_floor:g}"
    return [Due(told, f"{reverse('settings-heartbeat')}#beat-expire", facts)]


def _large(space: Space) -> list[Due]:
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


def _staying(staying: Sequence[Staying]) -> list[tuple[Staying, str]]:
    return [(one, wording.language(one.title)) for one in staying[:40]]


def _run(past: Past, you: str) -> RunLine:
    run = past.run
    seconds = (run.ended_at - run.started_at).total_seconds() if run.ended_at else None
    by = who(run.actor, you=you)
    return RunLine(past, by, "" if run.reason.startswith("logs older than") else run.reason, seconds)
