"""The local engine and its file: restarts, damage, purges, a full disk, and many threads."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memoryapp.domain.entity import Reference
from memoryapp.domain.memory import State
from memoryapp.domain.relation import MadeBy, RelationType
from memoryapp.index import disk, local, tokens
from memoryapp.index.local import LocalIndex
from memoryapp.index.tokens import FORMAT
from memoryapp.store import changes
from memoryapp.store.database import Database
from memoryapp.store.migrate import uid
from tests.index.told import related, the_graph
from tests.index.world import MODEL, NOW, World, direction, entity, memory, named, relation, world

K1, B = 0.9, 0.6


@pytest.fixture
def space() -> Iterator[World]:
    with world() as made:
        yield made


def opened(db: Database, folder: Path | None, *, model: str = MODEL, database: str | None = None) -> LocalIndex:
    return LocalIndex(db, model=model, database=database or uid(db), folder=folder, clock=lambda: NOW)


def fill(space: World) -> None:
    space.add(*(memory(f"melon {i} 가치관", key=named(str(i)), group="g", position=i, tags=("t",)) for i in range(6)))
    space.add(memory("gone", key=named("gone")), memory("resting", key=named("resting")))
    entities = (entity("e1", "Rome"), entity("e2", "Roma", merged_into="e1"), entity("e3", "Italy"))
    space.link(Reference(named("1"), "e1", "subject", 0.9), Reference(named("3"), "e2"), entities=entities)
    space.relate(
        relation("e2", "part_of", "e3", fact=named("1"), label="lies in", valid_to=NOW + timedelta(days=1)),
        relation("e3", RelationType.IS_A, "e1", planned=True, made_by=MadeBy.LLM),
    )
    space.follow(named("3"), named("1"))
    space.name("e1", "e2")
    space.delete(named("resting"))
    space.change(named("2"), state=State.ARCHIVED)


def answers(index: LocalIndex) -> dict[str, Any]:
    """By id, whatever slots the memories have."""
    view = index.view()
    assert index.graph is view.graph
    words = view.keyword(tokens("melon 가치관이 3"), k1=K1, b=B)
    near = view.vector(direction("query"))
    found: dict[str, Any] = {}
    for key in sorted(view.roster.slot_of):
        slot = view.roster.slot(key)
        assert slot is not None
        found[key] = (
            *(float(scores[slot]) for scores in (words.own, words.window, words.whole)),
            round(float(near.cosines[slot]), 5),
            [(one.name, role) for one, role, _ in view.incidence.of(slot)],
            int(view.roster.accesses[slot]),
        )
    return found | {"graph": the_graph(view)}


def test_a_restart_reads_the_file_and_then_only_what_is_new(space: World, tmp_path: Path) -> None:
    fill(space)
    first = opened(space.db, tmp_path)
    first.refresh()
    before = answers(first)
    first.close()
    space.add(memory("melon later", key=named("later")))
    asked: list[int] = []

    def watched(db: Database, version: int, *, limit: int) -> changes.Feed:
        asked.append(version)
        return original(db, version, limit=limit)

    original = local.changes.since
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changes, "since", watched)
        second = opened(space.db, tmp_path)
        second.refresh()
    assert asked[0] == first.version
    assert second.status().rebuilt_at is None and second.status().reason == ""
    after = answers(second)
    assert after.keys() == before.keys() | {named("later")}
    third = opened(space.db, None)
    third.refresh()
    assert answers(third) == after
    assert related(second.graph) == {("e1", "part_of", "e3"), ("e3", "is_a", "e1")}
    space.change(named("resting"), state=State.HELD)  # its vector was kept for it, over the restart
    second.refresh()
    slot = second.roster.slot(named("resting"))
    assert second.vector(direction(named("resting"))).cosines[slot] == pytest.approx(1, abs=1e-5)


def rewrite(folder: Path, **stamp: Any) -> None:
    with np.load(folder / disk.NAME) as archive:
        arrays = {name: archive[name] for name in archive.files}
    header = json.loads(arrays["header"].tobytes())
    header |= stamp
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    disk.write(folder, arrays)


def rewrite_graph(folder: Path, **part: Any) -> None:
    rewrite(folder, graph=json.loads(header(folder))["graph"] | part)


def truncate(folder: Path, share: float) -> None:
    path = folder / disk.NAME
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])


def flip(folder: Path) -> None:
    path = folder / disk.NAME
    content = bytearray(path.read_bytes())
    content[content.index(b'"terms"')] ^= 0xFF
    path.write_bytes(bytes(content))


def listed(folder: Path, at: int, byte: int) -> None:
    """Changes a byte of the archive's list of what is in it, counted from where that begins."""
    content = bytearray((folder / disk.NAME).read_bytes())
    content[content.index(b"PK\x01\x02") + at] = byte
    (folder / disk.NAME).write_bytes(bytes(content))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda folder: (folder / disk.NAME).unlink(), "none on disk"),
        (lambda folder: listed(folder, 6, 200), "could not be read"),  # of a kind that only a later version reads
        (lambda folder: listed(folder, 8, 1), "could not be read"),  # encrypted
        (lambda folder: listed(folder, 10, 8), "could not be read"),  # deflated
        (lambda folder: truncate(folder, 0.5), "could not be read"),
        (lambda folder: truncate(folder, 0), "could not be read"),
        (flip, "could not be read"),
        (lambda folder: (folder / disk.NAME).write_text("nonsense"), "could not be read"),
        (lambda folder: rewrite(folder, stamp=["x", MODEL, disk.FORMAT, FORMAT]), "another database"),
        (lambda folder: rewrite(folder, stamp=["x", MODEL, 0, 1]), "another version"),
        (lambda folder: rewrite(folder, ids=[]), "contradicts itself"),
        (lambda folder: rewrite(folder, version=5), "older than what the changefeed keeps"),
        (lambda folder: rewrite(folder, names={}), "could not be read"),
        (lambda folder: rewrite(folder, graph={}), "could not be read"),
        (lambda folder: rewrite_graph(folder, linked=[]), "contradicts itself"),
        (lambda folder: rewrite_graph(folder, relations=["x"]), "contradicts itself"),
        (lambda folder: rewrite(folder, stamp=7), "could not be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_made_again_with_equal_answers(
    space: World, tmp_path: Path, damage: Any, reason: str
) -> None:
    fill(space)
    first = opened(space.db, tmp_path)
    first.refresh()
    before = answers(first)
    first.close()
    damage(tmp_path)
    second = opened(space.db, tmp_path)
    second.refresh()
    assert reason in second.status().reason
    assert second.status().rebuilt_at == NOW
    assert answers(second) == before


