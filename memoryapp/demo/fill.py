"""The example put into a space, day by day: each day's notes are ingested and its talks read and told by a clock that
stands at that day's evening, so that the space has a past of three weeks. What was made of it on the way (a Context
Tree, a digest, a decision, feedback, golden queries) is made as it is anywhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from memoryapp import graph, lab, tree
from memoryapp.consolidate import consolidate
from memoryapp.demo.calls import CALLS, ask
from memoryapp.demo.notes import days, write_notes
from memoryapp.demo.talks import AGENT, Talk, as_turns, talks
from memoryapp.domain.change import Actor
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.errors import Cancelled
from memoryapp.domain.identity import derived_id
from memoryapp.domain.memory import Kind
from memoryapp.domain.progress import Progress
from memoryapp.domain.results import Query
from memoryapp.domain.trace import Asker
from memoryapp.extraction.facts.choose import Reader
from memoryapp.extraction.relations.choose import RelationReader
from memoryapp.ingest import ingest
from memoryapp.remember import append_turns, read_turns, remember_turns
from memoryapp.search import search, settle
from memoryapp.spaces import Space
from memoryapp.store import documents, nodes, sessions
from memoryapp.store.write import new_run
from memoryapp.summaries import narrate_session, refresh_summaries

TREE = Path(__file__).parent / "tree"
EVENING = time(20, 30)
PROFILE, PLAN = "recent-first", "hybrid;recency=0.5"
_TREE_DAY, _FOLDED_DAY, _GOLDEN_DAY = 19, 12, 7  # days ago
_FOLDED = 6  # days that a log has rested by then: those before the one on the VRAM issue
_GOLDEN = {  # what is asked, and words of whatever answers it
    "what happened with the RTX 5070 Ti VRAM issue": "crept from 6 GB",
    "who is allergic to something?": "peanuts",
    "where do secrets come from?": "secret",
    "why SurrealDB and not PostgreSQL?": "SurrealDB over PostgreSQL",
    "가치관이 뭐야?": "결정은",
}


_ANSWERS = (Kind.SECTION, Kind.FACT)


@dataclass(frozen=True, slots=True)
class Tools:
    """What the space reads talks and relations with, and as whom. `asker`: by which key an agent of a name asks."""

    reader: Reader
    relations: RelationReader
    extraction: Actor
    narration: Actor
    asker: Callable[[str], Asker]


def fill(space: Space, folder: Path, *, actor: Actor, tools: Tools, progress: Progress) -> dict[str, int]:
    """Writes the example's notes below `folder`, and into the space what would have become of them in three weeks.
    Returns counts. Doing it again changes nothing on the same day. Raises what the rooms raise; Cancelled."""
    now = space.clock()
    today = now.date()
    fresh = not nodes.outline(space.db)
    said = talks(today=today)
    stages = sorted({*days(today=today), *(talk.started_at.date() for talk in said)})
    source = _source(space, folder)
    for n, day in enumerate(stages):
        if progress.cancelled():
            raise Cancelled("Stopped as you asked. What is already in stays; fill the space again to go on.")
        then = _space_at(space, min(datetime.combine(day, EVENING, UTC), now))
        progress.say(f"{day:%A, %d %B}")
        _read_notes(then, folder, source, today=today, until=day, actor=actor)
        _hold(then, [talk for talk in said if talk.started_at.date() == day], actor=actor, tools=tools)
        if fresh:
            last = stages[n - 1] if n else day
            _fill_day_acts(then, (today - day).days, last=last, now=now, actor=actor, asker=tools.asker)
        progress.advance(n + 1, len(stages))
    progress.say("drawing conclusions")
    refresh_summaries(space, model=None, actor=tools.narration)
    graph.relate(space, actor=actor, reader=tools.relations)
    graph.embed_names(space, space.encoder.get(90))
    graph.find_alike(space)
    if fresh:
        _take_in(space, actor)
        lab.evaluate(space, ["hybrid", PROFILE], actor=actor)
    graph.draw(space)
    settle()
    space.index.refresh()
    return {"days": len(stages), "memories": int(space.index.view().roster.listed.sum()), "talks": len(said)}


def _space_at(space: Space, moment: datetime) -> Space:
    """The same space with its clock at that moment: what is written bears it."""
    return replace(space, clock=lambda: moment)


def _source(space: Space, folder: Path) -> Source:
    kind, root = SourceKind.FOLDER, str(folder)
    known = {one.id: one for one in documents.sources(space.db)}
    key = derived_id("source", kind.value, root)
    return known.get(key) or Source(key, kind, root, folder.name, space.clock(), on_session_start=True)


def _read_notes(space: Space, folder: Path, source: Source, *, today: date, until: date, actor: Actor) -> None:
    write_notes(folder, today=today, until=until)
    ingest(space, source, run=new_run("ingest", actor, now=space.clock(), reason=source.name))


def _hold(space: Space, said: Sequence[Talk], *, actor: Actor, tools: Tools) -> None:
    """Holds the talks of a day that were not held yet, reads them and tells each."""
    for talk in said:
        opened = sessions.open_session(space.db, sessions.Session(talk.name, talk.started_at, agent=AGENT))
        if opened.ended_at is not None:
            continue
        append_turns(space, talk.name, as_turns(talk), actor=actor)
        remember_turns(space)
        read_turns(space, reader=tools.reader, actor=tools.extraction, session=talk.name)
        sessions.end(space.db, talk.name, at=talk.ended_at)
        narrate_session(space, talk.name, model=None, actor=tools.narration)


def _fill_day_acts(
    space: Space, ago: int, *, last: date, now: datetime, actor: Actor, asker: Callable[[str], Asker]
) -> None:
    """What people and agents did on that day, and on those since the `last` one that was filled."""
    since = (now.date() - last).days

    def comes(day: int) -> bool:
        return ago <= day < since or (day == ago)

    if comes(_TREE_DAY):
        files = {str(file.relative_to(TREE)): file.read_bytes() for file in sorted(TREE.rglob("*")) if file.is_file()}
        tree.bring(space, files, actor=actor)
    if comes(_FOLDED_DAY):
        consolidate(space, actor=actor, older_than_days=_FOLDED)
    if comes(_GOLDEN_DAY):
        _ask_golden(space, actor)
    for n, call in enumerate(one for one in CALLS if comes(one.ago)):
        ask(_space_at(space, min(space.clock() + timedelta(minutes=4 * n), now)), call, asker)


def _ask_golden(space: Space, actor: Actor) -> None:
    """The questions that search has to answer, and how it did that day."""
    lab.save_profile(space, PROFILE, PLAN, "What was confirmed lately comes first.", actor=actor)
    space.index.refresh()
    for question, words in _GOLDEN.items():
        hits = search(space, Query(question, top_k=20)).hits
        answers = [hit.memory.id for hit in hits if words in hit.memory.text and hit.memory.kind in _ANSWERS]
        if answers:
            lab.add_golden(space, question, answers[:3], actor=actor)
    lab.evaluate(space, ["hybrid", PROFILE], actor=actor)


def _take_in(space: Space, actor: Actor) -> None:
    """What the talks taught about the tree's subjects, written into it where the place is certain."""
    waits = [one.memory.id for one in tree.waiting(space, limit=100, certain=True)]
    if waits:
        tree.retain(space, waits, actor=actor)
