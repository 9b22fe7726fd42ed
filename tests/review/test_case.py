"""What a person is shown of a conflict: both sides, why trust speaks for one, precedents, what a decision changes."""

from __future__ import annotations

import pytest

from memoryapp import review
from memoryapp.domain.change import Run
from memoryapp.domain.conflict import Conflict, Outcome
from memoryapp.domain.errors import NotFound
from memoryapp.domain.memory import Kind, Origin, State
from memoryapp.domain.turn import ReadingStatus, Turn
from memoryapp.spaces import Space
from memoryapp.store import turns
from memoryapp.store.write import Batch, commit, new_run
from tests.review.pairs import BUSAN, DAEGU, SEOUL, facts, now_of, raised, recalled
from tests.samples import AGENT, NOON, PERSON, a_memory, written


def a_run() -> Run:
    return new_run("remember", AGENT, now=NOON)


def test_a_case_shows_both_sides_with_their_trust_and_the_turns_they_were_said_in(space: Space) -> None:
    said = turns.append(space.db, "s", [(Turn("a" * 16, "s", 1, "I moved to Busan.", NOON), ReadingStatus.DONE)])
    (old,) = facts(space, SEOUL, confidence=0.9)
    (new,) = facts(space, BUSAN, confidence=0.5, origin=Origin(session="s", turn=said[0].id))
    case = review.case(space, raised(space, old, new).id)
    assert (case.existing, case.incoming) == (old, new)
    assert case.incoming_trust is not None
    assert case.existing_trust.value == pytest.approx(0.9, abs=0.01)
    assert case.incoming_trust.value == pytest.approx(0.5, abs=0.01)
    assert (case.existing_turn, case.incoming_turn) == (None, said[0])
    assert case.gate is not None and "0.90 against 0.50: more than 1.5 times" in case.gate
    with pytest.raises(NotFound):
        review.case(space, "0" * 16)


def test_the_gate_is_silent_where_trust_is_alike(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    assert review.case(space, raised(space, old, new).id).gate is None


def test_a_source_under_an_edit_is_a_case_with_one_side(space: Space) -> None:
    (memory,) = written(space.db, a_memory("Backups run at three."))
    conflict = Conflict("b" * 16, memory.id, "edited source", "It says more.", NOON, incoming_text="At two.")
    commit(space.db, a_run(), Batch(conflicts=[conflict]), now=NOON)
    case = review.case(space, conflict.id)
    assert (case.incoming, case.incoming_trust, case.gate, case.incoming_turn) == (None, None, None, None)
    assert "new text" in review.impact(space, conflict.id, Outcome.REPLACE).lines[0]
    assert "does not fit" in review.impact(space, conflict.id, Outcome.BOTH).lines[0]


def test_precedents_count_how_people_decided_of_the_same_attribute(space: Space) -> None:
    for n, outcome in enumerate([Outcome.REPLACE, Outcome.REPLACE, Outcome.REPLACE, Outcome.KEEP]):
        pair = facts(space, f"P{n} lives in Seoul.", f"P{n} lives in Busan.")
        review.decide(space, raised(space, *pair).id, outcome, actor=PERSON)
    asked = raised(space, *facts(space, SEOUL, BUSAN))
    first, second = review.case(space, asked.id).precedents
    assert (first.basis, first.outcome, first.times, first.of) == ("attribute", Outcome.REPLACE, 3, 4)
    assert first.sentence == "3 of 4 times that “lives in” was in question, a newer statement replaced the older."
    assert (second.outcome, second.times, len(second.conflicts)) == (Outcome.KEEP, 1, 1)


def test_precedents_tell_of_the_same_subject_where_another_attribute_was_in_question(space: Space) -> None:
    jobs = facts(space, "Minsu works at Naver.", "Minsu works at Kakao.")
    earlier = raised(space, *jobs, attribute="works at")
    review.decide(space, earlier.id, Outcome.KEEP, actor=PERSON)
    asked = raised(space, *facts(space, SEOUL, BUSAN))
    (precedent,) = review.case(space, asked.id).precedents
    assert (precedent.basis, precedent.about, precedent.conflicts) == ("subject", "minsu", (earlier.id,))


def test_what_was_undone_is_no_precedent(space: Space) -> None:
    earlier = raised(space, *facts(space, SEOUL, BUSAN))
    review.decide(space, earlier.id, Outcome.KEEP, actor=PERSON)
    review.undo_decision(space, earlier.id, actor=PERSON)
    assert review.case(space, raised(space, *facts(space, SEOUL, DAEGU)).id).precedents == ()


def test_the_impact_names_what_leaves_search_what_is_derived_and_what_closes(space: Space) -> None:
    old, new, third = facts(space, SEOUL, BUSAN, DAEGU)
    conflict, other = raised(space, old, new), raised(space, old, third)
    summary, episode = a_memory("He is in Seoul.", kind=Kind.SUMMARY), a_memory("They met.", kind=Kind.EPISODE)
    written(space.db, summary, episode, derived=[(summary.id, old.id), (episode.id, old.id)])
    told = review.impact(space, conflict.id, Outcome.REPLACE)
    assert [memory.id for memory in told.leaves] == [old.id]
    assert {memory.id for memory in told.derived} == {summary.id, episode.id}
    assert told.closes == (other.id,)
    words = " ".join(told.lines)
    for part in ("“Minsu lives in Seoul.” leaves search", "superseded, valid until 2026-03-01", "1 summary",
                 "1 episode", "1 other waiting conflict"):  # fmt: skip
        assert part in words
    assert now_of(space, old).state is State.HELD, "nothing is written"
    assert recalled(space, "Minsu lives") == {SEOUL, BUSAN, DAEGU}


@pytest.mark.parametrize("outcome", [*Outcome])
def test_what_the_impact_says_is_what_the_decision_does(space: Space, outcome: Outcome) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    told = review.impact(space, conflict.id, outcome, text="Minsu lives by the sea.")
    review.decide(space, conflict.id, outcome, actor=PERSON, text="Minsu lives by the sea.")
    assert {m.id: m.state for m in (*told.leaves, *told.stays)} == {
        m.id: now_of(space, m).state for m in (old, new)
    }  # fmt: skip
    assert recalled(space, "Minsu lives") == {memory.text for memory in told.stays}
    assert len(told.lines) == 2


@pytest.mark.parametrize(
    ("held", "incoming", "suggested"),
    [
        ("Minsu lives in Seoul", "Minsu lives in Busan.", "Minsu lives in Seoul. Minsu lives in Busan."),
        ("Minsu lives in Seoul.", "Minsu lives in Seoul, by the river.", "Minsu lives in Seoul, by the river."),
        ("A. B is so.", "b is so!", "A. B is so."),
        ("서울에 산다.", "부산에 산다.", "서울에 산다. 부산에 산다."),
        (
            "Mina lives in Seoul and Mina works at Hangang Labs as the operations lead.",
            "Mina moved to Busan last weekend.",
            "Mina moved to Busan last weekend. Mina works at Hangang Labs as the operations lead.",
        ),
        (
            "Leo codes in Go, and his dog is old.",
            "Leo has moved to Lima.",
            "Leo codes in Go, and his dog is old. Leo has moved to Lima.",
        ),
        ("It is so. It was seen.", "It is so. It was heard.", "It is so. It was seen. It was heard."),
    ],
)
def test_a_merge_is_begun_with_all_that_both_say_and_nothing_twice(held: str, incoming: str, suggested: str) -> None:
    assert review.suggest_merge(a_memory(held), a_memory(incoming)) == suggested
