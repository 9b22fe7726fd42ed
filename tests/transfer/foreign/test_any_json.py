"""Whatever stands in a file, reading it gives something or says why not; and the same file gives the same refs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.domain.errors import BadInput
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember.check import check
from memoryapp.transfer.entries import Brought, Conversation, Item
from memoryapp.transfer.foreign import FORMS, read, recognise
from tests.sampling import examples

_PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
_JSON = st.recursive(
    _PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
# A good record of each form, of which any value may be put in another's place.
_GOOD: dict[str, dict[str, Any]] = {
    "mem0": {
        "id": "a", "memory": "Mara rows", "user_id": "mara", "categories": ["health"], "metadata": {"k": "v"},
        "created_at": "2025-01-01", "expiration_date": None, "relations": [],
    },
    "mcp-memory": {"type": "entity", "name": "Mara", "entityType": "person", "observations": ["Rows", "Sails"]},
    "openai-chat": {
        "id": "c", "title": "T", "create_time": 1.0, "current_node": "b",
        "mapping": {
            "a": {"parent": None, "message": None},
            "b": {"parent": "a", "message": {
                "id": "b", "author": {"role": "user"}, "create_time": 2.0, "recipient": "all", "metadata": {},
                "content": {"content_type": "text", "parts": ["Hello"]},
            }},
        },
    },
    "claude-chat": {
        "uuid": "u", "name": "N", "created_at": "2025-01-01",
        "chat_messages": [{
            "uuid": "m", "sender": "human", "text": "Hi", "content": [{"type": "text", "text": "Hi"}],
            "created_at": "2025-01-01", "attachments": [], "files": [], "parent_message_uuid": None,
        }],
        "conversations_memory": "**A**\nb", "project_memories": {"p": "c"},
        "memory_files": [{"path": "/a.md", "content": "b", "updated_at": "2025-01-01"}],
    },
    "letta": {
        "agents": [{
            "name": "A", "block_ids": ["b"],
            "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}], "created_at": "2025-01-01"}],
        }],
        "blocks": [{"id": "b", "label": "human", "value": "Mara"}],
    },
    "langgraph": {"namespace": ["a"], "key": "k", "value": {"text": "Rows"}, "created_at": 1, "updated_at": 2},
    "graphiti": {
        "uuid": "e", "name": "KNOWS", "fact": "Mara knows Ines", "source_node_uuid": "a", "target_node_uuid": "b",
        "valid_at": "2025-01-01", "invalid_at": None, "labels": ["Person"], "summary": "",
    },
    "claude-code": {
        "type": "user", "uuid": "u", "sessionId": "s", "cwd": "/a/b", "timestamp": "2025-01-01",
        "message": {"role": "user", "content": [{"type": "text", "text": "Hi"}]}, "isSidechain": False,
    },
}  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in it a value stands."""
    if path:
        yield path
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places(value[key], (*path, key))


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return copy


def fits(one: Brought) -> bool:
    """Whether what comes after would take it as it is."""
    if isinstance(one, Item):
        return bool(check([NewMemory(text=one.text, title=one.title, ref=one.ref, kind=one.kind, tags=one.tags)]))
    if isinstance(one, Conversation):
        refs = [turn.ref for turn in one.turns]
        return len(set(refs)) == len(refs) and all(0 < len(turn.text) <= LIMITS.turn_chars for turn in one.turns)
    return True


def all_of(path: Path, form: str) -> list[Brought]:
    try:
        return list(read(path, form))
    except BadInput:
        return []


@pytest.fixture(scope="module")
def in_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """One file, written over by each example."""
    folder = tmp_path_factory.mktemp("any")

    def write(text: str | bytes, name: str = "export.json") -> Path:
        path = folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
        return path

    return write


@pytest.mark.parametrize("form", sorted(_GOOD))
@given(data=st.data())
@settings(max_examples=examples(30), deadline=None)
def test_any_value_in_any_place_of_a_record_harms_nothing(
    in_file: Callable[..., Path], form: str, data: st.DataObject
) -> None:
    good = _GOOD[form]
    bad = replaced(good, data.draw(st.sampled_from(list(places(good)))), data.draw(_JSON))
    path = in_file(json.dumps([good, bad, data.draw(_JSON), good]))
    assert recognise(path) == form
    found = all_of(path, form)
    assert found, "the good ones are read"
    assert all(fits(one) for one in found)
    assert found == all_of(path, form), "the same file gives the same, refs and all"


@given(value=_JSON)
@settings(max_examples=examples(30), deadline=None)
def test_any_json_at_all_is_recognised_as_something_or_nothing_and_read_without_harm(
    in_file: Callable[..., Path], value: Any
) -> None:
    path = in_file(json.dumps(value))
    assert recognise(path) in {None, *FORMS}
    for form in FORMS:
        assert all(fits(one) for one in all_of(path, form))


@given(data=st.binary(max_size=300))
@settings(max_examples=examples(30), deadline=None)
def test_any_bytes_are_recognised_as_nothing_and_refused_in_a_sentence(
    in_file: Callable[..., Path], data: bytes
) -> None:
    for name in ("export.json", "export.zip", "note.md"):
        path = in_file(data, name)
        recognise(path)
        for form in FORMS:
            all_of(path, form)


@given(cut=st.integers(0, 400))
@settings(max_examples=examples(40), deadline=None)
def test_a_file_that_was_cut_short_gives_what_stood_before(in_file: Callable[..., Path], cut: int) -> None:
    memories = [{"id": n, "memory": f"Memory {n}"} for n in range(12)]
    text = json.dumps(memories)
    found = all_of(in_file(text[:cut]), "mem0")
    whole = [one for one in all_of(in_file(text), "mem0") if isinstance(one, Item)]
    kept = [one for one in found if isinstance(one, Item)]
    assert kept == whole[: len(kept)]
    assert len(kept) >= min(cut, len(text)) // len(json.dumps(memories[-1]) + ", ") - 1


@given(path=st.text(max_size=30).filter(lambda text: "\0" not in text))
@settings(max_examples=examples(40), deadline=None)
def test_recognising_a_path_never_raises(path: str) -> None:
    recognise(Path("/nowhere", path))
