"""Sessions made ready for their pages: the list of them, and one as a conversation with what each turn taught.

A turn's words made ready for its page: prose and code apart, and the sentences something was learned from marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse

from memoryapp.domain.identity import content_hash
from memoryapp.domain.memory import Kind, Memory, State
from memoryapp.domain.turn import Reading, ReadingStatus, Turn
from memoryapp.index.roster import KINDS, STATES
from memoryapp.interfaces.memories.rows import Row, rows_of
from memoryapp.interfaces.pages import human, wording
from memoryapp.jobs.models import Job, Status
from memoryapp.spaces import Space
from memoryapp.store import memories, turns
from memoryapp.store.sessions import Session
from memoryapp.summaries import episode_of, episodes_of

_FENCE = re.compile(r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*+\n(.*?)(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
LONGEST = 4_000  # characters of one turn that a page shows at first


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of prose, or of code, which is shown as it stands."""

    code: bool
    spans: tuple[Span, ...]


def blocks_of(text: str, quotes: Iterable[str] = ()) -> list[Block]:
    """Fenced code as blocks of its own; in the prose between, each of `quotes` that can be found is marked."""
    wanted = [found for quote in dict.fromkeys(quotes) if (found := _finder(quote)) is not None]
    blocks: list[Block] = []
    end = 0
    for fence in _FENCE.finditer(text):
        blocks += _prose(text[end : fence.start()], wanted)
        blocks.append(Block(True, (Span(fence[2].rstrip("\n")),)))
        end = fence.end()
    return blocks + _prose(text[end:], wanted)


def cut(text: str, *, longest: int = LONGEST) -> str:
    """At most so much of it, ended between words."""
    if len(text) <= longest:
        return text
    piece = text[:longest]
    return (piece.rsplit(None, 1)[0] if len(piece.split(None, 1)) > 1 else piece) + " …"


def _prose(text: str, wanted: list[re.Pattern[str]]) -> list[Block]:
    text = text.strip("\n")
    if not text.strip():
        return []
    spans: list[Span] = []
    end = 0
    for first, last in _merge_spans(found.span() for pattern in wanted if (found := pattern.search(text))):
        spans += [Span(text[end:first]), Span(text[first:last], True)]
        end = last
    return [Block(False, tuple(span for span in (*spans, Span(text[end:])) if span.text))]


def _finder(quote: str) -> re.Pattern[str] | None:
    """Finds the quote, white space and case aside."""
    words = quote.split()
    return re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE) if words else None


