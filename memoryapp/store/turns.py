"""Turns and their readings: what was said in a session, in order, and what was learned from each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any

from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import words_of
from memoryapp.domain.turn import Reading, ReadingStatus, Turn, memory_of
from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.retry import retry_write
from memoryapp.store.walk import walk

_PAGE = 500  # turns looked at together

# Numbered behind `known`, and moved on inside the block where somebody appended since: two that append at once meet in
# the unique index, and the second one counts again.
_APPEND = """{
    LET $last = (SELECT VALUE number FROM turn WHERE session = $named ORDER BY number DESC LIMIT 1)[0] ?? 0;
    LET $by = $last - $known;
    INSERT INTO turn (IF $by = 0 { $turns } ELSE {
        array::map($turns, |$t| object::extend($t, { number: $t.number + $by }))
    }) RETURN NONE;
    INSERT INTO memory (IF $by = 0 { $memories } ELSE {
        array::map($memories, |$m| object::extend($m, { position: $m.position + $by }))
    }) RETURN NONE;
    INSERT INTO reading $readings RETURN NONE;
    INSERT INTO private_words $private RETURN NONE;
    RETURN $last;
}"""


_TURN = rows.Table("turn", Turn, sparse=("private",))
_READING = rows.Table("reading", Reading, key="turn", sparse=("excluded",))
turn_row, turn_from = _TURN.row, _TURN.read
reading_row, reading_from = _READING.row, _READING.read


def append(
    db: Database,
    session: str,
    said: Sequence[tuple[Turn, ReadingStatus]],
    *,
    behind: int = 0,
    apart: Collection[str] = (),
    private: Mapping[str, str] | None = None,
    now: datetime | None = None,
) -> list[Turn]:
    """Adds turns behind the last one of their session, each with its memory, and gives them as they are kept, numbered.
    A turn whose id is there already (the same ref again) is given back as it was kept. `behind`: the number of the last
    one as far as the caller knows, which spares the engine the counting. `apart`: ids of turns that are no memories.
    `private`: by id, words that are kept for the session alone."""
    lost = False  # whether an attempt may have written and lost the answer

    def write() -> list[Turn]:
        nonlocal lost
        # Without a ref an id is new, unless an earlier attempt wrote it.
        kept = get_many(db, [turn.id for turn, _ in said if turn.ref or lost])
        lost = True
        new = {turn.id: (turn, status) for turn, status in said if turn.id not in kept}
        if new:
            numbered = [
                replace(turn, session=session, number=number)
                for number, (turn, _) in enumerate(new.values(), start=behind + 1)
            ]
            last = db.query(
                _APPEND,
                named=session,
                known=behind,
                turns=[_filled(turn_row(turn)) for turn in numbered],
                memories=[
                    _filled(rows.memory_row(memory_of(turn, now=now))) for turn in numbered if turn.id not in apart
                ],
                readings=[_filled(reading_row(Reading(key, session, status))) for key, (_, status) in new.items()],
                private=[
                    {"id": rows.record("private_words", key), "session": session, "text": text}
                    for key, text in (private or {}).items()
                    if key in new
                ],
            )[0]
            by = last - behind
            kept |= {turn.id: replace(turn, number=turn.number + by) if by else turn for turn in numbered}
        return [kept[turn.id] for turn, _ in said]

    return retry_write(write)  # two agents may send the same turn at once


def _filled(row: rows.Row) -> rows.Row:
    """Without the fields that are empty, which are most of a turn's: a new row is the same without them."""
    return {name: value for name, value in row.items() if value is not None}


def private_words(db: Database, found: Sequence[Turn]) -> dict[str, str]:
    """Of these turns the words that are kept for their session alone, by id."""
    keys = [rows.record("private_words", turn.id) for turn in found if turn.private]
    if not keys:
        return {}
    kept = db.query("SELECT * FROM $keys TIMEOUT 10s", keys=keys)[0]
    return {rows.key_of(row["id"]): row["text"] for row in kept}


def count_private_words(db: Database, session: str) -> int:
    """Turns of a session whose private words are kept."""
    found = db.query(
        "SELECT count() AS n FROM private_words WHERE session = $named GROUP ALL TIMEOUT 5s", named=session
    )[0]
    return int(found[0]["n"]) if found else 0


def erase_private_words(db: Database, session: str) -> int:
    """Of all turns of a session; returns of how many."""
    gone = db.query("DELETE private_words WHERE session = $named RETURN BEFORE TIMEOUT 20s", named=session)[0]
    return len(gone)


