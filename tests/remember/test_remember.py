from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp.domain.errors import BadInput, TooLarge
from memoryapp.domain.filters import Filters
from memoryapp.domain.limits import LIMITS
from memoryapp.domain.memory import Category, Kind, State
from memoryapp.domain.remembering import Became, NewMemory
from memoryapp.remember import remember
from memoryapp.review import archive, delete, edit
from memoryapp.spaces import Space, open_space
from memoryapp.store import conflicts, embeddings, entities, memories, revisions
from tests.samples import AGENT, PERSON, HandClock, open_spaces, runs_of
from tests.sampling import examples


def say(space: Space, *items: NewMemory | str, **more: Any) -> list[tuple[str, str]]:
    """[(id, outcome)]"""
    made = [NewMemory(item, **more) if isinstance(item, str) else item for item in items]
    return [(one.id, one.outcome.value) for one in remember(space, made, actor=AGENT)]


def outcomes(space: Space, *items: NewMemory | str, **more: Any) -> list[str]:
    return [outcome for _, outcome in say(space, *items, **more)]


def test_a_note_is_written_embedded_and_told(space: Space) -> None:
    ((key, outcome),) = say(space, NewMemory("The heron left.", tags=("bird",), ref="n1", category=Category.OTHER))
    memory = memories.get(space.db, key)
    assert outcome == "written"
    assert (memory.text, memory.tags, memory.ref, memory.kind) == ("The heron left.", ("bird",), "n1", Kind.NOTE)
    assert embeddings.missing(space.db, "hashing") == []
    (revision,) = revisions.of_record(space.db, key)
    assert (revision.act, revision.actor) == ("create", AGENT)


def test_what_was_written_is_in_the_index_at_the_next_look(space: Space) -> None:
    ((key, _),) = say(space, "The heron left.")
    space.index.refresh()
    roster = space.index.roster
    assert roster.ids[roster.slot_of[key]] == key
    assert roster.mask(Filters(), now=space.clock())[roster.slot_of[key]]


def test_the_same_words_again_confirm_the_memory(space: Space, clock: HandClock) -> None:
    ((key, _),) = say(space, "Mara likes tea.", kind=Kind.FACT)
    clock.move(days=3)
    assert say(space, "Mara likes tea.", kind=Kind.FACT) == [(key, "reinforced")]
    memory = memories.get(space.db, key)
    assert memory.reinforcements == 1
    assert memory.last_confirmed - memory.created_at > timedelta(days=2)


def test_the_same_words_of_another_speaker_or_kind_are_another_memory(space: Space) -> None:
    first = say(space, "I like tea.", speaker="Mara")[0][0]
    assert say(space, "I like tea.", speaker="Odo")[0] != (first, "reinforced")
    assert outcomes(space, "I like tea.", speaker="Mara", kind=Kind.FACT) == ["written"]
    assert outcomes(space, "I like tea.", speaker="Mara") == ["reinforced"]


def test_a_repeat_within_a_batch_confirms_the_first(space: Space) -> None:
    told = say(space, "One", "Two", "One", "One")
    assert [outcome for _, outcome in told] == ["written", "written", "reinforced", "reinforced"]
    assert told[0][0] == told[2][0] == told[3][0]
    assert memories.get(space.db, told[0][0]).reinforcements == 0, "the same hand on the same day"
    assert isinstance(space.clock, HandClock)
    space.clock.move(days=1)
    assert outcomes(space, "One", "One") == ["reinforced"] * 2
    assert memories.get(space.db, told[0][0]).reinforcements == 1
    space.clock.move(days=1)
    assert outcomes(space, "One") == ["reinforced"]
    assert memories.get(space.db, told[0][0]).reinforcements == 2


def test_turns_of_a_session_are_events_and_keep_their_order(space: Space) -> None:
    told = say(space, "Yes.", "No.", "Yes.", session="morning")
    assert [outcome for _, outcome in told] == ["written"] * 3
    group = memories.of_group(space.db, "session:morning")
    assert [memory.id for memory in group] == [key for key, _ in told]
    later = NewMemory("Earlier.", session="morning", occurred_at=datetime(2020, 1, 1, tzinfo=UTC))
    ((key, _),) = say(space, later)
    assert memories.of_group(space.db, "session:morning")[0].id == key