def _merge_spans(found: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """In order, those that overlap as one."""
    out: list[tuple[int, int]] = []
    for first, last in sorted(found):
        if out and first <= out[-1][1]:
            out[-1] = (out[-1][0], max(last, out[-1][1]))
        else:
            out.append((first, last))
    return out


PAGE = 40  # turns, or fewer where they are long
_ROOM = 48_000  # bytes of words, which keep a page under 100 KB with what is learned from them
# How a turn's outcome is told, and the look of its tag.
_OUTCOMES = {
    "written": ("learned", "good"),
    "reinforced": ("said again", ""),
    "conflict": ("≠ in conflict", "conflict"),
    "unchanged": ("known", ""),
}


@dataclass(frozen=True, slots=True)
class SessionLine:
    """`episode`: its memory, where the session is told as one."""

    id: str
    session: Session
    turns: int
    waiting: int
    facts: int
    episode: Memory | None
    lasted: str

    @property
    def under_way(self) -> bool:
        return self.session.ended_at is None


@dataclass(frozen=True, slots=True)
class Lesson:
    """`row` is None where the memory was purged since."""

    row: Row | None
    word: str
    look: str


@dataclass(frozen=True, slots=True)
class TurnShown:
    """`whole`: how many characters it has, where not all are shown. `told`: who read it, or why nobody has."""

    turn: Turn
    speaker: str
    lang: str
    blocks: list[Block]
    whole: int
    status: str
    lessons: list[Lesson]
    told: str
    problem: str
    passed_over: int

    @property
    def waiting(self) -> bool:
        return self.status == ReadingStatus.WAITING.value

    @property
    def failed(self) -> bool:
        return self.status == ReadingStatus.FAILED.value


@dataclass(frozen=True, slots=True)
class Talk:
    """A stretch of a session. `first` and `last` are the numbers shown, 0 where nothing was said; `seen` changes
    whenever anything of it does."""

    turns: list[TurnShown]
    first: int
    last: int
    total: int
    waiting: int
    seen: str


def lines_of(space: Space, found: Sequence[Session]) -> list[SessionLine]:
    names = [session.name for session in found]
    said, taught = turns.counts(space.db, names), learned_in(space, names)
    unread, told = turns.waiting_by_session(space.db, names), episodes_of(space, names)
    return [
        SessionLine(
            id=session.id,
            session=session,
            turns=said.get(session.name, 0),
            waiting=unread.get(session.name, 0),
            facts=taught[session.name],
            episode=_held_or_none(told.get(session.name)),
            lasted=duration_text(session.started_at, session.ended_at),
        )
        for session in found
    ]


def learned_in(space: Space, names: Sequence[str]) -> dict[str, int]:
    """How many facts, not deleted since, were first learned in each of these sessions: from the index, which needs not
    read them to count them."""
    space.index.refresh()
    roster = space.index.roster
    facts = roster.alive & (roster.kind == KINDS.index(Kind.FACT)) & (roster.state != STATES.index(State.DELETED))
    of_place = np.bincount(roster.place[facts & (roster.place >= 0)])
    taught = dict.fromkeys(names, 0)
    for count, (_, _, session) in zip(of_place.tolist(), roster.names["place"].names, strict=False):
        if count and session in taught:
            taught[session] += count
    return taught


def held_episode(space: Space, session: str) -> Memory | None:
    return _held_or_none(episode_of(space, session))


def _held_or_none(told: Memory | None) -> Memory | None:
    return told if told is not None and told.state is State.HELD else None


def duration_text(begun: datetime, ended: datetime | None) -> str:
    """“1 h 12 min”; empty while it goes on, or where no time is known to have passed."""
    minutes = round((ended - begun).total_seconds() / 60) if ended else 0
    if minutes < 1:
        return ""
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def talk_of(space: Space, session: str, *, after: int = 0, whole: int = 0) -> Talk:
    """The turns from number `after` + 1 on; the one numbered `whole` is not cut short."""
    found = _fit_turns(turns.of_session(space.db, session, after=after, limit=PAGE), whole)
    words = turns.private_words(space.db, found)
    found = [replace(turn, text=words.get(turn.id, turn.text)) for turn in found]
    readings = turns.readings(space.db, [turn.id for turn in found])
    taught = memories.get_many(space.db, list({one.memory for reading in readings.values() for one in reading.learned}))
    rows = {row.id: row for row in rows_of(space, list(taught.values()))}
    shown = [
        _turn_view(turn, readings.get(turn.id) or Reading(turn.id, session, ReadingStatus.SKIPPED), rows, whole)
        for turn in found
    ]
    total, waiting = turns.last_number(space.db, session), turns.count_waiting(space.db, session=session)
    seen = [f"{total} {waiting} {len(words)}", *(f"{reading}" for reading in readings.values())]
    seen += [f"{row.memory.version} {row.mark}" for row in rows.values()]
    first, last = (found[0].number, found[-1].number) if found else (0, 0)
    return Talk(shown, first, last, total, waiting, content_hash("\n".join(seen))[:16])


def _fit_turns(found: Sequence[Turn], whole: int) -> list[Turn]:
    """As many as fit on a page; always one."""
    fitting: list[Turn] = []
    room = _ROOM
    for turn in found:
        room -= len((turn.text if turn.number == whole else turn.text[:LONGEST]).encode())
        if room < 0 and fitting:
            break
        fitting.append(turn)
    return fitting


def _turn_view(turn: Turn, reading: Reading, rows: dict[str, Row], whole: int) -> TurnShown:
    text = turn.text if turn.number == whole else cut(turn.text)
    mine = [row.memory for one in reading.learned if (row := rows.get(one.memory)) is not None]
    quotes = [str(memory.detail.get("quote") or "") for memory in mine if memory.origin.turn == turn.id]
    return TurnShown(
        turn=turn,
        speaker=turn.speaker or turn.role.value,
        lang=wording.language(turn.text),
        blocks=blocks_of(text, quotes),
        whole=len(turn.text) if len(text) < len(turn.text) else 0,
        status=reading.status.value,
        lessons=[_lesson(rows.get(one.memory), one.outcome) for one in reading.learned],
        told=_reading_text(turn, reading),
        problem=reading.problem,
        passed_over=reading.passed_over,
    )


def _lesson(row: Row | None, outcome: str) -> Lesson:
    word, look = _OUTCOMES.get(outcome, (outcome, ""))
    if row is not None and outcome == "conflict" and row.mark != "conflict":
        return Lesson(row, "was in conflict", "")  # decided since
    return Lesson(row, word, look)


def _reading_text(turn: Turn, reading: Reading) -> str:
    if reading.status is ReadingStatus.WAITING:
        return "will be retried soon" if reading.tries else "waiting to be processed"
    if reading.status is ReadingStatus.SKIPPED:
        if turn.private:
            return "private: not learned from"
        return (
            "not processed"
            if turn.role.value in ("user", "assistant")
            else f"not processed: said by a {turn.role.value}"
        )
    if reading.status is ReadingStatus.FAILED:
        return "could not be processed"
    by = (
        f"extracted by {'rules (no LLM)' if reading.extractor == 'rules' else reading.extractor}"
        if reading.extractor
        else "read"
    )
    if reading.asked:
        by += f", its wording used for {reading.reworded} of {human.count_text(reading.asked, 'fact')}"
    return by if reading.learned else f"{by}, nothing to learn"


def aside_of(space: Space, session: Session) -> dict[str, Any]:
    """What stands beside a conversation: its episode, and how many facts were first learned in it."""
    told = episode_of(space, session.name)
    return {
        "episode": told if told is not None and told.state is not State.DELETED else None,
        "facts": learned_in(space, [session.name])[session.name],
        "facts_href": f"{reverse('facts')}?{urlencode({'source': session.name})}",
        "private_words": turns.count_private_words(space.db, session.name),
        "metadata": [
            (str(name)[:60], wording.excerpt(str(value), limit=200)) for name, value in _metadata_items(session)
        ],
    }


def telling_of(space: str, session: Session) -> str:
    """“telling” while a job writes its episode; “nothing” where the last one found nothing to tell; else empty."""
    last = (
        Job.objects.filter(kind="narrate", space=space, subject=f"narrate:{session.id}").order_by("-created_at").first()
    )
    if last is None:
        return ""
    if last.open:
        return "telling"
    return "nothing" if last.status == Status.DONE and not (last.report or {}).get("episode") else ""


def _metadata_items(session: Session) -> list[tuple[str, Any]]:
    return list(session.metadata.items())[:20]