def test_a_file_for_another_model_is_not_used(space: World, tmp_path: Path) -> None:
    fill(space)
    opened(space.db, tmp_path).refresh()
    first = opened(space.db, tmp_path)
    first.refresh()
    first.close()
    second = opened(space.db, tmp_path, model="another")
    second.refresh()
    assert f"the model {MODEL}" in second.status().reason
    assert second.status().vectors == 0


def test_what_was_purged_is_not_in_the_file(space: World, tmp_path: Path) -> None:
    fill(space)
    space.add(memory("xylophones in Zanzibar", key=named("secret"), tags=("hushhush",), speaker="Mallory"))
    space.link(Reference(named("secret"), "e9", "hidden role"), entities=(entity("e9", "Quetzalcoatl"),))
    space.relate(relation("e9", "worships", "e1", fact=named("secret"), label="bows before"))
    space.follow(named("secret"), named("4"))
    space.name("e9")
    index = opened(space.db, tmp_path)
    index.refresh()
    index.save()
    assert b"xylophon" in header(tmp_path) and b"zanzibar" in header(tmp_path)
    space.purge(named("secret"))
    index.refresh()
    index.close()
    kept = header(tmp_path).lower()
    words = ("xylophon", "zanzibar", "hushhush", "mallory", "hidden role", "quetzal", '"e9"', "worships", "bows")
    for word in (*words, named("secret")):
        assert word.encode() not in kept