def test_the_same_ref_again_is_the_same_memory(space: Space) -> None:
    ((key, _),) = say(space, NewMemory("Version one", ref="r", tags=("mine",), session="s"))
    position = memories.get(space.db, key).position
    assert say(space, NewMemory("Version one", ref="r", session="s")) == [(key, "unchanged")]
    assert say(space, NewMemory("Version two", ref="r", session="s")) == [(key, "written")]
    memory = memories.get(space.db, key)
    assert (memory.text, memory.version, memory.tags, memory.position) == ("Version two", 2, ("mine",), position)
    assert say(space, NewMemory("Version two", ref="r")) == [(key, "unchanged")]


def test_new_words_under_a_persons_edit_are_a_conflict_and_never_overwrite_it(space: Space) -> None:
    ((key, _),) = say(space, NewMemory("Version one", ref="r"))
    edit(space, key, {"text": "A person's words"}, actor=PERSON)
    assert say(space, NewMemory("Version one", ref="r")) == [(key, "unchanged")]
    for _ in range(2):
        assert say(space, NewMemory("Version two", ref="r")) == [(key, "conflict")]
    assert memories.get(space.db, key).text == "A person's words"
    (waiting,) = conflicts.page(space.db)
    assert (waiting.existing, waiting.incoming_text) == (key, "Version two")


def test_words_that_were_edited_away_are_not_confirmed_by_saying_them_again(space: Space) -> None:
    ((key, _),) = say(space, "Mara lives in Ghent.", kind=Kind.FACT)
    edit(space, key, {"text": "Mara lives in Oslo."}, actor=PERSON)
    assert outcomes(space, "Mara lives in Ghent.", kind=Kind.FACT) == ["conflict"]
    assert say(space, "Mara lives in Oslo.", kind=Kind.FACT) == [(key, "reinforced")]


def test_what_was_put_aside_is_not_confirmed_but_written_anew(space: Space) -> None:
    ((key, _),) = say(space, "Old words")
    archive(space, [key], actor=PERSON)
    ((again, outcome),) = say(space, "Old words")
    assert (outcome, again != key) == ("written", True)
    delete(space, [again], actor=PERSON)
    assert outcomes(space, "Old words") == ["written"]
    assert memories.get(space.db, key).state is State.ARCHIVED


def test_a_batch_with_one_bad_item_writes_nothing_and_points_at_it(space: Space) -> None:
    for bad, field in (
        (NewMemory(" \x00 "), "/items/1/text"),
        (NewMemory("x", confidence=1.2), "/items/1/confidence"),
        (NewMemory("x", confidence=float("nan")), "/items/1/confidence"),
        (NewMemory("x", kind=Kind.FACT, confidence=0.49), "/items/1/confidence"),
        (NewMemory("x", kind=Kind.SECTION), "/items/1/kind"),
        (NewMemory("x", tags=("t" * 200,)), "/items/1/tags"),
        (NewMemory("x", valid_from=datetime(2026, 1, 2), valid_to=datetime(2026, 1, 1)), "/items/1/valid_to"),
        (NewMemory("x", ref="twice"), "/items/1/ref"),
    ):
        with pytest.raises(BadInput) as refused:
            say(space, NewMemory("Good", ref="twice"), bad)
        assert refused.value.field == field
    with pytest.raises(TooLarge):
        say(space, *["x"] * (LIMITS.batch_items + 1))
    assert tuple(memories.scan(space.db)) == ()


def test_a_fact_is_remembered_from_a_confidence_of_a_half_on_and_a_note_from_none(space: Space) -> None:
    assert outcomes(space, NewMemory("Mina may move.", kind=Kind.FACT, confidence=0.5)) == ["written"]
    assert outcomes(space, NewMemory("Mina may stay.", confidence=0.1)) == ["written"]


def test_control_characters_go_and_the_rest_comes_back(space: Space) -> None:
    ((key, _),) = say(space, NewMemory("a\x00b\r\nc 🙂 가치관\ud800", title=" two\nlines ", speaker="\x07", ref=" r "))
    memory = memories.get(space.db, key)
    assert (memory.text, memory.title, memory.speaker, memory.ref) == ("ab\nc 🙂 가치관", "two lines", None, "r")