def last_number(db: Database, session: str) -> int:
    """Of the last turn of a session; 0 where it has none."""
    found = db.query(
        "SELECT number FROM turn WHERE session = $named ORDER BY number DESC LIMIT 1 TIMEOUT 5s", named=session
    )[0]
    return int(found[0]["number"]) if found else 0


def get(db: Database, key: str) -> Turn:
    """Raises NotFound."""
    found = get_many(db, [key])
    if key not in found:
        raise NotFound(f"There is no turn {rows.short_id(key)} in space “{db.name}”.")
    return found[key]


def get_many(db: Database, keys: Sequence[str]) -> dict[str, Turn]:
    """Those of `keys` that exist, by id."""
    if not keys:
        return {}
    found = db.query("SELECT * FROM $keys TIMEOUT 10s", keys=[rows.record("turn", key) for key in keys])[0]
    return {turn.id: turn for turn in map(turn_from, found)}


def of_session(db: Database, session: str, *, after: int = 0, limit: int = 200) -> tuple[Turn, ...]:
    """Turns of a session in order, from number `after` + 1 on."""
    found = db.query(
        """SELECT * FROM turn WHERE session = $named AND number > $after
        ORDER BY number LIMIT $limit TIMEOUT 10s""",
        named=session,
        after=after,
        limit=limit,
    )[0]
    return tuple(map(turn_from, found))


def before(db: Database, turn: Turn, *, count: int) -> tuple[Turn, ...]:
    """The `count` turns said right before this one in its session, in order."""
    first = max(turn.number - count, 1)
    return tuple(one for one in of_session(db, turn.session, after=first - 1, limit=count) if one.number < turn.number)


def counts(db: Database, sessions: Sequence[str]) -> dict[str, int]:
    """How many turns each of these sessions has."""
    if not sessions:
        return {}
    # Turns are numbered without a gap and stay for good, so that the last number is how many there are; of each session
    # the index gives that one without the others.
    bound: dict[str, Any] = {f"named{n}": name for n, name in enumerate(sessions)}
    found = db.query(
        ";".join(
            f"SELECT VALUE number FROM turn WHERE session = $named{n} ORDER BY number DESC LIMIT 1 TIMEOUT 5s"
            for n in range(len(sessions))
        ),
        **bound,
    )
    return {name: int(last[0]) for name, last in zip(sessions, found, strict=True) if last}


def readings(db: Database, turns: Sequence[str]) -> dict[str, Reading]:
    """Readings of these turns, by the turn's id."""
    if not turns:
        return {}
    found = db.query("SELECT * FROM $keys TIMEOUT 10s", keys=[rows.record("reading", key) for key in turns])[0]
    return {reading.turn: reading for reading in map(reading_from, found)}


def any_waiting(db: Database, turns: Sequence[str]) -> bool:
    """Whether somebody has yet to read one of these turns."""
    if not turns:
        return False
    keys = [rows.record("reading", key) for key in turns]
    return bool(db.query("SELECT VALUE id FROM $keys WHERE status = 'waiting' LIMIT 1 TIMEOUT 10s", keys=keys)[0])


def giving(db: Database, sessions: Sequence[str], memories: Sequence[str]) -> tuple[str, ...]:
    """Ids of the turns of these sessions that gave or confirmed one of these memories."""
    found = db.query(
        """SELECT VALUE record::id(id) FROM reading
        WHERE session IN $sessions AND learned.*.memory CONTAINSANY $memories TIMEOUT 20s""",
        sessions=list(sessions),
        memories=list(memories),
    )[0]
    return tuple(found)


def waiting(db: Database, *, session: str | None = None, limit: int = 64) -> tuple[Turn, ...]:
    """Turns that nobody has read yet, in the order in which they were said: sessions one after the other."""
    narrow = " AND session = $named" if session is not None else ""
    found = db.query(
        f"SELECT VALUE record::id(id) FROM reading WHERE status = 'waiting'{narrow} LIMIT $limit TIMEOUT 10s",
        named=session,
        limit=limit,
    )[0]
    return tuple(sorted(get_many(db, list(found)).values(), key=lambda turn: (turn.session, turn.number)))


def count_waiting(db: Database, *, session: str | None = None) -> int:
    narrow = " AND session = $named" if session is not None else ""
    found = db.query(
        f"SELECT count() AS n FROM reading WHERE status = 'waiting'{narrow} GROUP ALL TIMEOUT 5s", named=session
    )[0]
    return int(found[0]["n"]) if found else 0


