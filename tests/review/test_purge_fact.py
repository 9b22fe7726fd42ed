"""A purged fact leaves no trace: no arm, list, turn, reading, revision, conflict, episode, summary, context, backup."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest

from memoryapp import review
from memoryapp.context import prompt_context
from memoryapp.domain.conflict import Conflict, Outcome
from memoryapp.domain.filters import Filters
from memoryapp.domain.memory import Kind, Memory, Origin, State
from memoryapp.domain.redaction import MARK
from memoryapp.domain.remembering import NewMemory
from memoryapp.domain.results import Query
from memoryapp.domain.strategies import STRATEGIES
from memoryapp.domain.turn import LearnedFact, NewTurn, Reading, ReadingStatus, Turn
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.integrity import check
from memoryapp.remember import append_turns, read_again, read_turns, remember
from memoryapp.search import search
from memoryapp.search.browse import browse
from memoryapp.spaces import Space
from memoryapp.store import memories, revisions, sessions, turns
from memoryapp.store.backup import backup
from memoryapp.store.sessions import Session
from memoryapp.store.write import Batch, commit, new_run
from memoryapp.summaries import narrate_session, refresh_summaries
from tests.review.pairs import facts, raised
from tests.samples import AGENT, NOON, PERSON, HandClock, a_memory, a_space, written
from tests.store.test_purge import dumped

SAID = [
    "I live in Busan near the harbour.",
    "We decided to deploy the payment service on Friday.",
    "I'm allergic to quetzal feathers. My sister works at the harbour museum.",
    "I love hiking in the mountains every weekend.",
]
SECRET = "quetzal"


@pytest.fixture
def space() -> Iterator[Space]:
    with a_space(clock=HandClock()) as opened:
        yield opened


def everywhere(space: Space, path: Path) -> str:
    """All the words that anybody could get out of the space, in one string, in small letters."""
    told = [dumped(space.db)]
    for strategy in STRATEGIES:
        for query in (SECRET, "allergic feathers", "what happened", "harbour"):
            every = Filters(states=(State.HELD, State.SUPERSEDED, State.ARCHIVED), kinds=tuple(Kind))
            told.append(repr(search(space, Query(query, strategy=strategy, top_k=100, filters=every)).hits))
    for state in State:
        told.append(repr(browse(space, Filters(states=(state,)), limit=500).memories))
    told.append(repr(revisions.page(space.db, limit=1_000)))
    told += [repr(review.queue(space, tab=tab, limit=500)) for tab in ("waiting", "automatic", "decided", "snoozed")]
    told.append(prompt_context(space, "What am I allergic to?").text)
    for memory in memories.scan(space.db):
        told.append(repr(review.history(space, memory.id)))
    backup(space.db, path)
    told.append(gzip.decompress(path.read_bytes()).decode())
    space.index.refresh()
    told.append(repr(space.index.view().phrases.keys) + repr(space.index.roster.names))
    return "\n".join(told).casefold()


def assert_gone(told: str) -> None:
    at = told.find(SECRET)
    assert at < 0, told[max(at - 300, 0) : at + 100]


def learned(space: Space) -> Memory:
    """A session that was read, told and summed up; the fact in it that is to be forgotten."""
    sessions.open_session(space.db, Session("s", NOON))
    append_turns(space, "s", [NewTurn(text, speaker="Minsu") for text in SAID], actor=AGENT)
    read_turns(space, reader=reader_of("rules", model=None, worth=1.0), actor=AGENT)
    sessions.end(space.db, "s", at=NOON + timedelta(hours=1))
    assert narrate_session(space, "s", model=None, actor=AGENT, force=True) is not None
    assert refresh_summaries(space, model=None, actor=AGENT, force=True)
    (fact,) = (m for m in memories.scan(space.db) if m.kind is Kind.FACT and SECRET in m.text.casefold())
    return fact


def test_a_fact_from_a_conversation_is_gone_from_everything_written_of_it(space: Space, tmp_path: Path) -> None:
    fact = learned(space)
    (other,) = facts(space, "Minsu is allergic to nothing at all.")
    conflict = raised(space, fact, other, attribute="allergic to")
    review.propose(space, conflict.id, Outcome.MERGE, actor=AGENT, text="Allergic to quetzal feathers, he says.")
    review.decide(space, conflict.id, Outcome.REPLACE, actor=PERSON, reason="quetzal feathers, really?")
    review.edit(space, fact.id, {"tags": [SECRET]}, actor=PERSON, reason="It is about the quetzal.")
    before = everywhere(space, tmp_path / "before.gz")
    assert SECRET in before
    preview = review.preview_purge(space, fact.id, actor=PERSON)
    assert {kind for _, kind in preview.also} == {"episode", "summary"}
    receipt = review.purge(space, fact.id, actor=PERSON, reason="Forget that he is allergic to quetzal feathers.")
    assert receipt.complete, receipt.left
    assert receipt.also == preview.also
    assert {name: receipt.removed[name] for name in preview.removed} == preview.removed
    assert SECRET not in repr(receipt)
    after = everywhere(space, tmp_path / "after.gz")
    assert_gone(after)
    assert memories.get(space.db, other.id).state is State.HELD
    assert "harbour museum" in after, "what else was said in the same turn is still there"
    assert "payment service" in after
    assert [one.name for one in sessions.untold(space.db)] == ["s"], "its episode is to be written anew"
    narrate_session(space, "s", model=None, actor=AGENT, force=True)
    refresh_summaries(space, model=None, actor=AGENT, force=True)
    again = everywhere(space, tmp_path / "again.gz")
    assert_gone(again)
    assert {Kind.EPISODE, Kind.SUMMARY} <= {memory.kind for memory in memories.scan(space.db)}


def test_reading_the_turn_again_does_not_bring_it_back(space: Space) -> None:
    fact = learned(space)
    review.purge(space, fact.id, actor=PERSON)
    read_again(space, [turn.id for turn in turns.of_session(space.db, "s")])
    read_turns(space, reader=reader_of("rules", model=None, worth=1.0), actor=AGENT)
    told = [memory for memory in memories.scan(space.db) if "allergic" in memory.text or MARK in memory.text]
    assert [(one.kind, one.text) for one in told] == [(Kind.TURN, "[purged]. My sister works at the harbour museum.")]


@dataclass(frozen=True)
class Said:
    fact: Memory
    sibling: Memory
    turns: tuple[Turn, ...]


def quoted(space: Space) -> Said:
    """One sentence that gave two facts, said again in other words in another session, and repeated by somebody."""
    texts = {"s": ["Hello there. I keep a quetzal and a heron at home."], "t": ["My quetzal at home I keep happy.",
             "So you say: I KEEP a  quetzal and a heron at home!"]}  # fmt: skip
    made = []
    for session, lines in texts.items():
        new = [(Turn(f"{session}{n:015}", session, 0, text, NOON), ReadingStatus.DONE) for n, text in enumerate(lines)]
        made += turns.append(space.db, session, new)
    quote = "I keep a quetzal and a heron at home."
    origin = Origin(session="s", turn=made[0].id)
    fact = a_memory("Minsu keeps a quetzal at home.", kind=Kind.FACT, origin=origin, detail={"quote": quote},
                    sessions=("s", "t"))  # fmt: skip
    sibling = a_memory("Minsu keeps a heron.", kind=Kind.FACT, origin=origin, detail={"quote": quote, "when": "now"})
    both = LearnedFact(fact.id, "written"), LearnedFact(sibling.id, "written")
    readings = [
        Reading(made[0].id, "s", ReadingStatus.DONE, learned=both),
        Reading(made[1].id, "t", ReadingStatus.DONE, learned=(LearnedFact(fact.id, "reinforced"),)),
    ]
    written(space.db, fact, sibling, readings=readings)
    return Said(fact, sibling, tuple(made))


def test_its_words_leave_the_turns_it_was_said_and_repeated_in_and_other_facts_keep_theirs(space: Space) -> None:
    said = quoted(space)
    receipt = review.purge(space, said.fact.id, actor=PERSON)
    assert (receipt.complete, receipt.removed["turns"]) == (True, 3)
    first, again, repeated = turns.get_many(space.db, [turn.id for turn in said.turns]).values()
    assert first.text == "Hello there. [purged]."
    assert again.text == "[purged]"
    assert SECRET not in repeated.text and "So you say" in repeated.text
    assert SECRET not in dumped(space.db)
    assert memories.get(space.db, said.sibling.id).detail["when"] == "now"
    assert turns.readings(space.db, [first.id])[first.id].learned == (LearnedFact(said.sibling.id, "written"),)


def test_reasons_of_other_conflicts_and_earlier_words_lose_it_too(space: Space) -> None:
    (fact, a, b) = facts(space, "Minsu keeps a quetzal at home.", "Minsu likes birds.", "Minsu dislikes birds.")
    review.edit(space, fact.id, {"text": "Minsu keeps two quetzals in the garden."}, actor=PERSON)
    beside = Conflict("c" * 16, a.id, "llm", "He keeps a bird: “Minsu keeps a quetzal at home.”", NOON, incoming=b.id)
    commit(space.db, new_run("x", AGENT, now=NOON), Batch(conflicts=[beside]), now=NOON)
    merged = raised(space, a, fact, attribute="keeps")
    review.decide(
        space, merged.id, Outcome.MERGE, actor=PERSON, text="Minsu keeps two quetzals in the garden; likes birds."
    )
    review.edit(space, a.id, {"text": "Minsu likes birds."}, actor=PERSON)
    receipt = review.purge(space, fact.id, actor=PERSON)
    assert receipt.complete
    assert SECRET not in dumped(space.db)
    assert [m.id for m in memories.scan(space.db) if m.state is State.HELD] == sorted([a.id, b.id])


def test_a_memory_that_says_the_same_by_itself_is_named_and_left(space: Space) -> None:
    (fact,) = facts(space, "Minsu keeps a quetzal at home.")
    (note,) = written(space.db, a_memory("Diary: Minsu keeps a quetzal at home. Nice."))
    preview = review.preview_purge(space, fact.id, actor=PERSON)
    assert preview.said_by == (note.id,)
    assert review.purge(space, fact.id, actor=PERSON).said_by == (note.id,)
    assert memories.find(space.db, note.id) is not None


def test_a_memory_that_came_to_say_the_same_keeps_its_history(space: Space) -> None:
    """Its layers follow on one another as before, and what it said in between it can say again."""
    (fact, other) = facts(space, "Minsu keeps a quetzal at home.", "Minsu keeps a heron at home.")
    review.edit(space, other.id, {"text": "Minsu keeps a quetzal at home."}, actor=PERSON)
    raised(space, fact, other, attribute="keeps")
    assert review.purge(space, fact.id, actor=PERSON).said_by == (other.id,)
    review.edit(space, other.id, {"text": "Minsu keeps nothing."}, actor=PERSON)
    assert [layer.text for layer in review.history(space, other.id)] == [
        "Minsu keeps nothing.", "Minsu keeps a quetzal at home.", "Minsu keeps a heron at home."
    ]  # fmt: skip
    assert check(space).broken == ()


def test_every_layer_of_what_was_changed_in_the_same_run_loses_its_words(space: Space) -> None:
    for pet in ("heron", "quetzal"):
        told = (f"Minsu keeps a {pet} at home.", f"A motto: Minsu keeps a {pet} at home.")
        fact, other = remember(space, [NewMemory(text, ref=text[:2]) for text in told], actor=AGENT)
    remember(space, [NewMemory("The motto was taken down.", ref="A ")], actor=AGENT)
    assert memories.get(space.db, other.id).text == "The motto was taken down."
    assert review.purge(space, fact.id, actor=PERSON).complete
    assert SECRET not in dumped(space.db)
    assert check(space).broken == ()


def test_a_dry_run_changes_nothing(space: Space) -> None:
    said = quoted(space)
    before = dumped(space.db)
    review.preview_purge(space, said.fact.id, actor=PERSON)
    assert dumped(space.db) == before


def test_what_it_had_superseded_stays_without_the_edge(space: Space) -> None:
    old, new = facts(space, "Minsu lives in Seoul.", "Minsu lives in Busan.")
    review.decide(space, raised(space, old, new).id, Outcome.REPLACE, actor=PERSON)
    assert review.purge(space, new.id, actor=PERSON).complete
    assert memories.get(space.db, old.id).state is State.SUPERSEDED
    assert space.db.query("SELECT * FROM supersedes")[0] == []
    review.hold(space, [old.id], actor=PERSON)
    assert memories.get(space.db, old.id).state is State.HELD


def test_a_decision_about_a_purged_memory_is_undone_without_it(space: Space) -> None:
    pairs = [facts(space, f"P{n} lives in Seoul.", f"P{n} lives in Busan.") for n in range(2)]
    made = [raised(space, *pair) for pair in pairs]
    done = review.decide_many(space, [c.id for c in made], outcome=Outcome.REPLACE, actor=PERSON)
    review.purge(space, pairs[0][1].id, actor=PERSON)
    assert done.run is not None
    undone = review.undo_run(space, done.run.id, actor=PERSON)
    assert undone.taken_back >= 3
    assert memories.get(space.db, pairs[1][0].id).state is State.HELD


def test_a_digest_that_took_nothing_of_it_is_left(space: Space) -> None:
    section = a_memory("The heron stands in the reeds all day. The quetzal sleeps in its tree.", kind=Kind.SECTION)
    taken = a_memory("Digest: The quetzal sleeps in its tree.", kind=Kind.DIGEST)
    left = a_memory("Digest: The otter swims.", kind=Kind.DIGEST)
    written(space.db, section, taken, left, derived=[(taken.id, section.id), (left.id, section.id)])
    receipt = review.purge(space, section.id, actor=PERSON)
    assert receipt.also == ((taken.id, "digest"),)
    assert [m.id for m in memories.scan(space.db)] == [left.id]
    assert replace(left, version=1) == memories.get(space.db, left.id)
