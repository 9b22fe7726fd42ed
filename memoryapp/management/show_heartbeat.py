"""The heartbeat as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any


def heartbeat_lines(items: list[dict[str, Any]]) -> Iterator[str]:
    """Two lines an act: when it is done, and what came of it last."""
    for one in items:
        due = f", next {_moment(one['next_at'])}" if one["next_at"] else ""
        yield f"{one['act']:<12} {when(one) if one['on'] else 'off'}{due if one['on'] else ''}"
        yield f"{'':<12} {last(one)}"


def when(one: dict[str, Any]) -> str:
    """“daily at 03:00 Asia/Seoul”, “every 6 h”, “as soon as there is something to do”."""
    if one["at"]:
        return f"daily at {one['at']}{' ' + one['zone'] if one['zone'] else ''}"
    if not one["every_minutes"]:
        return "as soon as there is something to do"
    hours, minutes = divmod(one["every_minutes"], 60)
    return f"every {hours} h" if not minutes else f"every {one['every_minutes']} min"


def last(one: dict[str, Any]) -> str:
    if one["running"]:
        return "running now"
    if not one["last_at"]:
        return "not done yet"
    word = "failed: " if one["failed"] else "skipped: " if one["skipped"] else ""
    took = f" ({one['took']:.1f} s)" if one["took"] is not None else ""
    return f"{_moment(one['last_at'])}  {word}{one['told']}{took}"


def _moment(text: str) -> str:
    return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M")
