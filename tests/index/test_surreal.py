"""What is particular to the engine inside the database: its tables outlive the process."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from memoryapp.domain.errors import StoreError
from memoryapp.domain.memory import State
from memoryapp.index import surreal
from memoryapp.index.surreal import SurrealIndex
from memoryapp.store import search
from memoryapp.store.migrate import uid
from tests.index.world import MODEL, NOW, World, direction, memory, named, world

K1, B = 0.9, 0.6


@pytest.fixture
def space() -> Iterator[World]:
    with world() as made:
        yield made


def opened(space: World, *, model: str = MODEL) -> SurrealIndex:
    index = SurrealIndex(space.db, model=model, database=uid(space.db), clock=lambda: NOW)
    index.refresh()
    return index


def found(index: SurrealIndex, *terms: str) -> set[str]:
    index.refresh()
    view = index.view()
    return {view.roster.ids[slot] for slot in np.flatnonzero(view.keyword(terms, k1=K1, b=B).own)}


def test_a_later_process_goes_on_from_the_tables_as_they_are(space: World, monkeypatch: pytest.MonkeyPatch) -> None:
    space.add(memory("a melon", key=named("a")), memory("a fig", key=named("b")))
    opened(space).close()
    space.change(named("a"), text="a pear")
    space.delete(named("b"))
    space.add(memory("a plum", key=named("c")))
    written: list[str] = []

    def watched(db: object, texts: dict[str, object], wholes: object) -> None:
        written.extend(texts)
        original(db, texts, wholes)

    original = search.put_texts
    monkeypatch.setattr(search, "put_texts", watched)
    space.add(*(memory("filler") for _ in range(3)))
    later = opened(space)
    assert later.status().reason == ""
    assert found(later, "melon", "fig") == set()
    assert found(later, "pear", "plum") == {named("a"), named("c")}
    assert named("c") in written


def test_tables_made_for_another_model_are_made_again(space: World) -> None:
    space.add(memory("a melon", key=named("a")))
    opened(space).close()
    later = opened(space, model="another")
    assert "made for something else" in later.status().reason
    assert found(later, "melon") == {named("a")}
    assert not later.vector(direction(named("a"))).has.any()


def test_a_write_that_fails_half_way_is_made_good_at_the_next_refresh(
    space: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    space.add(memory("a melon", key=named("a")))
    index = opened(space)
    space.change(named("a"), text="a pear")

    def broken(*_: object) -> None:
        raise StoreError("The store went away.")

    with monkeypatch.context() as patch:
        patch.setattr(search, "put_texts", broken)
        with pytest.raises(StoreError):
            index.refresh()
    assert found(index, "pear") == {named("a")}
    assert found(index, "melon") == set()


def test_counts_are_asked_for_where_there_are_more_than_the_candidates(
    space: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    space.add(*(memory(f"melon {'fig' * (i % 2)}", key=named(str(i))) for i in range(8)))
    space.change(named("0"), state=State.ARCHIVED)
    index = opened(space)
    full = index.keyword(["melon", "fig"], k1=K1, b=B)
    monkeypatch.setattr(surreal, "CANDIDATES", 5)
    cut = index.keyword(["melon", "fig"], k1=K1, b=B)
    assert full.df == cut.df == {"melon": 7, "fig": 4}
    assert np.count_nonzero(cut.own) == 5
    kept = np.flatnonzero(cut.own)
    assert cut.own[kept] == pytest.approx(full.own[kept])


def test_the_nearest_are_found_by_the_index_where_a_mask_is_wide(space: World, monkeypatch: pytest.MonkeyPatch) -> None:
    space.add(*(memory(f"text {i}", key=named(str(i))) for i in range(30)))
    index = opened(space)
    exact = index.vector(direction("query")).cosines
    monkeypatch.setattr(surreal, "_FEW", 3)
    monkeypatch.setattr(surreal, "CANDIDATES", 10)
    near = index.vector(direction("query"))
    assert near.has.sum() == 10
    best = np.argsort(-exact)[:10]
    assert near.cosines[best] == pytest.approx(exact[best], abs=1e-4)


def test_more_memories_than_a_page_are_written_whole(space: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surreal, "_PAGE", 3)
    monkeypatch.setattr(search, "_BATCH", 2)
    space.add(*(memory(f"melon {i}", key=named(str(i)), group="g", position=i) for i in range(8)))
    index = opened(space)
    space.add(memory("pear", key=named("new"), group="g", position=4))
    index.refresh()
    view = index.view()
    scores = view.keyword(["melon"], k1=K1, b=B)
    assert np.count_nonzero(scores.own) == 8
    assert np.count_nonzero(scores.whole) == 9
