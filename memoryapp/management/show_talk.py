"""Sessions, turns and episodes as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from memoryapp.management.show import shortened

Told = dict[str, Any]


def session_lines(session: Told, episode: Told | None = None) -> Iterator[str]:
    ended = f", ended {session['ended_at']:.16}" if session["ended_at"] else ""
    private = ", private" if session["private"] else ""
    begun = f"begun {session['started_at']:.16}{ended}{private}"
    yield f"{session['name']}: {session['turns']:,} turns, {begun}  [{session['id']}]"
    if episode:
        yield from _told(episode)


def turn_lines(turns: Sequence[Told]) -> Iterator[str]:
    """What was said and, under it, what became of it."""
    for turn in turns:
        yield f"{turn['number']:>4}  {turn['speaker'] or turn['role']}: {shortened(turn['text'])}"
        yield f"      {_read(turn['reading'])}"


def _read(reading: Told) -> str:
    if reading["status"] == "waiting":
        return "waiting to be read"
    if reading["status"] == "skipped":
        return "not read"
    learned = [f"{one['outcome']} [{one['memory']}]" for one in reading["learned"]]
    told = f"{reading['extractor']}: " + (", ".join(learned) or "nothing learned")
    return f"{told} ({reading['problem']})" if reading["problem"] else told


def episode_lines(page: Told) -> Iterator[str]:
    for one in page["items"]:
        yield from _told(one)
        yield ""
    if not page["items"]:
        yield "No episodes."


def _told(episode: Told) -> Iterator[str]:
    day = f"{episode['ended_at'] or episode['created_at']:.10}"
    yield f"{day}  {episode['title'] or episode['session'] or ''}  [{episode['id']}]"
    yield f"     {episode['text']}"
    if episode["decision"]:
        yield f"     Decision: {episode['decision']}"
