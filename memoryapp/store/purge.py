"""Purge: a memory leaves every table for good, and its words leave what is kept of others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryapp.domain.change import Run
from memoryapp.domain.identity import derived_id, words_digest
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.node import ROOT, ref_of
from memoryapp.domain.redaction import is_blank
from memoryapp.store import rows
from memoryapp.store.database import Database
from memoryapp.store.embeddings import Embedding, embedding_row
from memoryapp.store.migrate import digest_key
from memoryapp.store.quotations import Quotations, quotations_of, still_quoted

_PURGE = """{
    LET $found = {
        embeddings: count(SELECT VALUE id FROM embedding WHERE memory IN $keys),
        references: count(array::flatten($memories.map(|$m| $m->references))),
        follows: count(array::flatten($memories.map(|$m| array::concat($m->follows, $m<-follows)))),
        derived: count(array::flatten($memories.map(|$m| array::concat(
            $m->derived_from, $m<-derived_from, $m->supersedes, $m<-supersedes)))),
        usage: count(SELECT VALUE id FROM $usages),
        traces: count(SELECT VALUE id FROM trace WHERE given.*.memory CONTAINSANY $keys OR id IN $asked)
    };
    LET $disputes = SELECT VALUE record::id(id) FROM conflict WHERE existing IN $keys OR incoming IN $keys;
    LET $sides = array::flatten(SELECT VALUE [existing, incoming ?? existing] FROM conflict
        WHERE existing IN $keys OR incoming IN $keys);
    LET $left = SELECT run, array::concat(before.references ?? [], after.references ?? []) AS named FROM revision
        WHERE record_id IN $keys;
    LET $told = SELECT VALUE run FROM revision WHERE record = 'conflict' AND record_id IN $disputes;
    LET $runs = array::distinct(array::concat($left.run, $told));
    LET $named = array::distinct(array::concat(
        array::flatten(SELECT VALUE ->references->entity FROM $memories),
        array::flatten($left.named).map(|$edge| type::record('entity', $edge[0]))
    ));
    IF $document != NONE {
        IF (SELECT VALUE content_hash FROM ONLY $document) != $read {
            THROW 'clash:The document of this memory was read again meanwhile. Purge it once more.'
        };
        UPDATE $document SET text = $text RETURN NONE;
    };
    DELETE $private RETURN NONE;
    FOR $row IN $rewritten { UPDATE $row.id MERGE $row RETURN NONE };
    FOR $row IN $retold { LET $detail = $row.detail; UPDATE $row.id SET detail = $detail RETURN NONE };
    IF $is_node {
        -- An index that was brought says its title and more: the tree is told without it from now on.
        LET $top = SELECT VALUE id FROM memory WHERE ref = $top_ref;
        UPDATE $top SET detail.index = NONE RETURN NONE;
        LET $told_of = $top.map(|$one| record::id($one));
        UPDATE revision SET before.detail.index = NONE WHERE record_id IN $told_of AND before.detail.index RETURN NONE;
        UPDATE revision SET after.detail.index = NONE WHERE record_id IN $told_of AND after.detail.index RETURN NONE;
    };
    -- What is deleted here cannot be written again in the same block: engine 3.2.4 keeps the deletion.
    DELETE embedding WHERE memory IN $unembedded AND id NOT IN $embedded.map(|$e| $e.id) RETURN NONE;
    FOR $e IN $embedded {
        IF record::exists(type::record('memory', $e.memory)) { UPSERT $e.id CONTENT $e RETURN NONE };
    };
    -- Their episodes are written anew, of what is left.
    UPDATE $retelling SET untold = ended_at != NONE RETURN NONE;
    DELETE $unlinked RETURN NONE;
    DELETE $settled RETURN NONE;
    DELETE revision WHERE record = 'conflict' AND record_id IN $settled.map(|$one| record::id($one)) RETURN NONE;
    DELETE $usages RETURN NONE;
    DELETE feedback WHERE memory IN $keys RETURN NONE;
    DELETE $asked RETURN NONE;
    UPDATE trace SET given = given.filter(|$one| $one.memory NOT IN $keys)
        WHERE given.*.memory CONTAINSANY $keys RETURN NONE;
    -- A golden query is a person's own words; what was meant by it is no more.
    UPDATE golden SET relevant = array::complement(relevant, $keys), version += 1
        WHERE relevant CONTAINSANY $keys RETURN NONE;
    DELETE conflict WHERE existing IN $keys OR incoming IN $keys RETURN NONE;
    DELETE revision WHERE record_id IN $keys RETURN NONE;
    DELETE revision WHERE record = 'conflict' AND record_id IN $disputes RETURN NONE;
    DELETE graph_due WHERE record::id(id) IN $keys RETURN NONE;
    -- A relation that was found in its words is part of them, and so is what became of it.
    LET $found_in_it = array::concat(
        (SELECT VALUE id FROM relates WHERE fact IN $keys), (SELECT VALUE id FROM is_a WHERE fact IN $keys));
    LET $between = array::flatten($found_in_it.map(|$edge| [$edge.in, $edge.out]));
    DELETE revision WHERE record = 'relation' AND record_id IN $found_in_it.map(|$edge| record::id($edge)) RETURN NONE;
    DELETE revision WHERE before.fact IN $keys RETURN NONE;
    DELETE $found_in_it RETURN NONE;
    DELETE $memories RETURN NONE;
    FOR $entity IN array::distinct(array::concat($named, $between)) {
        -- A name that stands nowhere else, and that nobody decided on, was this memory's word alone.
        LET $decided = SELECT VALUE id FROM revision
            WHERE record_id = record::id($entity) AND act IN ['take in', 'refuse'] LIMIT 1;
        IF count($entity<-references) + count($entity<->relates) + count($entity<->is_a) + count($decided) = 0 {
            DELETE revision WHERE record = 'entity' AND record_id = record::id($entity) RETURN NONE;
            DELETE $entity RETURN NONE;
            DELETE name_embedding WHERE entity = record::id($entity) RETURN NONE;
            DELETE type::record('spot', record::id($entity)) RETURN NONE;
            DELETE alike WHERE one = record::id($entity) OR other = record::id($entity) RETURN NONE;
        };
    };
    FOR $run IN $runs {
        -- Why this memory was changed, where nothing else was: the reason may say again what is to be forgotten.
        -- A decision is about both sides, and why it was made is told with each.
        IF count(SELECT VALUE id FROM revision WHERE run = $run AND record != 'entity' AND record_id NOT IN $sides
            LIMIT 1) = 0 {
            UPDATE type::record('run', $run) SET reason = '' RETURN NONE;
            UPDATE revision SET reason = '' WHERE run = $run RETURN NONE;
        };
    };
    UPSERT $mark SET at = $at, by = $by, digest = $digest RETURN NONE;
    INSERT IGNORE INTO run $run RETURN NONE;
    RETURN object::extend($found, { conflicts: count($disputes), revisions: count($left) + count($told) });
}"""


@dataclass(frozen=True, slots=True)
class RemovedCounts:
    """What a purge took out, place by place. `tree_lines`: of nodes of the Context Tree; `turns`: those in which its
    words were blanked; `retold`: episodes, summaries and digests that told it, purged along with it; `digests`: those
    of more sections, which lost what it said; `traces`: calls that asked with its words, which are gone, or were given
    it."""

    memory: str
    embeddings: int
    references: int
    follows: int
    derived: int
    usage: int
    traces: int
    conflicts: int
    revisions: int
    document_lines: int
    tree_lines: int = 0
    turns: int = 0
    retold: int = 0
    digests: int = 0


def purge(
    db: Database,
    memory: Memory,
    *,
    run: Run,
    quotations: Quotations | None = None,
    embeddings: Sequence[Embedding] = (),
) -> RemovedCounts:
    """Erases it in one block, with what was written from it, its lines in the kept text of the document it was cut from
    and its words in the turns it was said in. Deleting the record takes its edges along. `quotations`: where its words
    stand, looked up where it is not given; `embeddings`: of what `rewritten_memories` gives. Raises Clash when the
    document is being read again just now."""
    told = quotations_of(db, memory) if quotations is None else quotations
    kept = _document_of(db, memory)
    text, lines = blank_out_lines(kept["text"], *_lines_of(memory)) if kept else ("", 0)
    blank = [row["id"].id for row in told.turns if is_blank(row["text"])]
    keys = list(dict.fromkeys([memory.id, *(one.id for one in told.retold), *blank]))
    turns = [row for row in told.turns if row["id"].id not in keys]
    found = db.query(
        _PURGE,
        keys=keys,
        memories=[rows.record("memory", key) for key in keys],
        usages=[rows.record("usage", key) for key in keys],
        mark=rows.record("purged", memory.id),
        at=run.started_at,
        by=run.actor.name,
        digest=_digest(db, memory),
        run=rows.run_row(run),
        is_node=memory.kind is Kind.NODE,
        top_ref=ref_of(ROOT),
        document=kept["id"] if kept else None,
        read=kept["content_hash"] if kept else None,
        text=text,
        rewritten=[
            *(*told.turns, *told.readings, *told.conflicts, *told.revisions, *told.runs),
            *(*told.pages.nodes, *told.pages.conflicts, *told.pages.revisions),
            *map(_reworded_row, told.digests),
            *({"id": rows.record("memory", row["id"].id), "text": row["text"]} for row in turns),
        ],
        asked=told.asked,
        private=[rows.record("private_words", row["id"].id) for row in told.turns],
        retold=[*told.quoted, *({"id": rows.record("memory", one.id), "detail": one.detail} for one in told.digests)],
        unembedded=[*keys, *told.pages.changed, *(one.id for one in told.digests), *(row["id"].id for row in turns)],
        embedded=[embedding_row(one) for one in embeddings],
        retelling=[
            rows.record("session", derived_id("session", one.origin.session))
            for one in told.retold
            if one.kind is Kind.EPISODE and one.origin.session
        ],
        settled=[rows.record("conflict", key) for key in told.pages.settled],
        unlinked=[*told.pages.unlinked, *told.unlinked],
    )[0]
    return RemovedCounts(
        memory=memory.id,
        document_lines=lines,
        tree_lines=told.pages.lines,
        turns=len(told.turns),
        retold=len(told.retold),
        digests=len(told.digests),
        **{name: int(count) for name, count in found.items()},
    )


def rewritten_memories(db: Database, told: Quotations) -> tuple[Memory, ...]:
    """What stays, in the words in which it is to stand: nodes of the Context Tree, turns and digests."""
    after = {row["id"].id: row for row in told.pages.nodes if "text" in row}
    after |= {row["id"].id: {"text": row["text"]} for row in told.turns if not is_blank(row["text"])}
    keys = [rows.record("memory", key) for key in after]
    found = db.query("SELECT * FROM $keys TIMEOUT 10s", keys=keys)[0] if after else []
    return (
        *(rows.memory_from(row | after[rows.key_of(row["id"])] | {"id": row["id"]}) for row in found),
        *told.digests,
    )


def _reworded_row(digest: Memory) -> rows.Row:
    return {
        "id": rows.record("memory", digest.id),
        "title": digest.title,
        "text": digest.text,
        "tags": list(digest.tags),
        "content_hash": digest.content_hash,
    }


def _lines_of(memory: Memory) -> tuple[int, int]:
    return memory.origin.first_line or 0, memory.origin.last_line or 0


def _document_of(db: Database, memory: Memory) -> rows.Row | None:
    """The document that keeps this memory's lines, where there is one."""
    if memory.origin.document is None or not all(_lines_of(memory)):
        return None
    key = rows.record("document", memory.origin.document)
    found = db.query("SELECT id, text, content_hash FROM $key TIMEOUT 5s", key=key)[0]
    return found[0] if found else None


