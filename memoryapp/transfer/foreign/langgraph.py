"""Items of a LangGraph store, which LangMem writes too: what `store.search` or `POST /store/items/search` answers, as
JSON. Each becomes a note under its namespace and key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memoryapp.transfer.entries import Brought, Item, SkippedEntry
from memoryapp.transfer.foreign.files import ImportFiles
from memoryapp.transfer.foreign.records import (
    BrokenRecord,
    identifier,
    items,
    line,
    mapping,
    moment,
    parts_with,
    records,
    reference,
    tags,
    words,
)

FORM = "langgraph"
_WORDS = ("content", "text", "memory", "data", "value")  # where programs put the words of an item


def is_one(value: Any) -> bool:
    """Whether this is an item, or an answer that lists them."""
    one = mapping(value)
    return _is_item(one) or any(_is_item(mapping(inner)) for inner in items(one.get("items")))


def _is_item(one: dict[str, Any]) -> bool:
    return isinstance(one.get("namespace"), list) and "key" in one and isinstance(one.get("value"), dict)


def read(opened: ImportFiles) -> Iterator[Brought]:
    for part in parts_with(opened, is_one):
        for record in records(part):
            if isinstance(record, BrokenRecord):
                yield SkippedEntry(record.where, record.why)
                continue
            held = items(mapping(record.value).get("items"))
            for number, one in enumerate(held or [record.value], start=1):
                yield _item(mapping(one), f"{record.where}, item {number}" if held else record.where)


def _item(one: dict[str, Any], where: str) -> Brought:
    namespace = [step for value in items(one.get("namespace")) if (step := identifier(value))]
    key = identifier(one.get("key"))
    text = _text(mapping(one.get("value")))
    if not key or not text:
        return SkippedEntry(where, "It is no item with a key and words.")
    return Item(
        text=text,
        ref=reference(FORM, *namespace, key),
        title=line(mapping(one.get("value")).get("title")),
        tags=tags(namespace),
        occurred_at=moment(one.get("updated_at")) or moment(one.get("created_at")),
        source=where,
    )


def _text(value: dict[str, Any]) -> str:
    """The words of the item; of one with fields of its own a line for each plain one. LangMem wraps them once more:
    {"kind": "Memory", "content": {"content": …}}."""
    for name in _WORDS:
        inner = value.get(name)
        if text := words(inner) or (_text(inner) if isinstance(inner, dict) and name == "content" else ""):
            return text
    plain = {name: inner for name, inner in value.items() if isinstance(inner, (str, int, float)) and name != "kind"}
    return "\n".join(f"{line(name)}: {text}" for name, inner in plain.items() if (text := words(str(inner))))
