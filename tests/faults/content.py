"""What a space holds, told without what differs from one run of the same act to the next: random ids and moments."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from memoryapp.store import backup
from memoryapp.store.database import Database

Content = dict[str, Counter[str]]
_MEMORY = ("kind", "title", "text", "state", "tags", "category", "confidence", "ref", "daily", "pinned", "source_text")
_PLAIN = {
    "source": ("kind", "name"),
    "document": ("path", "title", "content_hash", "text", "present"),
    "session": ("name", "agent"),
    "turn": ("session", "number", "text", "speaker", "ref"),
    "entity": ("name", "type", "state", "aliases"),
    "profile": ("name", "plan"),
    "golden": ("query",),
}
_EDGES = ("references", "relates", "is_a", "follows", "derived_from", "supersedes")


def content(db: Database) -> Content:
    """By table: its rows as text, with how often each is there."""
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table in backup.TABLES}
    for table, row in backup.every_row(db):
        rows[table].append(row)
    names = {_key(row["id"]): f"{row['kind']} {row['title']} {row['text']}" for row in rows["memory"]}
    names |= {_key(row["id"]): f"entity {row['name']}" for row in rows["entity"]}
    names |= {_key(row["id"]): f"turn {row['number']}" for row in rows["turn"]}
    found: Content = {table: Counter(_told(row, fields) for row in rows[table]) for table, fields in _PLAIN.items()}
    found["memory"] = Counter(_told(row, _MEMORY) for row in rows["memory"])
    for table in _EDGES:
        found[table] = Counter(
            f"{names.get(_key(row['in']))} → {names.get(_key(row['out']))} {_told(row, ('role', 'type', 'weight'))}"
            for row in rows[table]
        )
    found["merged"] = Counter(
        f"{row['name']} in {names.get(row['merged_into'])}" for row in rows["entity"] if row.get("merged_into")
    )
    found["conflict"] = Counter(
        f"{names.get(row['existing'])} | {names.get(row.get('incoming'))} | {row['status']} "
        f"{(row.get('decision') or {}).get('outcome')}"
        for row in rows["conflict"]
    )
    found["embedding"] = Counter(f"{names.get(row['memory'])} by {row['model']}" for row in rows["embedding"])
    found["reading"] = Counter(f"{names.get(_key(row['id']))} {row['status']}" for row in rows["reading"])
    found["alike"] = Counter(
        f"{names.get(row['one'])} | {names.get(row['other'])} | {row.get('status')}" for row in rows["alike"]
    )
    found["purged"] = Counter({"purged": len(rows["purged"])})
    changes = [row for row in rows["revision"] if row["record"] == "memory"]
    found["revision"] = Counter(f"{names.get(row['record_id'])} {row['version']} {row['act']}" for row in changes)
    return found


def difference(expected: Content, found: Content) -> str:
    """What is missing and what is too much, in words; “” where both are the same."""
    told = []
    for table in expected.keys() | found.keys():
        missing, more = expected[table] - found[table], found[table] - expected[table]
        told += [f"{table}: missing {count} × {row}" for row, count in missing.items()]
        told += [f"{table}: too much {count} × {row}" for row, count in more.items()]
    return "\n".join(sorted(told))


def _key(record: Any) -> str:
    """The id of a record as a backup tells it."""
    return str(record["$record"][1])


def _told(row: dict[str, Any], fields: tuple[str, ...]) -> str:
    return json.dumps([row.get(name) for name in fields], ensure_ascii=False, sort_keys=True)