def blank_out_lines(text: str, first_line: int, last_line: int) -> tuple[str, int]:
    """The text with these lines (from 1, both included) emptied, and how many of them said something."""
    lines = text.split("\n")  # nothing else counts as a line's end where sections are cut
    said = range(max(first_line - 1, 0), min(last_line, len(lines)))
    count = sum(bool(lines[n].strip()) for n in said)
    for n in said:
        lines[n] = ""
    return "\n".join(lines), count


@dataclass(frozen=True, slots=True)
class PurgedContent:
    """Ids that were purged, and texts whose words were, under whatever id."""

    ids: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()


def purged_among(db: Database, sections: Iterable[tuple[str, str]]) -> PurgedContent:
    """Which of these sections (id, text) were purged once: an ingest leaves them out, so that a purge outlives the
    file, a renamed heading and a copy."""
    wanted = list(sections)
    if not wanted:
        return PurgedContent()
    key = digest_key(db)
    digests = {text: digest for _, text in wanted if (digest := words_digest(text, key=key))}
    ids, told = db.query(
        "SELECT VALUE id FROM $keys TIMEOUT 10s; SELECT VALUE digest FROM purged WHERE digest IN $digests TIMEOUT 10s",
        keys=[rows.record("purged", section) for section, _ in wanted],
        digests=list(set(digests.values())),
    )
    known = set(told)
    return PurgedContent(
        frozenset(rows.key_of(one) for one in ids if one is not None),
        frozenset(text for text, digest in digests.items() if digest in known),
    )


