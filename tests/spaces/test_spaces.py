from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memoryapp import spaces
from memoryapp.domain.errors import ModelMissing, StoreError, StoreLocked
from memoryapp.domain.limits import Tuning
from memoryapp.domain.remembering import NewMemory
from memoryapp.inference.embedding import EncoderSlot
from memoryapp.remember import remember
from memoryapp.review import edit
from memoryapp.spaces import Setup, close_space, configure, list_open_spaces, open_space
from memoryapp.store import embeddings, memories
from memoryapp.store.database import open_database
from tests.migrated import MIGRATED
from tests.samples import AGENT, PERSON, open_spaces


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with open_spaces(f"surrealkv://{tmp_path / 'spaces'}", index_dir=tmp_path / "indexes"):
        yield tmp_path


def test_before_anything_is_configured_a_space_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoryapp.spaces.pipeline._setup", None)
    with pytest.raises(StoreError, match="configure"):
        open_space("reeds")


def test_a_space_is_opened_once_however_many_ask_at_once(folder: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: open_space("reeds"), range(16)))
    assert len({id(space.db) for space in found}) == len({id(space.index) for space in found}) == 1
    assert [space.name for space in list_open_spaces()] == ["reeds"]


def test_spaces_do_not_see_each_other(folder: Path) -> None:
    one, two = open_space("one"), open_space("two")
    remember(one, [NewMemory("Only in one")], actor=AGENT)
    assert len(tuple(memories.scan(one.db))) == 1
    assert tuple(memories.scan(two.db)) == ()
    assert one.encoder is two.encoder, "a model stands in memory once"


def test_settings_follow_the_caller_and_the_handle_stays(folder: Path) -> None:
    parent = open_space("parent")
    plain, tuned = open_space("reeds"), open_space("reeds", tuning=Tuning(rrf_k=10), parent=parent)
    assert plain.db is tuned.db
    assert (plain.tuning.rrf_k, tuned.tuning.rrf_k, tuned.parent) == (60, 10, parent)


def test_a_closed_space_frees_its_folder_and_opens_again_with_what_was_in_it(folder: Path) -> None:
    space = open_space("reeds")
    remember(space, [NewMemory("The heron left.")], actor=AGENT)
    with pytest.raises(StoreLocked):
        open_database(f"surrealkv://{folder / 'spaces'}", "reeds")
    close_space("reeds")
    close_space("reeds")
    open_database(f"surrealkv://{folder / 'spaces'}", "reeds").close()
    again = open_space("reeds")
    assert [memory.text for memory in memories.scan(again.db)] == ["The heron left."]
    again.index.refresh()
    assert len(again.index.roster.slot_of) == 1


def test_a_folder_that_cannot_be_opened_leaves_nothing_half_open(folder: Path) -> None:
    held = open_database(f"surrealkv://{folder / 'spaces'}", "reeds")
    with pytest.raises(StoreLocked):
        open_space("reeds")
    assert list_open_spaces() == ()
    held.close()
    assert open_space("reeds").db.query("RETURN 1") == [1]


def test_configuring_again_closes_what_was_open(folder: Path) -> None:
    space = open_space("reeds")
    configure(Setup(store_url=MIGRATED, index_dir=None, encoder="hashing"))
    assert space.db.closed
    assert list_open_spaces() == ()


class Missing(EncoderSlot):
    """A slot whose model is not there."""

    def __init__(self) -> None:
        def load(name: str) -> None:
            raise ModelMissing(f"There is no model {name}.")

        super().__init__("hashing", load)  # type: ignore[arg-type]
        self.fill()


def test_without_a_model_words_are_kept_and_no_vector_of_older_words_answers_for_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = open_space("reeds")
    (one,) = remember(space, [NewMemory("The heron left.")], actor=AGENT)
    assert embeddings.missing(space.db, "hashing") == []
    monkeypatch.setattr("memoryapp.spaces.pipeline._slots", {"hashing": Missing()})
    monkeypatch.setattr("memoryapp.spaces.pipeline.background_encoder", lambda *_, **__: Missing())
    spaces.close_all()
    without = open_space("reeds")
    edit(without, one.id, {"text": "The heron came back."}, actor=PERSON)
    remember(without, [NewMemory("New words")], actor=AGENT)
    assert len(embeddings.missing(without.db, "hashing")) == 2


def test_closing_while_others_ask_ends_in_plain_errors(folder: Path) -> None:
    space = open_space("reeds")
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            for _ in range(400):
                tuple(memories.scan(space.db))
        except StoreError:
            return
        except BaseException as error:
            failures.append(error)

    asking = [threading.Thread(target=ask) for _ in range(4)]
    for thread in asking:
        thread.start()
    spaces.close_all()
    for thread in asking:
        thread.join(20)
    assert failures == []
