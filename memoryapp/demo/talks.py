"""The example's conversations: what the team said to its agent, dated back from today."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from memoryapp.domain.turn import NewTurn, Role

TALKS = Path(__file__).parent / "talks"
AGENT = "atlas"
_DATED = re.compile(r"^d(\d+)-(.+)\.txt$")
_LINE = re.compile(r"^(\d\d):(\d\d) ([^:]+): (.+)$")


@dataclass(frozen=True, slots=True)
class Talk:
    """One session: `lines` are (when, who, words) in order."""

    name: str
    lines: tuple[tuple[datetime, str, str], ...]

    @property
    def started_at(self) -> datetime:
        return self.lines[0][0]

    @property
    def ended_at(self) -> datetime:
        return self.lines[-1][0] + timedelta(minutes=1)


def talks(*, today: date) -> list[Talk]:
    """The example's sessions, the earliest first. `d19-kickoff.txt` was held 19 days before `today`."""
    held = [_talk(file, today=today) for file in TALKS.glob("*.txt")]
    return sorted(held, key=lambda talk: talk.started_at)


def as_turns(talk: Talk) -> list[NewTurn]:
    """The lines of a talk as turns, numbered from 1."""
    return [
        NewTurn(text=words, speaker=who, role=Role.ASSISTANT if who == AGENT else Role.USER, at=when, ref=str(n))
        for n, (when, who, words) in enumerate(talk.lines, start=1)
    ]


def _talk(file: Path, *, today: date) -> Talk:
    dated = _DATED.match(file.name)
    if dated is None:
        raise ValueError(f"{file.name} is not named like d19-kickoff.txt.")
    day = today - timedelta(days=int(dated[1]))
    lines = [_line(line, day) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return Talk(f"{day.isoformat()} {dated[2]}", tuple(lines))


def _line(line: str, day: date) -> tuple[datetime, str, str]:
    told = _LINE.match(line)
    if told is None:
        raise ValueError(f"“{line}” is not a line like “09:02 Mina: Good morning.”")
    return datetime.combine(day, time(int(told[1]), int(told[2])), UTC), told[3], told[4]
