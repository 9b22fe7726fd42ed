"""What somebody asks to keep private is in no memory, fact, episode, export or backup."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from memoryapp.domain.change import Actor, ActorKind
from memoryapp.domain.errors import Clash
from memoryapp.domain.limits import Tuning
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.turn import NewTurn, ReadingStatus
from memoryapp.remember import append_turns, remember, remember_turns
from memoryapp.spaces import Space
from memoryapp.store import backup, sessions, turns
from memoryapp.store.sessions import Session
from memoryapp.summaries.transcript import transcript_of

ME = Actor(ActorKind.PERSON, "alice")
SAID = [
    NewTurn("I have a rash on my back.", private=True),
    NewTurn("The heron is <private>called Bertha</private>, by the way."),
    NewTurn("Please don't remember this: my sister is moving to Oslo."),
    NewTurn("The kettle is in the garage."),
]


def keeping(space: Space, setting: str) -> Space:
    kept = replace(space, tuning=Tuning(private_turns=setting))
    sessions.open_session(kept.db, Session("talk", kept.clock()))
    append_turns(kept, "talk", SAID, actor=ME)
    return kept


def texts_in(path: Path) -> str:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read()


@pytest.mark.parametrize("setting", ["drop", "keep"])
def test_private_words_reach_nothing_that_reads_turns(space: Space, setting: str, tmp_path: Path) -> None:
    kept = keeping(space, setting)
    found = turns.of_session(kept.db, "talk")
    assert [one.text for one in found] == [
        "[private]",
        "The heron is [private], by the way.",
        "[private]",
        "The kettle is in the garage.",
    ]
    assert [one.private for one in found] == [True, True, True, False]
    statuses = [turns.readings(kept.db, [one.id])[one.id].status for one in found]
    assert statuses[0] is statuses[2] is ReadingStatus.SKIPPED
    assert remember_turns(kept) == 2
    heard = " ".join(line.text for line in transcript_of(kept, "talk").lines)
    backup.backup(kept.db, tmp_path / "all.gz")
    exported = "".join(str(row) for _, row in backup.every_row(kept.db))
    for word in ("rash", "Bertha", "Oslo"):
        assert word not in heard + exported + texts_in(tmp_path / "all.gz")


def test_a_space_that_keeps_them_has_them_for_the_session_alone_until_they_are_erased(space: Space) -> None:
    kept = keeping(space, "keep")
    found = turns.of_session(kept.db, "talk")
    words = turns.private_words(kept.db, found)
    assert [words.get(one.id) for one in found] == [*(one.text for one in SAID[:3]), None]
    assert turns.erase_private_words(kept.db, "talk") == 3
    assert turns.private_words(kept.db, found) == {}


def test_a_space_that_drops_them_has_them_nowhere(space: Space) -> None:
    kept = keeping(space, "drop")
    assert turns.private_words(kept.db, turns.of_session(kept.db, "talk")) == {}
    assert kept.db.query("SELECT * FROM private_words")[0] == []


def test_a_secret_in_private_words_is_masked_all_the_same(space: Space) -> None:
    kept = keeping(space, "keep")
    (turn,) = append_turns(kept, "talk", [NewTurn("My card is 4111 1111 1111 1111.", private=True)], actor=ME)
    assert turns.private_words(kept.db, [turn])[turn.id] == "My card is [secret: card number]."


def test_all_that_is_said_in_a_private_session_is_private_until_it_is_no_longer(space: Space) -> None:
    sessions.open_session(space.db, Session("talk", space.clock()))
    append_turns(space, "talk", [NewTurn("The kettle is in the garage.")], actor=ME)
    sessions.set_private(space.db, "talk", to=True)
    append_turns(space, "talk", [NewTurn("The key is under the mat.")], actor=ME)
    with pytest.raises(Clash, match="is private: nothing of it is remembered"):
        remember(space, [NewMemory("The key is under the mat.", session="talk")], actor=ME)
    sessions.set_private(space.db, "talk", to=False)
    append_turns(space, "talk", [NewTurn("The ladder is in the shed.")], actor=ME)
    found = [one.text for one in turns.of_session(space.db, "talk")]
    assert found == ["The kettle is in the garage.", "[private]", "The ladder is in the shed."]


def test_what_is_carried_into_a_new_folder_has_them_still(space: Space, tmp_path: Path) -> None:
    kept = keeping(space, "keep")
    backup.backup(kept.db, tmp_path / "carried.gz", private=True)
    assert "Bertha" in texts_in(tmp_path / "carried.gz")
