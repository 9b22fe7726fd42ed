"""Turns come in: checked, numbered behind the last one of their session, kept as they were said. Nobody waits for what
will be learned from them: that is `reading.py`, later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from memoryapp.domain.change import Actor
from memoryapp.domain.cleaning import clean, clean_name, has_words
from memoryapp.domain.clock import as_utc
from memoryapp.domain.errors import BadInput, Cancelled, Clash, NotFound, TooLarge
from memoryapp.domain.identity import derived_id, new_id
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Kind
from memoryapp.domain.progress import Progress
from memoryapp.domain.redaction import is_blank
from memoryapp.domain.secrets import PRIVATE, is_masked, mask_private, mask_secrets
from memoryapp.domain.turn import NewTurn, ReadingStatus, Role, Turn
from memoryapp.extraction.facts.filter import asks_not_to_keep
from memoryapp.index.roster import KINDS
from memoryapp.spaces import Space
from memoryapp.spaces.embed import embed_words
from memoryapp.store import embeddings, sessions, turns
from memoryapp.store.rows import short_id

READABLE = frozenset({Role.USER, Role.ASSISTANT})


def append_turns(space: Space, session: str, new: Sequence[NewTurn], *, actor: Actor) -> list[Turn]:
    """Keeps the turns and gives them back in their order; one whose ref the session knows comes back as it was kept.

    `actor` hands them over; who spoke is each turn's own `speaker`. Raises NotFound for a session nobody opened, Clash
    for one that has ended (not where all of them are known), BadInput or TooLarge that points at "/turns/3/text".
    """
    opened, last = sessions.get_with_last_number(space.db, session)
    said, private = _check_turns(new, session, private=opened.private, now=space.clock())
    if opened.ended_at is not None and not turns.get_many(space.db, [turn.id for turn in said]).keys() >= {
        turn.id for turn in said
    }:
        raise Clash(f"Session “{short_id(session)}” has ended. Open another one, and append the turns there.")
    return turns.append(
        space.db,
        session,
        [(turn, _first_status(space, turn)) for turn in said],
        behind=last,
        apart=[turn.id for turn in said if not is_searchable(turn)],
        private=private if space.tuning.private_turns == "keep" else {},
        now=space.clock(),
    )


def any_unread(space: Space, kept: Sequence[Turn]) -> bool:
    """Whether one of these turns, as `append_turns` just gave them, waits for whoever learns from turns."""
    # One without a ref came in with that call; of the others any may have been there, and read, before.
    if any(turn.ref is None and _first_status(space, turn) is ReadingStatus.WAITING for turn in kept):
        return True
    return turns.any_waiting(space.db, [turn.id for turn in kept if turn.ref is not None])


def is_searchable(turn: Turn) -> bool:
    """Whether a turn becomes a memory: not where it asks not to be remembered, or where nothing is left of it."""
    return not (is_blank(turn.text) or is_masked(turn.text) or asks_not_to_keep(turn.text))


def read_again(space: Space, keys: Sequence[str]) -> int:
    """Lets these turns wait for a reader once more and returns how many do. What they gave before is not given twice.
    Raises NotFound."""
    found = turns.get_many(space.db, keys)
    for key in keys:
        if key not in found:
            raise NotFound(f"There is no turn {short_id(key)} in space “{space.name}”.")
    wanted = [key for key, turn in found.items() if turn.role in READABLE]
    again = [
        replace(reading, status=ReadingStatus.WAITING, tries=0, problem="")
        for reading in turns.readings(space.db, wanted).values()
    ]
    turns.save_readings(space.db, again)
    return len(again)


def _check_turns(
    new: Sequence[NewTurn], session: str, *, private: bool, now: datetime
) -> tuple[list[Turn], dict[str, str]]:
    """The turns as whatever reads turns may have them, and by id the words of those that hold private ones."""
    if len(new) > LIMITS.turns:
        raise TooLarge(f"{len(new)} turns at once; the limit is {LIMITS.turns}. Send them in several.", field="/turns")
    # A microsecond apart, so that what comes without a time keeps its order.
    said, words = [], {}
    for n, one in enumerate(new):
        one = replace(one, private=private or one.private)
        turn, whole = _turn(one, session, f"/turns/{n}", now + timedelta(microseconds=n))
        said.append(turn)
        if turn.private:
            words[turn.id] = whole
    seen: dict[str, int] = {}
    for n, turn in enumerate(said):
        if turn.ref is not None and seen.setdefault(turn.ref, n) != n:
            raise BadInput(f"Turns {seen[turn.ref]} and {n} carry the same ref “{turn.ref}”.", field=f"/turns/{n}/ref")
    return said, words


def _turn(new: NewTurn, session: str, at: str, now: datetime) -> tuple[Turn, str]:
    """The turn, and its words with those that are private."""
    text = clean(new.text).strip()
    if not has_words(text):
        raise BadInput("The text is empty.", field=f"{at}/text")
    if len(text) > LIMITS.turn_chars:
        raise TooLarge(
            f"The text has {len(text):,} characters; one turn may have {LIMITS.turn_chars:,}.", field=f"{at}/text"
        )
    whole = mask_secrets(text)[0]
    if new.private or asks_not_to_keep(text):
        text = PRIVATE
    else:
        text = mask_secrets(bare)[0] if (bare := mask_private(text)) != text else whole
    ref = clean_name(new.ref, field=f"{at}/ref")
    turn = Turn(
        id=derived_id("turn", session, ref) if ref else new_id(),
        session=session,
        number=0,  # given as it is written
        text=text,
        at=as_utc(new.at) if new.at else now,
        speaker=clean_name(new.speaker, field=f"{at}/speaker"),
        role=new.role,
        ref=ref,
        private=text != whole,
    )
    return turn, whole


def _first_status(space: Space, turn: Turn) -> ReadingStatus:
    unread = space.tuning.extractor == "off" or turn.role not in READABLE or is_masked(turn.text)
    return ReadingStatus.SKIPPED if unread else ReadingStatus.WAITING


# Turns as memories of their own: those of before there were such get theirs, and all of them their vectors.

_AT_ONCE = 256  # turns embedded and written together; a kill loses at most so many
_TURN = KINDS.index(Kind.TURN)


def remember_turns(space: Space, *, progress: Progress | None = None) -> int:
    """Gives every turn its memory and every such memory its vector; returns how many got a vector. What is done stays:
    ended anywhere, the next call goes on from there. Raises Cancelled, StoreError."""
    count = 0
    while True:
        made, complete = _embed_turns(space, progress)
        count += made
        if complete or turns.all_remembered(space.db):
            return count
        for found in turns.turns_without_memory(space.db):
            _stop_where_asked(progress)
            turns.remember(space.db, [turn for turn in found if is_searchable(turn)])
        turns.set_all_remembered(space.db, to=True)


def _embed_turns(space: Space, progress: Progress | None) -> tuple[int, bool]:
    """How many memories of turns got a vector, and whether it showed meanwhile that every turn has its memory."""
    space.index.refresh()
    roster = space.index.view().roster
    waiting = np.flatnonzero(roster.alive & (roster.kind == _TURN) & ~roster.has)
    wanted = [roster.ids[slot] for slot in waiting[np.argsort(roster.created[waiting], kind="stable")].tolist()]
    count, complete = 0, False
    for start in range(0, len(wanted), _AT_ONCE):
        _stop_where_asked(progress)
        words, complete = turns.words(space.db, wanted[start : start + _AT_ONCE])
        made = embed_words(space, words)
        embeddings.put(space.db, made)
        count += len(made)
    return count, complete


def _stop_where_asked(progress: Progress | None) -> None:
    if progress is not None and progress.cancelled():
        raise Cancelled("Stopped. What is done stays; the other turns wait.")