def test_names_become_entities_when_they_are_met_a_second_time(space: Space) -> None:
    say(space, "We keep it in [[SurrealDB]].")
    assert [e.state.value for e in entities.scan(space.db) if e.normal == "surrealdb"] == ["proposed"]
    ((key, _),) = say(space, "And [[SurrealDB]] again.")
    (known,) = [e for e in entities.scan(space.db) if e.normal == "surrealdb"]
    assert known.state.value == "known"
    assert known.id in {edge.entity for edge in entities.references_of(space.db, [key])[key]}


def test_an_empty_batch_is_no_act(space: Space) -> None:
    assert remember(space, [], actor=AGENT) == ()
    assert runs_of(space.db) == ()


@pytest.fixture
def kept(tmp_path: Path) -> Any:
    with open_spaces(f"surrealkv://{tmp_path}"):
        space = open_space("reeds")
        space.encoder.get(30)
        yield space


def test_eight_agents_that_say_the_same_thing_at_once_make_one_memory(kept: Space) -> None:
    facts = [f"Mara likes {what}." for what in ["tea", "herons", "reeds", "rain", "boats", "maps"]]

    def speak(agent: int) -> Counter[str]:
        return Counter(
            outcome for fact in facts for outcome in outcomes(kept, fact, kind=Kind.FACT, session=f"s{agent}")
        )

    with ThreadPoolExecutor(8) as pool:
        told = sum(pool.map(speak, range(8)), Counter())
    found = tuple(memories.scan(kept.db))
    assert told == {"written": 6, "reinforced": 42}
    assert sorted(memory.text for memory in found) == sorted(facts)
    assert [memory.reinforcements for memory in found] == [7] * 6


def test_eight_agents_with_the_same_ref_make_one_memory(kept: Space) -> None:
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda n: say(kept, NewMemory(f"Words {n % 2}", ref="same"))[0], range(24)))
    assert len({key for key, _ in told}) == 1
    assert len(tuple(memories.scan(kept.db))) == 1


def test_a_ref_that_another_process_takes_in_between_is_found_at_the_second_try(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memoryapp.remember import pipeline

    match, calls = pipeline.match, []

    def match_then_lose(db: Any, items: Any, *, now: datetime, **more: Any) -> Any:
        found = match(db, items, now=now, **more)
        if not calls:
            calls.append(1)
            other = pipeline.gather(space, match(db, items, now=now), [], now=now)
            pipeline.commit(db, pipeline.new_run("remember", AGENT, now=now), other, now=now)
        return found

    monkeypatch.setattr(pipeline, "match", match_then_lose)
    assert outcomes(space, NewMemory("Words", ref="r")) == ["unchanged"]
    assert len(tuple(memories.scan(space.db))) == 1


items = st.builds(
    NewMemory,
    text=st.sampled_from(["One", "Two", "Three"])
    | st.text(min_size=1).filter(lambda t: t.strip("\x00 \n").isprintable()),
    ref=st.none() | st.sampled_from(["a", "b"]),
    session=st.none() | st.just("s"),
    kind=st.sampled_from([Kind.NOTE, Kind.FACT]),
    speaker=st.none() | st.just("Mara"),
)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(items, max_size=5, unique_by=lambda i: i.ref or id(i)), max_size=4))
def test_every_answer_is_true_of_the_store(space: Space, batches: list[list[NewMemory]]) -> None:
    for batch in batches:
        try:
            told = remember(space, [replace(item) for item in batch], actor=AGENT)
        except BadInput:
            continue
        assert len(told) == len(batch)
        found = memories.get_many(space.db, [one.id for one in told])
        for item, one in zip(batch, told, strict=True):
            memory = found[one.id]
            assert one.ref == item.ref
            if item.kind is Kind.FACT and one.outcome is Became.REINFORCED:
                continue  # what it confirms may say it in other words, and have a ref
            assert memory.ref == item.ref
            if one.outcome is not Became.CONFLICT:
                assert memory.text == item.text.replace("\r\n", "\n").strip() or one.outcome is Became.WRITTEN
        assert not embeddings.missing(space.db, "hashing")
    for memory in memories.scan(space.db):
        assert len(revisions.of_record(space.db, memory.id)) == memory.version
