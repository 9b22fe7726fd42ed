"""Whose a memory is, where several owners share one space: what is learned in the sessions of one owner is compared
with what was learned in its own, and with nothing else. Two users of one agent who say the same confirm nobody's memory
but their own, and what each believes does not contradict the other."""

from __future__ import annotations

OWNED = "owner:"  # how the name of a session begins that belongs to one owner
PART = "&part="  # behind it, where an owner's session was ended and it went on: owner:user_id=mina&part=2


def apart(session: str | None) -> str | None:
    """The owner that a memory from this session is kept to; None for what belongs to the space as a whole."""
    return session.partition(PART)[0] if session is not None and session.startswith(OWNED) else None
