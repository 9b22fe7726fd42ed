"""Lines go in, are merged, or wait as conflicts; nothing is lost, and all of it can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from memoryapp.domain.conflict import ConflictStatus, Outcome
from memoryapp.domain.errors import BadInput, Clash, NotFound, TooLarge
from memoryapp.domain.limits import Tuning
from memoryapp.domain.memory import Kind
from memoryapp.domain.node import line_key
from memoryapp.review import decide, delete, edit, undo_decision, undo_run
from memoryapp.spaces import Space, open_space
from memoryapp.store import memories, nodes
from memoryapp.store.write import Batch, commit, new_run
from memoryapp.tree import behind, rehearse, retain
from tests.samples import AGENT, PERSON, a_memory, open_spaces, runs_of
from tests.tree.fed import page, pages, put, raised, say

GPU = (
    "# GPU\r\n\r\n## What runs where\r\n\r\n* The MacBook runs MiniLM only.\r\n* Long runs go to the H100.\r\n\r\n"
    "## Backup\r\n\r\n* Restic copies the data folder every night.\r\n"
)


@pytest.fixture(scope="module")
def meaning() -> Iterator[Space]:
    """A space with the real model, where meaning is at stake."""
    with open_spaces(encoder="all-MiniLM-L6-v2"):
        space = open_space("reeds")
        space.encoder.get(60)
        yield space


def test_the_same_statement_three_times_is_one_line_and_its_contradiction_one_conflict(space: Space) -> None:
    said = ["The queue is stored in Postgres.", "the queue is stored in Postgres", "The queue is stored in Postgres!"]
    for text in (*said, said[0]):
        retain(space, [say(space, text)], path="infra/queue", actor=PERSON)
    assert page(space, "infra/queue") == "# queue\n\n- The queue is stored in Postgres.\n"
    against = say(space, "The queue is stored in MySQL.")
    for _ in range(2):
        (kept,) = retain(space, [against], path="infra/queue", actor=PERSON).items
        assert kept.outcome == "conflict"
    (conflict,) = raised(space)
    assert conflict.id == kept.conflict and conflict.status is ConflictStatus.WAITING
    assert conflict.incoming is None and conflict.certain
    assert "stored in Postgres" in conflict.reason and "stored in MySQL" in conflict.reason
    assert page(space, "infra/queue") == "# queue\n\n- The queue is stored in Postgres.\n"


@pytest.mark.parametrize("text", ["Never skip the drill.", "never skip the  drill", "훈련은 매달 한다."])
def test_a_sentence_that_stands_inside_a_paragraph_is_not_written_again(space: Space, text: str) -> None:
    before = "# drill\n\nWe restore once a month. Never skip the drill. 훈련은 매달 한다. It takes an hour.\n"
    put(space, "infra/drill", before)
    (kept,) = retain(space, [say(space, text)], path="infra/drill", actor=PERSON).items
    assert page(space, "infra/drill") == before and kept.outcome != "written"


def test_each_outcome_is_told_with_its_line_and_why(space: Space) -> None:
    first, again = say(space, "The queue is stored in Postgres."), say(space, "the queue is stored in Postgres")
    done = retain(space, [first, again], path="queue", actor=AGENT)
    assert [(one.outcome, one.line) for one in done.items] == [
        ("written", "The queue is stored in Postgres."),
        ("merged", "The queue is stored in Postgres."),
    ]
    assert done.run and done.run.detail == {"written": 1, "merged": 1, "nodes": ["queue"]}
    node = nodes.at(space.db, "queue")
    assert node and {line.memory for line in node.lines} == {first, again}
    assert {line.why for line in node.lines} == {"put there by hand"}
    assert behind(space, node)[line_key("The queue is stored in Postgres.")].id == again
    more = retain(space, [first, again], actor=AGENT)
    assert {one.outcome for one in more.items} == {"unchanged"} and more.run is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Batch 256 is the ceiling on the 4090.", "Batch 128 is the ceiling on the 4090."),
        ("The rent is 1,200 euros.", "The rent is 1,300 euros."),
        ("회의는 3시에 시작한다.", "회의는 4시에 시작한다."),
        ("Maria's dog is four.", "Jon's dog is four."),
    ],
)
def test_two_lines_that_differ_in_a_number_or_a_name_are_never_merged(meaning: Space, one: str, other: str) -> None:
    path = f"numbers/{line_key(one)}"
    done = retain(meaning, [say(meaning, one), say(meaning, other)], path=path, actor=PERSON)
    assert done.items[0].outcome == "written"
    assert done.items[1].outcome in ("written", "conflict")


def test_what_says_the_same_in_other_words_is_merged_and_the_line_stays_as_it_is(meaning: Space) -> None:
    one = say(meaning, "Mina works as a nurse in Busan.")
    other = say(meaning, "Mina is working as a nurse in Busan.")
    done = retain(meaning, [one, other], path="people/mina", actor=PERSON)
    assert [kept.outcome for kept in done.items] == ["written", "merged"]
    assert page(meaning, "people/mina") == "# mina\n\n- Mina works as a nurse in Busan.\n"


def test_a_line_goes_into_the_section_it_is_nearest_to_in_the_manner_of_the_file(meaning: Space) -> None:
    put(meaning, "infra/machines", GPU)
    text = "Restic keeps the copies of the data folder for ninety days."
    retain(meaning, [say(meaning, text)], path="infra/machines", actor=PERSON)
    assert page(meaning, "infra/machines") == GPU + f"* {text}\r\n"
    other = "Long embedding runs on the H100 are rented by the hour."
    retain(meaning, [say(meaning, other)], path="infra/machines", actor=PERSON)
    assert f"* Long runs go to the H100.\r\n* {other}\r\n\r\n## Backup" in page(meaning, "infra/machines")


def test_undo_brings_back_the_bytes_of_every_node_and_takes_new_ones_away(space: Space) -> None:
    put(space, "infra/queue", "# Queue\r\n\r\n*  The queue is stored in Postgres.", "queue")
    before = pages(space)
    done = retain(
        space,
        [
            say(space, text)
            for text in ("The queue is stored in MySQL.", "The queue keeps jobs for a week.", "Nobody knows this.")
        ],
        actor=PERSON,
    )
    assert [one.outcome for one in done.items] == ["conflict", "written", "written"]
    assert page(space, "infra/queue").startswith("# Queue\r\n\r\n*  The queue is stored in Postgres.\r\n*  The queue")
    assert page(space, "inbox") == "# Inbox\n\n- Nobody knows this.\n"
    assert done.run
    undo_run(space, done.run.id, actor=PERSON)
    assert pages(space) == before
    again = retain(space, [one.memory for one in done.items], actor=PERSON)
    assert page(space, "inbox") == "# Inbox\n\n- Nobody knows this.\n"
    assert [one.outcome for one in again.items] == ["conflict", "written", "written"]


@pytest.mark.parametrize("outcome", [Outcome.KEEP, Outcome.REPLACE, Outcome.MERGE])
def test_a_conflict_of_a_line_is_decided_and_what_was_written_meanwhile_stays(space: Space, outcome: Outcome) -> None:
    retain(space, [say(space, "The queue is stored in Postgres.")], path="queue", actor=PERSON)
    against = say(space, "The queue is stored in MySQL.")
    (kept,) = retain(space, [against], path="queue", actor=PERSON).items
    retain(space, [say(space, "Heron stand in the reeds.")], path="queue", actor=PERSON)
    before = nodes.at(space.db, "queue")
    assert before and kept.conflict
    merged = "# queue\n\n- The queue is stored in MySQL, on the Postgres machine.\n"
    decide(space, kept.conflict, outcome, actor=PERSON, text=merged if outcome is Outcome.MERGE else None)
    after = nodes.at(space.db, "queue")
    assert (
        after
        and after.text
        == {
            Outcome.KEEP: before.text,
            Outcome.REPLACE: "# queue\n\n- The queue is stored in MySQL.\n- Heron stand in the reeds.\n",
            Outcome.MERGE: merged,
        }[outcome]
    )
    assert after.memory.content_hash == before.memory.content_hash
    if outcome is Outcome.REPLACE:
        assert behind(space, after)[line_key("The queue is stored in MySQL.")].id == against
    if outcome is Outcome.KEEP:
        (again,) = retain(space, [against], path="queue", actor=PERSON).items
        assert (again.outcome, again.conflict) == ("unchanged", kept.conflict)
    undo_decision(space, kept.conflict, actor=PERSON)
    back = nodes.at(space.db, "queue")
    assert back and back.text == before.text and back.memory.detail == before.memory.detail
    assert raised(space)[0].status is ConflictStatus.WAITING


def test_a_line_that_is_gone_when_its_conflict_is_decided_is_told(space: Space) -> None:
    retain(space, [say(space, "The queue is stored in Postgres.")], path="queue", actor=PERSON)
    (kept,) = retain(space, [say(space, "The queue is stored in MySQL.")], path="queue", actor=PERSON).items
    node = nodes.at(space.db, "queue")
    assert node and kept.conflict
    edit(space, node.id, {"text": "# queue\n\n- Nothing.\n"}, actor=PERSON)
    with pytest.raises(Clash, match="meanwhile"):
        decide(space, kept.conflict, Outcome.REPLACE, actor=PERSON)
    decide(space, kept.conflict, Outcome.KEEP, actor=PERSON)


def test_facts_that_wait_against_each_other_raise_no_second_conflict(space: Space) -> None:
    held = say(space, "Minsu lives in Seoul.", kind=Kind.FACT)
    retain(space, [held], path="people", actor=PERSON)
    moved = say(space, "Minsu lives in Busan.", kind=Kind.FACT)
    (waiting,) = raised(space)
    (kept,) = retain(space, [moved], path="people", actor=PERSON).items
    assert (kept.outcome, kept.conflict) == ("conflict", waiting.id)
    assert raised(space) == (waiting,)
    decide(space, waiting.id, Outcome.BOTH, actor=PERSON)
    (kept,) = retain(space, [moved], path="people", actor=PERSON).items
    assert kept.outcome == "written"
    assert len(raised(space)) == 1


def test_a_fact_that_replaced_the_one_behind_a_line_takes_its_place(space: Space) -> None:
    held = say(space, "Minsu lives in Seoul.", kind=Kind.FACT)
    retain(space, [held], path="people", actor=PERSON)
    moved = say(space, "Minsu lives in Busan.", kind=Kind.FACT)
    (waiting,) = raised(space)
    decide(space, waiting.id, Outcome.REPLACE, actor=PERSON)
    (kept,) = retain(space, [moved], path="people", actor=PERSON).items
    assert (kept.outcome, kept.why) == ("written", "in place of what it superseded")
    assert page(space, "people") == "# people\n\n- Minsu lives in Busan.\n"
    assert len(raised(space)) == 1


def test_a_memory_that_was_edited_is_taken_in_again_in_its_own_place(space: Space) -> None:
    key = say(space, "The MacBook runs MiniLM.")
    retain(space, [key, say(space, "Heron stand in the reeds.")], path="gpu", actor=PERSON)
    edit(space, key, {"text": "The MacBook runs nothing."}, actor=PERSON)
    (kept,) = retain(space, [key], actor=PERSON).items
    assert kept.outcome == "written"
    assert page(space, "gpu") == "# gpu\n\n- The MacBook runs nothing.\n- Heron stand in the reeds.\n"


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("[W] Plain words.", "# values\n\n- Plain words.\n"),
        ("# no heading", "# values\n\n- \\# no heading\n"),
        ("- one\n- two", "# values\n\n- one\n- two\n"),
        ("One thing. Another thing.", "# values\n\n- One thing. Another thing.\n"),
        ("One thing.\nAnother thing.", "# values\n\n- One thing.\n- Another thing.\n"),
        ("# Plan\n\n- one\n\n## More\n\n- two", "# values\n\n## Plan\n\n- one\n\n### More\n\n- two\n"),
        ("Run it:\n```\nrent h100\n```", "# values\n\n## Run it:\n\nRun it:\n```\nrent h100\n```\n"),
        (f"Long {'word ' * 70}.\nShort.", None),
    ],
)
def test_longer_notes_go_in_line_by_line_or_whole(space: Space, text: str, made: str | None) -> None:
    space = replace(space, tuning=Tuning(tree_routing="W=values"))
    key = say(space, text)
    retain(space, [key], path="values", actor=PERSON)
    found = page(space, "values")
    if made is None:
        assert found.startswith("# values\n\n## Long word") and "Short." in found
    else:
        assert found == made
    (again,) = retain(space, [key], path="values", actor=PERSON).items
    assert (again.outcome, page(space, "values")) == ("unchanged", found)


def test_who_said_it_is_kept_with_a_note(space: Space) -> None:
    retain(space, [say(space, "I like tea.", speaker="Mara")], path="people", actor=PERSON)
    assert page(space, "people") == "# people\n\n- Mara: I like tea.\n"


def test_a_path_that_is_not_there_is_made_with_the_branches_above_it(space: Space) -> None:
    done = retain(space, [say(space, "Cron runs at three.")], path="technical/cron/nightly", actor=PERSON)
    found = {one.path: one.has_file for one in nodes.every(space.db)}
    assert found == {"technical": False, "technical/cron": False, "technical/cron/nightly": True}
    assert done.run
    undo_run(space, done.run.id, actor=PERSON)
    assert nodes.every(space.db) == ()


def test_a_branch_gets_a_page_and_a_deleted_node_comes_back_empty(space: Space) -> None:
    put(space, "infra", None)
    retain(space, [say(space, "Heron stand in the reeds.")], path="infra", actor=PERSON)
    assert page(space, "infra") == "# infra\n\n- Heron stand in the reeds.\n"
    node = nodes.at(space.db, "infra")
    assert node
    delete(space, [node.id], actor=PERSON)
    retain(space, [say(space, "Cron runs at three.")], path="infra", actor=PERSON)
    again = nodes.at(space.db, "infra")
    assert again and again.id == node.id and again.text == "# infra\n\n- Cron runs at three.\n"


def test_a_rehearsal_writes_nothing_and_says_what_would_be(space: Space) -> None:
    put(space, "queue", "# queue\n\n- The queue is stored in Postgres.\n", "queue")
    before = pages(space), len(runs_of(space.db))
    notes = [a_memory("The queue is stored in MySQL."), a_memory("The queue keeps jobs for a week.")]
    done = rehearse(space, notes, actor=PERSON)
    assert [(one.outcome, one.path, one.conflict) for one in done.items] == [
        ("conflict", "queue", None),
        ("written", "queue", None),
    ]
    keys = [say(space, note.text) for note in notes]
    runs = len(runs_of(space.db))
    assert [one.outcome for one in retain(space, keys, actor=PERSON, dry_run=True).items] == ["conflict", "written"]
    assert (pages(space), len(runs_of(space.db))) == (before[0], runs)
    assert raised(space) == ()


def test_what_cannot_go_in_is_refused_before_anything_is_written(space: Space) -> None:
    node, gone = put(space, "infra", "# infra\n"), say(space, "Cron runs at three.")
    delete(space, [gone], actor=PERSON)
    good = say(space, "Heron stand in the reeds.")
    with pytest.raises(BadInput, match="node of the tree"):
        retain(space, [good, node], path="infra", actor=PERSON)
    with pytest.raises(BadInput, match="deleted"):
        retain(space, [good, gone], path="infra", actor=PERSON)
    with pytest.raises(NotFound):
        retain(space, [good, "0" * 16], path="infra", actor=PERSON)
    with pytest.raises(BadInput):
        retain(space, [good], path="../up", actor=PERSON)
    with pytest.raises(TooLarge):
        retain(space, [good] + [f"{n:016x}" for n in range(1_000)], path="infra", actor=PERSON)
    assert page(space, "infra") == "# infra\n"


def test_many_at_once_into_one_node_are_all_there(space: Space) -> None:
    said = ("Reeds grow tall.", "Cron runs at three.", "Tea is green.", "Restic copies.", "Mina sings.", "Boats leak.")
    keys = [say(space, text) for text in said]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda key: retain(space, [key], path="herons", actor=AGENT), keys))
    assert page(space, "herons").count("\n- ") == len(keys)
    node = nodes.at(space.db, "herons")
    assert node and {line.memory for line in node.lines} == set(keys)


def test_a_digest_goes_in_as_well(space: Space) -> None:
    key = say(space, "Kept to be read.")
    assert memories.get(space.db, key).kind is Kind.NOTE
    assert retain(space, [key], path="digests", actor=PERSON).items[0].outcome == "written"


def test_a_digest_contradicts_no_line(space: Space) -> None:
    retain(space, [say(space, "The queue is stored in Postgres.")], path="infra/queue", actor=PERSON)
    digest = a_memory("The queue is stored in MySQL.", kind=Kind.DIGEST)
    commit(space.db, new_run("consolidate", PERSON, now=space.clock()), Batch(created=[digest]), now=space.clock())
    assert retain(space, [digest.id], path="infra/queue", actor=PERSON).items[0].outcome == "written"
    assert raised(space) == ()
