from __future__ import annotations

import pytest

from memoryapp.domain.document import Document
from memoryapp.domain.errors import NotFound
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Origin
from memoryapp.domain.remembering import NewMemory
from memoryapp.remember import remember
from memoryapp.review import edit, feedback, preview_purge, purge
from memoryapp.spaces import Space
from memoryapp.store import documents, memories
from tests.samples import AGENT, NOON, PERSON, a_memory, written
from tests.store.test_purge import dumped


def test_a_preview_changes_nothing_and_tells_what_the_purge_then_does(space: Space) -> None:
    document = Document(new_id(), "s", "a.md", "A", "h", 9, 0, NOON, "# A\nquetzal\nb")
    memory = a_memory("quetzal", origin=Origin(document.id, "a.md", 2, 2))
    written(space.db, memory, documents=[document])
    edit(space, memory.id, {"text": "a quetzal"}, actor=PERSON)
    preview = preview_purge(space, memory.id, actor=PERSON)
    assert preview.dry_run
    assert memories.find(space.db, memory.id) is not None
    receipt = purge(space, memory.id, actor=PERSON)
    assert receipt.complete
    assert {name: receipt.removed[name] for name in preview.removed} == preview.removed
    assert documents.get(space.db, document.id).text == "# A\n\nb"
    assert "quetzal" not in dumped(space.db)
    assert "quetzal" not in repr(receipt)


def test_a_purged_memory_is_gone_from_the_index_and_a_second_purge_finds_nothing(space: Space) -> None:
    (one, other) = remember(space, [NewMemory("quetzal here"), NewMemory("heron there")], actor=AGENT)
    feedback(space, used=[one.id])
    space.index.refresh()
    assert one.id in space.index.roster.slot_of
    receipt = purge(space, one.id, actor=PERSON, reason="asked to")
    assert receipt.complete
    assert receipt.left["search index"] == 0
    assert other.id in space.index.roster.slot_of
    for act in (purge, preview_purge):
        with pytest.raises(NotFound, match="purged"):
            act(space, one.id, actor=PERSON)


def test_a_purge_on_a_full_disk_is_a_purge(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its last step is to write the index, which by then holds nothing of the memory."""
    (one,) = remember(space, [NewMemory("quetzal here")], actor=AGENT)

    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(space.index, "save", full)
    receipt = purge(space, one.id, actor=PERSON)
    assert receipt.complete and receipt.left["index file"] == 0
    assert memories.find(space.db, one.id) is None