def test_what_a_deleted_memory_said_of_others_is_not_in_the_file_once_it_is_purged(
    space: World, tmp_path: Path
) -> None:
    fill(space)
    space.relate(relation("e1", "knows", "e3", fact=named("4"), label="whispers to"))
    index = opened(space.db, tmp_path)
    space.delete(named("4"))
    index.refresh()
    index.save()  # its slot was dead already
    index._sweep(everything=True)
    assert b"whispers" in header(tmp_path)
    space.purge(named("4"))
    index.refresh()
    index.close()
    assert b"whispers" not in header(tmp_path)


def header(folder: Path) -> bytes:
    with np.load(folder / disk.NAME) as archive:
        return archive["header"].tobytes()


def test_the_file_is_for_its_owner_alone(space: World, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    index = opened(space.db, folder)
    index.refresh()
    index.save()
    assert stat.S_IMODE(os.stat(folder / disk.NAME).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    assert [path.name for path in folder.iterdir()] == [disk.NAME]


def test_a_disk_that_refuses_costs_no_search(space: World, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    fill(space)
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    index = opened(space.db, blocked)
    index.refresh()
    assert answers(index)
    index.close()
    assert "could not be kept on disk" in caplog.text


def test_what_was_purged_is_not_on_a_disk_that_takes_no_new_file_either(
    space: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(space)
    index = opened(space.db, tmp_path)
    index.refresh()
    index.save()

    def full(*told: object, **arrays: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    space.purge(named("3"))
    index.refresh()
    with pytest.raises(OSError, match="No space"):
        index.save()
    assert list(tmp_path.iterdir()) == [] and index.status().saved_version is None
    monkeypatch.undo()
    index.close()
    assert [path.name for path in tmp_path.iterdir()] == [disk.NAME]


def test_a_file_that_a_killed_process_did_not_end_is_taken_away(space: World, tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    (tmp_path / f"{disk.NAME}.{int(ended.stdout)}.new").write_bytes(b"half of it, with words")
    living = tmp_path / f"{disk.NAME}.{os.getppid()}.new"
    living.write_bytes(b"another process writes this just now")
    index = opened(space.db, tmp_path)
    index.refresh()
    index.save()
    assert {path.name for path in tmp_path.iterdir()} == {disk.NAME, living.name}


def test_many_changes_are_saved_without_being_asked(
    space: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = opened(space.db, tmp_path)
    index.refresh()
    monkeypatch.setattr(local, "SAVE_AFTER", 10)
    space.add(*(memory(f"melon {i}") for i in range(20)))
    index.refresh()
    for thread in threading.enumerate():
        if thread.name == "index-save":
            thread.join(10)
    assert index.status().saved_version == index.version
    assert disk.read(tmp_path, disk.Stamp(uid(space.db), MODEL))[1] == index.version


def test_dead_slots_are_swept_out_when_they_are_many(space: World, monkeypatch: pytest.MonkeyPatch) -> None:
    space.add(*(memory(f"melon {i}", key=named(str(i))) for i in range(10)))
    index = opened(space.db, None)
    index.refresh()
    monkeypatch.setattr(local, "is_wasteful", lambda draft: draft.columns.n > 2 * len(draft.slot_of))
    for text in ("one", "two"):
        for i in range(10):
            space.change(named(str(i)), text=f"pear {text} {i}")
        index.refresh()
    assert index.roster.n == 10
    assert len(index.keyword(["pear"], k1=K1, b=B).own.nonzero()[0]) == 10
    assert not index.keyword(["melon"], k1=K1, b=B).own.any()


def test_searches_go_on_undisturbed_while_changes_are_applied(space: World) -> None:
    space.add(*(memory(f"melon pear {i}", key=named(f"base{i}"), group=f"g{i % 3}") for i in range(60)))
    index = opened(space.db, None)
    index.refresh()
    stop, wrong, searches = threading.Event(), [], [0] * 4

    def search(which: int) -> None:
        query = direction("query")
        while not stop.is_set():
            view = index.view()
            one, near, mask = view.keyword(["melon"], k1=K1, b=B), view.vector(query), view.roster.held
            again = view.keyword(["melon"], k1=K1, b=B)
            lengths = {len(one.own), len(near.cosines), len(mask), view.n}
            same = all((a == b).all() for a, b in ((one.own, again.own), (one.window, again.window)))
            if len(lengths) != 1 or not same or one.df["melon"] != int((one.own[mask] > 0).sum()):
                wrong.append((lengths, same))
            searches[which] += 1

    def follow() -> None:
        while not stop.is_set():
            index.refresh()

    workers = [threading.Thread(target=search, args=(i,)) for i in range(4)]
    workers += [threading.Thread(target=follow) for _ in range(2)]
    for worker in workers:
        worker.start()
    for i in range(40):
        space.add(memory(f"melon new {i}", key=named(f"new{i}"), group=f"g{i % 3}"))
        space.change(named(f"base{i}"), text=f"pear changed {i}")
        if i % 5 == 0:
            space.purge(named(f"base{i + 1}")) if named(f"base{i + 1}") in space.memories else None
            space.add(memory("melon back", key=named(f"base{i + 1}")))
    stop.set()
    for worker in workers:
        worker.join(20)
    assert not wrong
    assert min(searches) > 10
    index.refresh()
    fresh = opened(space.db, None)
    fresh.refresh()
    assert answers(index) == answers(fresh)


def test_a_refresh_that_waited_for_another_does_not_read_the_feed_again(space: World) -> None:
    space.add(memory("melon"))
    index = opened(space.db, None)
    index.refresh()
    space.add(memory("plum"))
    reading, go_on, calls = threading.Event(), threading.Event(), []

    def slow(db: Database, version: int, *, limit: int) -> changes.Feed:
        calls.append(version)
        reading.set()
        go_on.wait(10)
        return original(db, version, limit=limit)

    original = changes.since
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changes, "since", slow)
        first = threading.Thread(target=index.refresh)
        first.start()
        assert reading.wait(10)
        others = [threading.Thread(target=index.refresh) for _ in range(5)]
        for other in others:
            other.start()
        while sum(other.is_alive() for other in others) < 5:
            pass
        space.add(memory("pear"))
        threading.Event().wait(0.05)  # all five stand at the lock, and came after the first reading began
        go_on.set()
        for thread in (first, *others):
            thread.join(10)
    assert len(calls) == 2  # the first's, and one more that serves all five


def test_the_feed_is_read_only_after_something_was_written(space: World) -> None:
    space.add(memory("melon"))
    index = opened(space.db, None)
    index.refresh()
    index.refresh()
    calls = []

    def counted(db: Database, version: int, *, limit: int) -> changes.Feed:
        calls.append(version)
        return original(db, version, limit=limit)

    original = changes.since
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(changes, "since", counted)
        index.refresh()
        assert calls == []
        space.add(memory("plum"))
        index.refresh()
        assert calls and index.keyword(["plum"], k1=0.9, b=0.6).own.max() > 0


def test_eight_writers_and_a_follower_lose_nothing(space: World) -> None:
    index = opened(space.db, None)
    index.refresh()
    errors: list[Exception] = []

    def write(which: int) -> None:
        other = World(space.db)
        try:
            for i in range(12):
                key = named(f"{which}-{i}")
                other.add(memory(f"melon {which} {i}", key=key))
                other.change(key, tags=(f"t{which}",))
        except Exception as error:  # a thread's failure must fail the test
            errors.append(error)

    writers = [threading.Thread(target=write, args=(i,)) for i in range(8)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        index.refresh()
    assert not errors
    index.refresh()
    assert len(index.keyword(["melon"], k1=K1, b=B).own.nonzero()[0]) == 96
    assert (index.roster.tagset[index.roster.alive] >= 0).all()
