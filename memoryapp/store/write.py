"""The one road by which a memory changes: a batch of changes, written in one atomic block together with their
revisions and their run, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import Enum
from typing import Any

from memoryapp.domain.change import Actor, Revision, Run
from memoryapp.domain.conflict import Conflict
from memoryapp.domain.document import Document
from memoryapp.domain.entity import Entity, Reference
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Memory, Origin, looked_at, standing
from memoryapp.domain.relation import Relation
from memoryapp.domain.turn import Reading
from memoryapp.observability import note
from memoryapp.store import conflicts, relations, rows, turns
from memoryapp.store.database import Database
from memoryapp.store.embeddings import Embedding, embedding_row


@dataclass(slots=True)
class Batch:
    """What is to change together. `updated` holds (before, after) pairs: the write is refused with Stale where the
    store no longer stands at `before.version`. `unembedded` holds (model, memory id) of vectors to take away, `follows`
    (later, earlier) memory ids, `derived` (what was made, what it was made from), `superseded` (what stands, what it
    stands in place of); `underived` and `unsuperseded` take such edges away again. `conflicts` are findings, written
    where they are new; `judged` holds (before, after) of conflicts that somebody acted on, refused with LostRace where
    one was acted on meanwhile. `relations` holds (before, after): a new one is left alone where there is one of its id
    already; `unrelated` go. `graphed` holds (memory id, version) of words read for relations. `waited` holds (turn,
    when its reading was last written) of turns that must still wait to be read: refused with LostRace where somebody
    else has read one meanwhile. `standing`: ids of entities that must stand for themselves; refused with LostRace where
    one was merged meanwhile. `said` holds (content hash, ids of the memories that bear it) of words that are new:
    refused with LostRace where somebody else has written the same meanwhile."""

    created: list[Memory] = field(default_factory=list)
    updated: list[tuple[Memory, Memory]] = field(default_factory=list)
    embeddings: list[Embedding] = field(default_factory=list)
    unembedded: list[tuple[str, str]] = field(default_factory=list)
    references_added: list[Reference] = field(default_factory=list)
    references_removed: list[Reference] = field(default_factory=list)
    entities: list[tuple[Entity | None, Entity]] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    judged: list[tuple[Conflict, Conflict]] = field(default_factory=list)
    follows: list[tuple[str, str]] = field(default_factory=list)
    derived: list[tuple[str, str]] = field(default_factory=list)
    underived: list[tuple[str, str]] = field(default_factory=list)
    superseded: list[tuple[str, str]] = field(default_factory=list)
    unsuperseded: list[tuple[str, str]] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    waited: list[tuple[str, datetime | None]] = field(default_factory=list)
    standing: list[str] = field(default_factory=list)
    said: list[tuple[str, list[str]]] = field(default_factory=list)
    relations: list[tuple[Relation | None, Relation]] = field(default_factory=list)
    unrelated: list[Relation] = field(default_factory=list)
    graphed: list[tuple[str, int]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return any(getattr(self, f.name) for f in fields(self))


# The first line makes it safe to run twice: after a lost connection nobody knows whether the first time was kept.
# Entities are shared by writers that do not know of each other, so where one moved meanwhile both changes are joined
# instead of refused. A conflict that was decided is not opened again by the same finding.
_COMMIT = """{
    IF $written != NONE AND record::exists($written) { RETURN NONE };
    INSERT IGNORE INTO run $run RETURN NONE;
    FOR $w IN $waited {
        LET $now = (SELECT status, at FROM ONLY $w.id);
        IF $now.status != 'waiting' OR $now.at != $w.at {
            THROW 'clash:Turn ' + <string>record::id($w.id) + ' was read by somebody else just now.'
        };
    };
    FOR $s IN $said {
        -- Made and taken away in one act: a place where two that write the same new words meet, and nothing else.
        CREATE $s.meeting SET version = 0 RETURN NONE;
        DELETE $s.meeting RETURN NONE;
        IF array::len(array::complement((SELECT VALUE id FROM memory WHERE content_hash = $s.hash), $s.known)) > 0 {
            THROW 'clash:The same words were written by somebody else just now.'
        };
    };
    FOR $m IN $renamed { UPDATE $m SET ref = NONE RETURN NONE };
    FOR $u IN $updated {
        LET $now = (SELECT VALUE version FROM ONLY $u.id);
        IF $now != $u.expected { THROW 'stale:' + <string>($now ?? 0) + ':' + <string>record::id($u.id) };
        UPDATE $u.id CONTENT $u.row RETURN NONE;
    };
    INSERT INTO memory $created RETURN NONE;
    FOR $e IN $unembedded { DELETE $e RETURN NONE };
    FOR $e IN $embeddings { UPSERT $e.id CONTENT $e RETURN NONE };
    FOR $s IN $standing {
        IF (SELECT VALUE merged_into FROM ONLY $s) != NONE {
            THROW 'clash:One of these was merged by somebody else just now. Look at them again.'
        };
    };
    FOR $e IN $entities {
        LET $was = $e.was;
        LET $new = $e.row;
        LET $now = (SELECT * FROM ONLY $new.id);
        IF $now = NONE OR $now.version = $was.version {
            UPSERT $new.id CONTENT $new RETURN NONE;
        } ELSE {
            UPDATE $new.id SET
                normal = IF $was != NONE AND $now.name = $was.name { $new.normal } ELSE { normal },
                name = IF $was != NONE AND $now.name = $was.name { $new.name } ELSE { name },
                type = IF $was != NONE AND $now.type = $was.type { $new.type } ELSE { type },
                state = IF $was != NONE AND $now.state = $was.state { $new.state } ELSE { state },
                aliases = IF $now.aliases = $was.aliases { $new.aliases } ELSE { array::union(aliases, $new.aliases) },
                merged_into = IF $was != NONE AND $now.merged_into = $was.merged_into { $new.merged_into }
                    ELSE { merged_into },
                sightings += $new.sightings - ($was.sightings ?? 0),
                version += 1
            RETURN NONE;
        };
    };
    FOR $d IN $documents { UPSERT $d.id CONTENT $d RETURN NONE };
    FOR $c IN $conflicts {
        LET $row = $c.row;
        LET $left = $c.left;
        LET $status = (SELECT VALUE status FROM ONLY $row.id);
        -- What somebody decided meanwhile stands.
        IF $status = NONE OR $status = 'withdrawn' OR ($status = 'waiting' AND $row.status != 'waiting') {
            UPSERT $row.id CONTENT $row RETURN NONE;
            INSERT INTO revision $left RETURN NONE;
        };
    };
    FOR $j IN $judged {
        LET $row = $j.row;
        LET $left = $j.left;
        LET $now = (SELECT VALUE version FROM ONLY $row.id);
        IF $now = $j.expected {
            UPDATE $row.id CONTENT $row RETURN NONE;
            INSERT INTO revision $left RETURN NONE;
        } ELSE IF !$j.follows {
            THROW 'clash:Conflict ' + <string>record::id($row.id) + ' was acted on by somebody else just now.'
        };
    };
    FOR $r IN $unreferenced { DELETE $r RETURN NONE };
    INSERT RELATION IGNORE INTO references $referenced RETURN NONE;
    INSERT RELATION IGNORE INTO follows $follows RETURN NONE;
    FOR $d IN $underived { DELETE $d RETURN NONE };
    INSERT RELATION IGNORE INTO derived_from $derived RETURN NONE;
    FOR $s IN $unsuperseded { DELETE $s RETURN NONE };
    INSERT RELATION IGNORE INTO supersedes $superseded RETURN NONE;
    FOR $r IN $readings { UPSERT $r.id CONTENT $r RETURN NONE };
    FOR $r IN $unrelated {
        LET $now = (SELECT VALUE version FROM ONLY $r.id);
        IF $now != NONE AND $now != $r.expected {
            THROW 'clash:Relation ' + <string>record::id($r.id) + ' was changed by somebody else just now.'
        };
        DELETE $r.id RETURN NONE;
    };
    INSERT RELATION IGNORE INTO relates $relates RETURN NONE;
    INSERT RELATION IGNORE INTO is_a $is_a RETURN NONE;
    FOR $r IN $changed {
        IF (SELECT VALUE version FROM ONLY $r.id) != $r.expected {
            THROW 'clash:Relation ' + <string>record::id($r.id) + ' was changed by somebody else just now.'
        };
        UPDATE $r.id MERGE $r.row RETURN NONE;
    };
    INSERT INTO graph_due $due ON DUPLICATE KEY UPDATE version = $input.version RETURN NONE;
    FOR $g IN $graphed {
        -- Words that were purged while they were read must not come back by what was found in them.
        IF !record::exists($g.memory) { THROW 'clash:A memory that was read for relations was purged just now.' };
        DELETE $g.id WHERE version <= $g.version RETURN NONE;
    };
    INSERT INTO revision $revisions RETURN NONE;
}"""


def new_run(act: str, actor: Actor, *, now: datetime, reason: str = "", detail: dict[str, Any] | None = None) -> Run:
    """A run that is written with its first batch. A long one is ended by `revisions.finish_run`."""
    return Run(id=new_id(), act=act, actor=actor, started_at=now, reason=reason, detail=detail)


def commit(db: Database, run: Run, batch: Batch, *, now: datetime) -> list[Revision]:
    """Writes the batch in one transaction and returns the revisions it left.

    Memories in `updated` get the next version and `updated_at = now`. Raises Stale (nothing is written) when one was
    changed meanwhile, LostRace when a created id or ref is already taken.
    """
    if not batch:
        return []
    note(run=run.id)
    updated = [
        (before, standing(before, replace(after, version=before.version + 1, updated_at=now), now=now))
        for before, after in ((old, looked_at(old, new, run, now=now)) for old, new in batch.updated)
    ]
    batch.created = [looked_at(None, memory, run, now=now) for memory in batch.created]
    revisions = _revisions(batch, updated, run, now)
    acted = conflicts.acted_entries(db, batch.judged, updated, run=run, now=now)
    known = [revision.id for revision in revisions] or [one["left"][0]["id"].id for one in acted]
    db.query(
        _COMMIT,
        written=rows.record("revision", known[0]) if known else None,
        run=rows.run_row(run),
        updated=[
            {"id": rows.record("memory", after.id), "expected": before.version, "row": rows.memory_row(after)}
            for before, after in updated
        ],
        # One may take the ref that another of them gives up, in whichever order they come.
        renamed=[rows.record("memory", old.id) for old, new in updated if old.ref is not None and old.ref != new.ref],
        created=[rows.memory_row(memory) for memory in batch.created],
        unembedded=[rows.record("embedding", [model, memory]) for model, memory in batch.unembedded],
        embeddings=[embedding_row(embedding) for embedding in batch.embeddings],
        entities=[
            {"was": rows.entity_row(before) if before else None, "row": rows.entity_row(after)}
            for before, after in batch.entities
        ],
        documents=[rows.document_row(document) for document in batch.documents],
        conflicts=[conflicts.finding_entry(conflict, run=run, now=now) for conflict in batch.conflicts],
        judged=acted,
        unreferenced=[rows.reference_row(reference)["id"] for reference in batch.references_removed],
        referenced=[rows.reference_row(reference) for reference in batch.references_added],
        follows=[_edge_row("follows", *pair) for pair in batch.follows],
        derived=[_edge_row("derived_from", *pair) for pair in batch.derived],
        underived=[rows.record("derived_from", list(pair)) for pair in batch.underived],
        superseded=[_edge_row("supersedes", *pair) for pair in batch.superseded],
        unsuperseded=[rows.record("supersedes", list(pair)) for pair in batch.unsuperseded],
        readings=[turns.reading_row(reading) for reading in batch.readings],
        said=[
            {
                "hash": words,
                "known": [rows.record("memory", key) for key in there],
                "meeting": rows.record("graph_due", f"said {words}"),
            }
            for words, there in batch.said
        ],
        standing=[rows.record("entity", key) for key in batch.standing],
        waited=[{"id": rows.record("reading", turn), "at": at} for turn, at in batch.waited],
        **relations.written_relations(batch.relations, batch.unrelated, batch.graphed),
        due=relations.due_rows(
            [*batch.created, *(after for before, after in updated if relations.has_new_words(before, after))]
        ),
        revisions=[rows.revision_row(revision) for revision in revisions],
    )
    return revisions


def _edge_row(table: str, one: str, other: str) -> rows.Row:
    """An edge between two memories. Its id is the pair, so that writing it twice is once."""
    ends = {"in": rows.record("memory", one), "out": rows.record("memory", other)}
    return {"id": rows.record(table, [one, other])} | ends


def _revisions(batch: Batch, updated: list[tuple[Memory, Memory]], run: Run, now: datetime) -> list[Revision]:
    added = _edges(batch.references_added)
    removed = _edges(batch.references_removed)
    replaced, unreplaced = _standing_in(batch.superseded), _standing_in(batch.unsuperseded)

    edges = (("references", removed, added), ("superseded_by", unreplaced, replaced))

    def take(key: str, before: dict[str, Any], after: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        for name, gone, new in edges:
            before |= {name: gone.pop(key)} if key in gone else {}
            after |= {name: new.pop(key)} if key in new else {}
        return before, after

    # In this order: what is left of the edges once the memories took theirs belongs to memories that stay as they are.
    left = [("memory", one.id, one.version, "create", *take(one.id, {}, {})) for one in batch.created]
    left += [("memory", new.id, new.version, run.act, *take(new.id, *difference(old, new))) for old, new in updated]
    left += [
        ("reference", key, 0, run.act, *take(key, {}, {})) for key in {**added, **removed, **replaced, **unreplaced}
    ]
    left += [*_entity_steps(batch, run.act), *_relation_steps(batch, run.act)]
    return [Revision(new_id(), *step, run.actor, now, run.id, run.reason) for step in left]


Step = tuple[str, str, int, str, dict[str, Any], dict[str, Any]]  # kind, key, version, act, before, after


def _entity_steps(batch: Batch, act: str) -> Iterator[Step]:
    for earlier, entity in batch.entities:
        if earlier is None:
            yield "entity", entity.id, entity.version, "create", {}, {}
        elif _decided_of(earlier) != _decided_of(entity):
            yield "entity", entity.id, entity.version, act, *difference(earlier, entity)


def _relation_steps(batch: Batch, act: str) -> Iterator[Step]:
    for was, relation in batch.relations:
        values = difference(was, relation) if was else ({}, {})
        yield "relation", relation.id, relation.version, act if was else "create", *values
    for gone in batch.unrelated:
        yield "relation", gone.id, gone.version + 1, "remove", relations.relation_values(gone), {}


def _edges(references: list[Reference]) -> dict[str, list[list[Any]]]:
    found: dict[str, list[list[Any]]] = {}
    for edge in references:
        found.setdefault(edge.memory, []).append([edge.entity, edge.role, edge.weight])
    return found


def _standing_in(pairs: list[tuple[str, str]]) -> dict[str, list[str]]:
    """By what is replaced: what stands in its place."""
    found: dict[str, list[str]] = {}
    for stands, replaced in pairs:
        found.setdefault(replaced, []).append(stands)
    return found


def _decided_of(entity: Entity) -> tuple[Any, ...]:
    """All of an entity but its counting."""
    return entity.state, entity.name, entity.aliases, entity.type, entity.merged_into


_BOOKKEEPING = {"version", "updated_at"}


def difference(
    before: Memory | Entity | Relation, after: Memory | Entity | Relation
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields in which two states of one record differ, as plain values: (as they were, as they are)."""
    was, now = {}, {}
    for f in fields(before):
        old, new = getattr(before, f.name), getattr(after, f.name)
        if f.name not in _BOOKKEEPING and old != new:
            was[f.name], now[f.name] = plain(old), plain(new)
    return was, now


def plain(value: Any) -> Any:
    """A field's value as a revision stores it."""
    if isinstance(value, Origin):
        return {f.name: getattr(value, f.name) for f in fields(Origin)}
    if isinstance(value, Enum):
        return value.value
    return list(value) if isinstance(value, tuple) else value
