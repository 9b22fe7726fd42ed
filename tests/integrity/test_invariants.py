from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memoryapp import review
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.document import Source, SourceKind
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind
from memoryapp.domain.remembering import NewMemory
from memoryapp.ingest import ingest
from memoryapp.integrity import INVARIANTS, check
from memoryapp.remember import remember
from memoryapp.spaces import Space
from memoryapp.store import documents, memories
from memoryapp.store.write import Batch, commit, new_run
from tests.samples import AGENT, NOON, PERSON, a_memory, written

Told = dict[str, str]


@pytest.fixture
def told(space: Space) -> Told:
    """A space in which something of everything happened: ids by a short name."""
    said = [
        NewMemory("Mara lives in Seoul.", kind=Kind.FACT),
        NewMemory("Mara lives in Busan.", kind=Kind.FACT),
        NewMemory("(likes :subject Mara :object tea)", kind=Kind.NOTE),
        NewMemory("Globex and Initech share a staging bucket.", entities=("Globex", "Initech")),
    ]
    seoul, busan, note, names = remember(space, said, actor=AGENT)
    assert busan.conflict
    review.decide(space, busan.conflict, Outcome.REPLACE, actor=PERSON)
    review.edit(space, note.id, {"text": "Mara likes green tea."}, actor=PERSON)
    review.archive(space, [note.id], actor=PERSON)
    review.hold(space, [note.id], actor=PERSON)
    digest = a_memory("Where Mara lives.", kind=Kind.SUMMARY)
    commit(
        space.db,
        new_run("summarise", AGENT, now=NOON),
        Batch(created=[digest], derived=[(digest.id, busan.id)]),
        now=NOON,
    )
    return {"seoul": seoul.id, "busan": busan.id, "note": note.id, "names": names.id, "digest": digest.id}


def test_a_space_in_which_much_happened_is_sound(space: Space, told: Told) -> None:
    report = check(space, only=[one.name for one in INVARIANTS if one.name != "vectors"])
    assert report.broken == () and report.sound
    assert report.memories == 5


def test_a_space_is_sound_that_keeps_what_came_from_a_source_it_forgot(space: Space, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("## Redis\n\nMina measured 12 ms.\n")
    source = Source(new_id(), SourceKind.FOLDER, str(tmp_path), "notes", NOON)
    ingest(space, source, run=new_run("ingest", PERSON, now=NOON))
    documents.forget_source(space.db, source.id)
    assert documents.heads(space.db, source.id)
    assert check(space).broken == ()


def test_every_invariant_says_in_a_sentence_what_is_true() -> None:
    assert len({one.name for one in INVARIANTS}) == len(INVARIANTS)
    assert all(one.sentence.endswith(".") and one.sentence[0].isupper() for one in INVARIANTS)


HARM = {
    "both-ends": """
        DEFINE TABLE OVERWRITE follows TYPE RELATION SCHEMAFULL; -- the engine itself looks after ENFORCED ones
        INSERT RELATION INTO follows {{ in: memory:{busan}, out: memory:nowhere }} RETURN NONE""",
    "names": "UPDATE memory:{note} SET origin.document = 'lost' RETURN NONE",
    "merges": """
        CREATE entity:one SET name = 'One', normal = 'one', type = 'tool', state = 'known', aliases = [],
            sightings = 1, created_at = time::now(), version = 1, merged_into = 'two' RETURN NONE;
        CREATE entity:two SET name = 'Two', normal = 'two', type = 'tool', state = 'known', aliases = [],
            sightings = 1, created_at = time::now(), version = 1, merged_into = 'one' RETURN NONE""",
    "tree": "UPDATE memory:{note}, memory:{names} SET kind = 'node', detail = {{ path: 'here' }} RETURN NONE",
    "turns": """
        CREATE turn:a SET session = 's', number = 1, text = 'Hello.', role = 'user', at = time::now() RETURN NONE;
        CREATE turn:b SET session = 's', number = 3, text = 'Bye.', role = 'user', at = time::now() RETURN NONE""",
    "decisions": "UPDATE conflict SET decision = NONE RETURN NONE",
    "standing": "UPDATE memory:{seoul} SET ended_at = NONE RETURN NONE",
    "revisions": "DELETE revision WHERE record_id = '{note}' AND version = 2 RETURN NONE",
    "vectors": "DELETE embedding WHERE memory = '{note}' RETURN NONE",
    "graph": "",
    "indexed": "",
    "trust": "",
}


def test_harm_is_tried_on_every_invariant() -> None:
    assert HARM.keys() == {one.name for one in INVARIANTS}


@pytest.mark.parametrize("name", [name for name, harm in HARM.items() if harm])
def test_harm_done_behind_the_back_of_the_program_is_found(space: Space, told: Told, name: str) -> None:
    assert name == "vectors" or check(space, only=[name]).sound
    space.db.query(HARM[name].format(**told))
    report = check(space, only=[name])
    assert not report.sound
    assert {one.invariant for one in report.broken} == {name}
    assert all(one.record and one.told for one in report.broken)


def test_a_history_that_changed_what_was_not_there_is_found(space: Space, told: Told) -> None:
    space.db.query(
        "UPDATE revision SET before.state = 'deleted' WHERE record_id = $key AND version = 4 RETURN NONE",
        key=told["note"],
    )
    (broken,) = check(space, only=["revisions"]).broken
    assert "a value that it did not have" in broken.told


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        ("indexed", "UPDATE memory:{note} SET state = 'archived', ended_at = time::now() RETURN NONE"),
        ("graph", "DELETE references WHERE in = memory:{names} RETURN NONE"),
        ("trust", "UPDATE memory:{busan} SET confidence = 0.1 RETURN NONE"),
    ],
)
def test_what_is_derived_and_did_not_follow_is_found(
    space: Space, told: Told, name: str, harm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check(space, only=[name]).sound
    monkeypatch.setattr(type(space.index), "refresh", lambda self: self.version)  # an index that stopped following
    space.db.query(harm.format(**told))
    assert not check(space, only=[name]).sound


def test_an_index_that_followed_is_sound(space: Space, told: Told) -> None:
    before = memories.get(space.db, told["note"])
    commit(
        space.db,
        new_run("edit", PERSON, now=NOON),
        Batch(updated=[(before, replace(before, text="Mara likes oolong."))]),
        now=NOON,
    )
    assert check(space, only=["indexed", "graph", "trust", "revisions"]).sound


def test_no_more_than_a_hundred_of_a_kind_are_told(space: Space) -> None:
    written(space.db, *(a_memory(f"Memory {n}.") for n in range(130)))
    report = check(space, only=["vectors"])
    assert len(report.broken) == 100


def test_an_invariant_that_is_none_is_refused(space: Space) -> None:
    with pytest.raises(KeyError):
        check(space, only=["beauty"])