def waiting_by_session(db: Database, sessions: Sequence[str]) -> dict[str, int]:
    """How many turns of each of these sessions nobody has read yet; a session without any is absent."""
    if not sessions:
        return {}
    found = db.query(
        """SELECT session, count() AS n FROM reading WITH INDEX reading_status
        WHERE status = 'waiting' AND session IN $sessions GROUP BY session TIMEOUT 10s""",
        sessions=list(sessions),
    )[0]
    return {row["session"]: int(row["n"]) for row in found}


def save_readings(db: Database, changed: Sequence[Reading]) -> None:
    """Writes readings that go without a batch: of turns asked to be read again."""
    for reading in changed:
        db.query("UPSERT $row.id CONTENT $row RETURN NONE", row=reading_row(reading))


def save_where_waiting(db: Database, changed: Sequence[Reading]) -> None:
    """Writes readings without a batch, that gave nothing or failed: of those turns that still wait to be read. What
    somebody else read of a turn meanwhile stays."""
    for reading in changed:
        db.query("UPDATE $row.id CONTENT $row WHERE status = 'waiting' RETURN NONE", row=reading_row(reading))


def sessions_waiting(db: Database) -> tuple[str, ...]:
    """Names of the sessions with turns that nobody has read yet."""
    found = db.query("SELECT session FROM reading WHERE status = 'waiting' GROUP BY session TIMEOUT 10s")[0]
    return tuple(sorted(row["session"] for row in found))


def waiting_in(db: Database, session: str) -> tuple[str, ...]:
    """Ids of a session's turns that nobody has read yet, in the order in which they were said."""
    found = db.query(
        """LET $waiting = SELECT VALUE type::record('turn', record::id(id)) FROM reading
            WHERE status = 'waiting' AND session = $named;
        SELECT record::id(id) AS key, number FROM $waiting ORDER BY number TIMEOUT 20s""",
        named=session,
    )[1]
    return tuple(row["key"] for row in found)


def speakers(db: Database, session: str) -> tuple[str, ...]:
    """Names of those who spoke in a session."""
    found = db.query(
        "SELECT speaker FROM turn WHERE session = $named AND speaker != NONE GROUP BY speaker TIMEOUT 10s",
        named=session,
    )[0]
    return tuple(sorted(row["speaker"] for row in found))


def all_remembered(db: Database) -> bool:
    """Whether every turn has its memory: turns of before there were such memories get theirs by and by."""
    found = db.query("SELECT VALUE remembered FROM ONLY meta:turns TIMEOUT 5s")[0]
    return bool(found)


def turns_without_memory(db: Database) -> Iterator[list[Turn]]:
    """Turns that have no memory yet, of whatever session, some at a time. One whose memory was purged has none for
    good."""
    waiting = map(turn_from, walk(db, "turn"))
    while found := list(islice(waiting, _PAGE)):
        keys = [turn.id for turn in found]
        there, gone = db.query(
            "SELECT VALUE id FROM $memories TIMEOUT 20s; SELECT VALUE id FROM $purged TIMEOUT 20s",
            memories=[rows.record("memory", key) for key in keys],
            purged=[rows.record("purged", key) for key in keys],
        )
        known = {rows.key_of(one) for one in (*there, *gone) if one is not None}
        if new := [turn for turn in found if turn.id not in known]:
            yield new


def remember(db: Database, found: Sequence[Turn]) -> None:
    """Writes the memories of turns that have none yet."""
    made = [rows.memory_row(memory_of(turn)) for turn in found]
    db.query("INSERT IGNORE INTO memory $made RETURN NONE", made=made)


def words(db: Database, keys: Sequence[str]) -> tuple[dict[str, str], bool]:
    """By id, what is embedded of the memories of these turns, as domain.memory.index_text has it; and, so that nobody
    has to ask for it besides, what `all_remembered` tells."""
    found, remembered = db.query(
        """SELECT id, text, title, speaker FROM $keys TIMEOUT 20s;
        SELECT VALUE remembered FROM ONLY meta:turns TIMEOUT 5s""",
        keys=[rows.record("memory", key) for key in keys],
    )
    by_id = {
        rows.key_of(row["id"]): words_of(row["text"], title=row["title"], speaker=row.get("speaker")) for row in found
    }
    return by_id, bool(remembered)


def set_all_remembered(db: Database, *, to: bool) -> None:
    db.query("UPSERT meta:turns SET remembered = $to RETURN NONE", to=to)