def last_purge(db: Database) -> datetime | None:
    """When something was last purged; None where nothing ever was. What was backed up before may still hold it."""
    (found,) = db.query("SELECT VALUE at FROM purged ORDER BY at DESC LIMIT 1 TIMEOUT 10s")
    return rows.moment(found[0]) if found else None


def _digest(db: Database, memory: Memory) -> str | None:
    if memory.kind is not Kind.SECTION:
        return None
    return words_digest(memory.text if memory.source_text is None else memory.source_text, key=digest_key(db))


def leftovers(db: Database, memory: Memory, *, quotations: Quotations | None = None) -> dict[str, int]:
    """How often a purged memory still stands anywhere: a proof is a row of zeros. `quotations`: where its words stood
    before the purge, looked at again."""
    found = db.query(
        """RETURN {
            memory: count(SELECT VALUE id FROM memory WHERE id = $memory),
            embedding: count(SELECT VALUE id FROM embedding WHERE memory = $key),
            references: count(SELECT VALUE id FROM references WHERE in = $memory),
            revision: count(SELECT VALUE id FROM revision WHERE record_id = $key),
            conflict: count(SELECT VALUE id FROM conflict WHERE existing = $key OR incoming = $key),
            usage: count(SELECT VALUE id FROM usage WHERE id = $usage),
            traces: count(SELECT VALUE id FROM trace WHERE given.*.memory CONTAINS $key),
            relations: count(SELECT VALUE id FROM relates WHERE fact = $key)
                + count(SELECT VALUE id FROM is_a WHERE fact = $key)
                + count(SELECT VALUE id FROM revision WHERE before.fact = $key)
        }""",
        key=memory.id,
        memory=rows.record("memory", memory.id),
        usage=rows.record("usage", memory.id),
    )[0]
    kept = _document_of(db, memory)
    lines = blank_out_lines(kept["text"], *_lines_of(memory))[1] if kept else 0
    told = still_quoted(db, quotations) if quotations else {}
    return {table: int(count) for table, count in found.items()} | {"document lines": lines} | told


def revisions_of(db: Database, keys: Sequence[str]) -> int:
    """How many revisions a purge of these memories deletes: their own, and those of the conflicts they stand in."""
    return int(
        db.query(
            """RETURN {
                LET $disputes = SELECT VALUE record::id(id) FROM conflict WHERE existing IN $keys OR incoming IN $keys;
                RETURN count(SELECT VALUE id FROM revision WHERE record_id IN array::concat($keys, $disputes))
            }""",
            keys=list(keys),
        )[0]
    )
