"""Where the words of a memory stand besides itself: read before a purge, and again after it as the proof."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memoryapp.domain.digest import without_section
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.redaction import (
    MARK,
    marks,
    quotes,
    redact_phrases,
    redacted_all,
    redacted_turn,
    sentences,
    telling,
)
from memoryapp.store import entities, memories, rows, traces
from memoryapp.store.database import Database
from memoryapp.store.quotations_in_tree import Pages, pages_of, still_told

_RETOLD = (Kind.EPISODE, Kind.SUMMARY, Kind.DIGEST)


@dataclass(frozen=True, slots=True)
class Quotations:
    """`retold`: episodes, summaries, digests that tell it, to be purged along with it. `digests`: those made of other
    sections too, as they are to stand without it, and `unlinked` the ids of references that they lose. `turns`,
    `readings`, `quoted` (memories of the same turn), `conflicts`, `revisions`, `runs`: rows as they are to stand
    without its words. `asked`: ids of traces whose question quotes it, which go.
    `pages`: where the Context Tree tells it. `said_by`: memories that say the same in their own right; a purge leaves
    them to whoever asks for it."""

    phrases: tuple[str, ...]
    retold: tuple[Memory, ...] = ()
    digests: tuple[Memory, ...] = ()
    unlinked: list[Any] = field(default_factory=list)
    turns: list[rows.Row] = field(default_factory=list)
    readings: list[rows.Row] = field(default_factory=list)
    quoted: list[rows.Row] = field(default_factory=list)
    conflicts: list[rows.Row] = field(default_factory=list)
    revisions: list[rows.Row] = field(default_factory=list)
    runs: list[rows.Row] = field(default_factory=list)
    pages: Pages = field(default_factory=Pages)
    asked: list[Any] = field(default_factory=list)
    said_by: tuple[str, ...] = ()


def quotations_of(db: Database, memory: Memory) -> Quotations:
    phrases = phrases_of(db, memory)
    retold = _retellings_of(db, memory, phrases)
    digests, tags = _digests(db, memory, phrases)
    retold = tuple(one for one in retold if one.id not in {digest.id for digest in digests})
    gone = {memory.id, *(one.id for one in retold)}
    readings = _readings(db, memory)
    turns = _turns(db, memory, [row["id"].id for row in readings], phrases)
    siblings = [
        one
        for one in memories.of_turns(db, [row["id"].id for row in turns])
        if one.id not in gone and one.detail and not quotes(one.text, phrases)
    ]
    pages = pages_of(db, [memory, *retold], phrases)
    return Quotations(
        phrases=phrases,
        retold=retold,
        digests=digests,
        unlinked=_unsupported_references(db, memory, digests),
        turns=turns,
        readings=[_reading_without(row, gone) for row in readings],
        quoted=_redacted_rows(
            ({"id": rows.record("memory", one.id), "detail": one.detail} for one in siblings), phrases
        ),
        conflicts=_conflicts(db, gone, phrases),
        revisions=_revisions(db, memory, gone, [one.id for one in (*siblings, *digests)], phrases, tags, pages.changed),
        runs=_runs(db, gone, phrases),
        pages=pages,
        asked=traces.quoting(db, phrases),
        said_by=_said_by(db, gone | set(pages.changed), phrases) if memory.kind is Kind.FACT else (),
    )


def phrases_of(db: Database, memory: Memory) -> tuple[str, ...]:
    """All it ever said, as far as that can be recognised elsewhere: its words, those of its source, its quote, and
    what earlier layers said."""
    found = db.query("SELECT before, after FROM revision WHERE record_id = $key TIMEOUT 10s", key=memory.id)[0]
    earlier = [row[side].get(name) for row in found for side in ("before", "after") for name in ("text", "source_text")]
    said = [memory.text, memory.source_text, memory.detail.get("quote"), *filter(_is_text, earlier)]
    parts = [] if memory.kind is Kind.FACT else [part for text in said if text for part in sentences(text)]
    return telling([*said, *parts])


def still_quoted(db: Database, found: Quotations) -> dict[str, int]:
    """In how many places the words stand after all; a proof is a row of zeros."""
    told = db.query(
        "SELECT VALUE text FROM $turns TIMEOUT 10s",
        turns=[key for row in found.turns for key in (row["id"], rows.record("memory", row["id"].id))],
    )[0]
    left = db.query(
        """SELECT VALUE [before, after, reason] FROM $revisions TIMEOUT 20s;
        SELECT VALUE [reason, decision, proposals] FROM $conflicts TIMEOUT 20s;
        SELECT VALUE id FROM $retold TIMEOUT 5s;
        SELECT VALUE [title, text, detail] FROM $digests TIMEOUT 5s;
        SELECT VALUE id FROM $asked TIMEOUT 5s""",
        revisions=[row["id"] for row in found.revisions],
        conflicts=[row["id"] for row in found.conflicts],
        retold=[rows.record("memory", one.id) for one in found.retold],
        digests=[rows.record("memory", one.id) for one in found.digests],
        asked=found.asked,
    )
    return {
        "turns": sum(quotes(text, found.phrases) for text in told),
        "other revisions": sum(quotes(str(one), found.phrases) for one in left[0]),
        "other conflicts": sum(quotes(str(one), found.phrases) for one in left[1]),
        "episodes and summaries": len(left[2]),
        "digests": sum(quotes(str(one), found.phrases) for one in left[3]),
        "questions": len(left[4]),
    } | still_told(db, found.pages, found.phrases)


def _retellings_of(db: Database, memory: Memory, phrases: Sequence[str]) -> tuple[Memory, ...]:
    """Whatever was written from it, over any number of steps, and what quotes it without saying where from. A model
    may have told it in other words, so an episode or a summary made from it goes whether it quotes it or not."""
    made: dict[str, Memory] = {}
    if memory.kind is Kind.TURN:
        # What was learned from it alone; what was said elsewhere too stays, without its words.
        made |= {one.id: one for one in memories.of_turns(db, [memory.id]) if not one.reinforcements}
    edge = [memory.id, *made]
    while edge:
        new = {one.id: one for one in memories.derived_from(db, edge) if one.id not in made and one.id != memory.id}
        made |= {key: one for key, one in new.items() if one.kind is not Kind.DIGEST or quotes(one.text, phrases)}
        edge = [key for key in new if key in made]
    if memory.kind in (Kind.FACT, Kind.TURN):
        for kind in _RETOLD:
            found = db.query("SELECT * FROM memory WHERE kind = $kind TIMEOUT 20s", kind=kind.value)[0]
            told = (one for one in map(rows.memory_from, found) if quotes(f"{one.title}\n{one.text}", phrases))
            made |= {one.id: one for one in told if one.id != memory.id}
    return tuple(made.values())


def _digests(
    db: Database, memory: Memory, phrases: Sequence[str]
) -> tuple[tuple[Memory, ...], dict[str, frozenset[str]]]:
    """Digests of which it is one section among others, without what it said; and by id the tags that each had from it
    alone. A digest that says nothing else goes whole."""
    made: list[Memory] = []
    tags: dict[str, frozenset[str]] = {}
    for one in memories.derived_from(db, [memory.id]):
        if one.kind is Kind.DIGEST and memory.id in one.detail.get("originals", ()):
            others = [other for other in memories.sources_of(db, one.id) if other.id != memory.id]
            tags[one.id] = frozenset(memory.tags) - {tag for other in others for tag in other.tags}
            without = without_section(one, memory.id, phrases)
            made += [replace(without, tags=_without_tags(one.tags, tags[one.id]))] if without else []
    return tuple(made), tags


def _without_tags(tags: Iterable[str], gone: Collection[str]) -> tuple[str, ...]:
    return tuple(tag for tag in tags if tag not in gone)


def _unsupported_references(db: Database, memory: Memory, digests: Sequence[Memory]) -> list[Any]:
    """References of these digests that none of their other sections bears out: a name may have stood in it alone."""
    found = []
    for digest in digests:
        others = [one.id for one in memories.sources_of(db, digest.id) if one.id != memory.id]
        edges = entities.references_of(db, [digest.id, *others])
        borne = {edge.entity for key in others for edge in edges.get(key, ())}
        found += [rows.reference_row(edge)["id"] for edge in edges.get(digest.id, ()) if edge.entity not in borne]
    return found


def _readings(db: Database, memory: Memory) -> list[rows.Row]:
    """Readings of the turns it was learned from or confirmed by."""
    named = list(dict.fromkeys(filter(None, (memory.origin.session, *memory.sessions))))
    if memory.kind is Kind.TURN:
        reading = rows.record("reading", memory.id)
        told: list[rows.Row] = db.query("SELECT id, learned FROM $key TIMEOUT 5s", key=reading)[0]
        return told
    if not named:
        return []
    found: list[rows.Row] = db.query(
        "SELECT id, learned FROM reading WHERE session IN $named AND learned.*.memory CONTAINS $key TIMEOUT 20s",
        named=named,
        key=memory.id,
    )[0]
    return found


def _reading_without(reading: rows.Row, gone: Collection[str]) -> rows.Row:
    return {"id": reading["id"], "learned": [one for one in reading["learned"] if one["memory"] not in gone]}


def _turns(db: Database, memory: Memory, learned: Sequence[str], phrases: Sequence[str]) -> list[rows.Row]:
    if memory.kind is Kind.TURN:
        return [{"id": rows.record("turn", memory.id), "text": MARK}]
    sources = list(dict.fromkeys(filter(None, (memory.origin.turn, *learned))))
    quote = str(memory.detail.get("quote") or "")
    found = db.query("SELECT id, text FROM $keys TIMEOUT 10s", keys=[rows.record("turn", key) for key in sources])[0]
    changed = {
        row["id"].id: {"id": row["id"], "text": redacted_turn(row["text"], quote=quote, about=memory.text)}
        for row in found
    }
    if memory.kind is Kind.FACT and phrases:
        # Also where somebody else repeated it.
        said = db.query(
            "SELECT id, text FROM turn WHERE string::lowercase(text) CONTAINSANY $marks TIMEOUT 30s",
            marks=list(marks(phrases)),
        )[0]
        for row in said:
            text = changed.get(row["id"].id, row)["text"]
            if quotes(text, phrases):
                changed[row["id"].id] = {"id": row["id"], "text": redact_phrases(text, phrases)}
    return list(changed.values())


def _conflicts(db: Database, gone: Collection[str], phrases: Sequence[str]) -> list[rows.Row]:
    """Other conflicts that quote it in a reason, a proposal or a decision; its own are deleted."""
    found = db.query("SELECT id, existing, incoming, reason, decision, proposals FROM conflict TIMEOUT 30s")[0]
    others = [row for row in found if row["existing"] not in gone and row.get("incoming") not in gone]
    return _redacted_rows(
        ({name: row[name] for name in ("id", "reason", "decision", "proposals") if row.get(name)} for row in others),
        phrases,
    )


def _revisions(
    db: Database,
    memory: Memory,
    gone: Collection[str],
    siblings: Sequence[str],
    phrases: Sequence[str],
    tags: Mapping[str, Collection[str]],
    pages: Collection[str],
) -> list[rows.Row]:
    """Revisions of what it had to do with that repeat its words: the other sides of its conflicts and whatever stood in
    its place or in whose place it stood, other facts of its turn, digests, and all that changed in the same runs.
    `tags`: by digest, those that it had from this memory alone; `pages`: nodes that are written anew without it.

    Of what repeats them, every layer loses them, or one would follow on another that it does not fit. What says the
    same in its own right goes on to say it, so that its layers are left as they are."""
    sides, edges, own = db.query(
        """SELECT VALUE [existing, incoming ?? existing] FROM conflict WHERE existing = $key OR incoming = $key
            TIMEOUT 10s;
        SELECT VALUE array::concat(->supersedes.out, <-supersedes.in) FROM ONLY $memory TIMEOUT 10s;
        SELECT VALUE run FROM revision WHERE record_id IN $gone TIMEOUT 10s""",
        key=memory.id,
        memory=rows.record("memory", memory.id),
        gone=list(gone),
    )
    near = {side for pair in sides for side in pair} | {rows.key_of(one) for one in edges or ()} | set(siblings)
    found = db.query(
        """SELECT id, before, after, reason, record_id FROM revision WHERE record_id IN $near TIMEOUT 30s;
        SELECT id, before, after, reason, record_id FROM revision WHERE run IN $runs TIMEOUT 30s""",
        near=sorted(near - set(gone)),
        runs=list(dict.fromkeys(own)),
    )
    rows_ = {row["id"].id: row for answer in found for row in answer if row["record_id"] not in gone}
    repeating = {row["record_id"] for row in rows_.values() if quotes(str([row["before"], row["after"]]), phrases)}
    told, more = db.query(
        """SELECT id, text, source_text FROM $memories TIMEOUT 20s;
        SELECT id, before, after, reason, record_id FROM revision WHERE record_id IN $repeating TIMEOUT 30s""",
        memories=[rows.record("memory", key) for key in sorted(repeating)],
        repeating=sorted(repeating - near),
    )
    rewritten = {*tags, *pages}
    saying = {
        rows.key_of(one["id"]) for one in told if quotes(f"{one['text']}\n{one['source_text']}", phrases)
    } - rewritten
    rows_ |= {row["id"].id: row for row in more}
    made = []
    for row in rows_.values():
        if row["record_id"] in saying:
            continue
        stood = {name: row[name] for name in ("before", "after", "reason")}
        alone = tags.get(row["record_id"], ())
        without = {name: redacted_all(_value_without_tags(value, alone), phrases) for name, value in stood.items()}
        if without != stood:
            made.append({"id": row["id"]} | without)
    return made


def _value_without_tags(value: Any, gone: Collection[str]) -> Any:
    if gone and isinstance(value, dict) and value.get("tags"):
        return {**value, "tags": list(_without_tags(value["tags"], gone))}
    return value


def _runs(db: Database, gone: Collection[str], phrases: Sequence[str]) -> list[rows.Row]:
    runs = db.query("SELECT VALUE run FROM revision WHERE record_id IN $gone TIMEOUT 10s", gone=list(gone))[0]
    keys = [rows.record("run", key) for key in dict.fromkeys(runs)]
    found = db.query("SELECT id, reason, detail FROM $keys TIMEOUT 10s", keys=keys)[0]
    return _redacted_rows(
        ({name: row[name] for name in ("id", "reason", "detail") if row.get(name)} for row in found), phrases
    )


def _said_by(db: Database, gone: Collection[str], phrases: Sequence[str]) -> tuple[str, ...]:
    if not phrases:
        return ()
    found = db.query(
        """SELECT id, text FROM memory WHERE kind != 'turn' AND string::lowercase(text) CONTAINSANY $marks
        TIMEOUT 30s""",
        marks=list(marks(phrases)),
    )[0]
    return tuple(sorted({row["id"].id for row in found if quotes(row["text"], phrases)} - set(gone)))


def _redacted_rows(found: Iterable[rows.Row], phrases: Sequence[str]) -> list[rows.Row]:
    """Rows that quote it, as they are to stand. Ids are never touched."""
    made = []
    for row in found:
        told = {name: redacted_all(value, phrases) for name, value in row.items() if name != "id"}
        if told != {name: value for name, value in row.items() if name != "id"}:
            made.append({"id": row["id"]} | told)
    return made


def _is_text(value: Any) -> bool:
    return isinstance(value, str)
