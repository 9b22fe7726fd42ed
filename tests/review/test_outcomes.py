"""Two memories that cannot both hold: every outcome, at once in search, and taken back with one click."""

from __future__ import annotations

import importlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryapp import review, spaces
from memoryapp.domain.conflict import ConflictStatus, Outcome, Scope
from memoryapp.domain.errors import BadInput, Clash, NotFound
from memoryapp.domain.memory import Memory, State
from memoryapp.spaces import Space
from memoryapp.store import conflicts, revisions
from tests.review.pairs import BUSAN, DAEGU, SEOUL, conflict_now, edges, facts, now_of, raised, recalled
from tests.samples import AGENT, NOON, PERSON, open_spaces, runs_of
from tests.sampling import examples

MERGED = "Minsu lives in Busan and works in Seoul."


def bare(memory: Memory) -> Memory:
    return replace(memory, version=0, updated_at=NOON)


def test_replacing_takes_the_older_out_of_search_at_once_and_undoing_brings_it_back(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    assert recalled(space, "where does Minsu live") == {SEOUL, BUSAN}
    decided, done = review.decide(space, conflict.id, Outcome.REPLACE, actor=PERSON, reason="he moved")
    assert decided.status is ConflictStatus.DECIDED
    assert decided.decision is not None
    assert {name: decided.decision[name] for name in ("outcome", "by", "by_kind", "reason", "run")} == {
        "outcome": "replace", "by": "mara", "by_kind": "person", "reason": "he moved", "run": done.run.id,
    }  # fmt: skip
    assert recalled(space, "where does Minsu live") == {BUSAN}
    assert (now_of(space, old).state, now_of(space, old).valid_to) == (State.SUPERSEDED, new.created_at)
    assert edges(space) == {(new.id, old.id)}
    back = review.undo_decision(space, conflict.id, actor=PERSON)
    assert (back.status, back.decision, back.decided_at) == (ConflictStatus.WAITING, None, None)
    assert recalled(space, "where does Minsu live") == {SEOUL, BUSAN}
    assert edges(space) == set()


def test_keeping_puts_the_incoming_one_aside(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    review.decide(space, raised(space, old, new).id, Outcome.KEEP, actor=PERSON)
    assert (now_of(space, old).state, now_of(space, new).state) == (State.HELD, State.SUPERSEDED)
    assert edges(space) == {(old.id, new.id)}


def test_both_hold_in_the_scope_that_is_stated(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    scope = Scope("#term time", "holidays", NOON + timedelta(days=1))
    review.decide(space, raised(space, old, new).id, Outcome.BOTH, actor=PERSON, scope=scope)
    assert recalled(space, "where does Minsu live") == {SEOUL, BUSAN}
    assert (now_of(space, old).tags, now_of(space, new).tags) == (("term time",), ("holidays",))
    assert now_of(space, old).valid_to == now_of(space, new).valid_from == NOON + timedelta(days=1)


def test_a_merge_says_the_new_words_is_found_by_them_and_counts_as_confirmed(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN, reinforcements=1)
    conflict = raised(space, old, new)
    with pytest.raises(BadInput, match="text"):
        review.decide(space, conflict.id, Outcome.MERGE, actor=PERSON)
    review.decide(space, conflict.id, Outcome.MERGE, actor=PERSON, text=MERGED)
    merged = now_of(space, old)
    assert (merged.text, merged.reinforcements) == (MERGED, 2)
    assert recalled(space, "works in Seoul") == {MERGED}
    review.undo_decision(space, conflict.id, actor=PERSON)
    assert bare(now_of(space, old)) == bare(old)
    assert recalled(space, "Minsu lives") == {SEOUL, BUSAN}


def test_neither_holds_and_both_can_be_brought_back(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    review.decide(space, conflict.id, Outcome.NEITHER, actor=PERSON)
    assert recalled(space, "where does Minsu live") == set()
    review.undo_decision(space, conflict.id, actor=PERSON)
    assert recalled(space, "where does Minsu live") == {SEOUL, BUSAN}


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([*Outcome]), st.booleans())
def test_undoing_a_decision_leaves_both_sides_as_they_were_and_undoing_that_decides_it_again(
    space: Space, outcome: Outcome, as_a_run: bool
) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    decided, done = review.decide(space, conflict.id, outcome, actor=PERSON, text=MERGED, scope=Scope("a", "b"))
    sides, standing = (bare(now_of(space, old)), bare(now_of(space, new))), edges(space)
    if as_a_run:
        review.undo_run(space, done.run.id, actor=PERSON)
    else:
        review.undo_decision(space, conflict.id, actor=PERSON)
    assert (bare(now_of(space, old)), bare(now_of(space, new))) == (bare(old), bare(new))
    assert replace(conflict_now(space, conflict), version=1) == conflict
    assert (new.id, old.id) not in edges(space) and (old.id, new.id) not in edges(space)
    (undoing,) = [r for r in revisions.of_record(space.db, conflict.id) if r.act == "undo"]
    review.undo_run(space, undoing.run, actor=PERSON)
    assert (bare(now_of(space, old)), bare(now_of(space, new))) == sides
    assert edges(space) == standing
    assert conflict_now(space, conflict).decision == decided.decision


def test_a_confirmation_since_does_not_stand_in_the_way_of_undoing_and_is_kept(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    review.decide(space, conflict.id, Outcome.REPLACE, actor=PERSON)
    review.confirm(space, [new.id], actor=AGENT)
    review.tag(space, [old.id], actor=PERSON, add=["home"])
    review.undo_decision(space, conflict.id, actor=PERSON)
    assert (now_of(space, old).state, now_of(space, old).tags) == (State.HELD, ("home",))
    assert now_of(space, new).reinforcements == 1


def test_words_that_were_changed_since_stop_the_undoing_and_are_named(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    review.decide(space, conflict.id, Outcome.MERGE, actor=PERSON, text=MERGED)
    review.edit(space, old.id, {"text": "Minsu lives in Busan these days."}, actor=PERSON)
    with pytest.raises(Clash, match=f"{old.id} was changed since .its words"):
        review.undo_decision(space, conflict.id, actor=PERSON)
    assert conflict_now(space, conflict).status is ConflictStatus.DECIDED
    assert now_of(space, new).state is State.SUPERSEDED


def test_one_change_of_a_decision_is_undone_with_all_of_it(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    _, done = review.decide(space, conflict.id, Outcome.REPLACE, actor=PERSON)
    for change in revisions.of_run(space.db, done.run.id):
        review.undo_revision(space, change.id, actor=PERSON)
        assert conflict_now(space, conflict).status is ConflictStatus.WAITING
        assert recalled(space, "Minsu lives") == {SEOUL, BUSAN}
        (undoing, *_) = (r for r in reversed(revisions.of_record(space.db, conflict.id)) if r.act == "undo")
        review.undo_run(space, undoing.run, actor=PERSON)


def test_what_was_not_decided_cannot_be_undone_and_what_was_cannot_be_decided_again(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    with pytest.raises(Clash, match="no decision"):
        review.undo_decision(space, conflict.id, actor=PERSON)
    review.decide(space, conflict.id, Outcome.KEEP, actor=PERSON)
    with pytest.raises(Clash, match="decided already, by mara"):
        review.decide(space, conflict.id, Outcome.REPLACE, actor=PERSON)
    with pytest.raises(NotFound):
        review.undo_decision(space, "0" * 16, actor=PERSON)


def test_every_act_on_a_conflict_tells_who_did_what_and_why(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    review.propose(space, conflict.id, Outcome.REPLACE, actor=AGENT, reason="said last")
    review.snooze(space, conflict.id, until=NOON + timedelta(days=1), actor=PERSON)
    review.snooze(space, conflict.id, until=None, actor=PERSON)
    review.decide(space, conflict.id, Outcome.REPLACE, actor=PERSON, reason="he moved")
    review.undo_decision(space, conflict.id, actor=PERSON)
    left = revisions.of_record(space.db, conflict.id)
    assert [(r.record, r.act, r.actor.name) for r in left] == [
        ("conflict", "propose", "heron"), ("conflict", "snooze", "mara"), ("conflict", "wake", "mara"),
        ("conflict", "resolve", "mara"), ("conflict", "undo", "mara"),
    ]  # fmt: skip
    assert left[0].reason == "said last"
    assert (left[3].before["status"], left[3].after["status"], left[3].reason) == ("waiting", "decided", "he moved")
    assert all(revisions.get_run(space.db, r.run).id == r.run for r in left)


@pytest.mark.slow
def test_eight_who_decide_at_once_decide_once(tmp_path: Path) -> None:
    with open_spaces(f"surrealkv://{tmp_path / 'spaces'}"):
        space = spaces.open_space("reeds")
        space.encoder.get(30)
        old, new = facts(space, SEOUL, BUSAN)
        conflict = raised(space, old, new)

        def decide(n: int) -> str:
            try:
                return review.decide(space, conflict.id, [*Outcome][n % 2], actor=PERSON)[0].status.value
            except Clash as clash:
                return "clash" if "already" in clash.detail else clash.detail

        with ThreadPoolExecutor(8) as pool:
            outcomes = sorted(pool.map(decide, range(8)))
        assert outcomes == ["clash"] * 7 + ["decided"]
        assert len([r for r in revisions.of_record(space.db, conflict.id) if r.act == "resolve"]) == 1


def test_a_memory_that_is_confirmed_at_the_same_moment_is_decided_all_the_same(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    conflict = raised(space, old, new)
    deciding = importlib.import_module("memoryapp.review.decide")
    write, met = deciding.commit, []

    def met_once(*args, **kwargs):  # type: ignore[no-untyped-def]
        if not met:
            met.append(review.confirm(space, [old.id], actor=AGENT))
        return write(*args, **kwargs)

    monkeypatch.setattr(deciding, "commit", met_once)
    review.decide(space, conflict.id, Outcome.REPLACE, actor=PERSON)
    assert (now_of(space, old).state, now_of(space, old).reinforcements) == (State.SUPERSEDED, 1)


def test_many_are_decided_in_one_run_and_taken_back_in_one(space: Space) -> None:
    pairs = [facts(space, f"Person {n} lives in Seoul.", f"Person {n} lives in Busan.") for n in range(5)]
    made = [raised(space, old, new) for old, new in pairs]
    asking = raised(space, *facts(space, SEOUL, DAEGU), outcome=Outcome.MERGE)
    done = review.decide_many(
        space, [*(c.id for c in made), asking.id, "0" * 16, made[0].id], outcome=None, actor=PERSON
    )
    assert [c.id for c in done.decided] == [c.id for c in made]
    assert [key for key, _ in done.left] == [asking.id, "0" * 16]
    assert "text" in done.left[0][1]
    assert done.run is not None
    assert (done.run.detail or {})["decided"] == 5
    assert {c.decision["run"] for c in done.decided if c.decision} == {done.run.id}
    review.undo_decision(space, made[0].id, actor=PERSON)
    assert now_of(space, pairs[0][0]).state is State.HELD
    assert now_of(space, pairs[1][0]).state is State.SUPERSEDED
    review.undo_run(space, done.run.id, actor=PERSON)
    assert {conflict_now(space, c).status for c in made} == {ConflictStatus.WAITING}
    assert {now_of(space, side).state for pair in pairs for side in pair} == {State.HELD}
    assert edges(space) == set()


def test_a_run_of_decisions_leaves_the_one_that_was_changed_since_decided_and_names_it(space: Space) -> None:
    (a, b), (c, d) = (facts(space, f"P{n} lives in Seoul.", f"P{n} lives in Busan.") for n in range(2))
    first, second = raised(space, a, b), raised(space, c, d)
    done = review.decide_many(space, [first.id, second.id], outcome=Outcome.REPLACE, actor=PERSON)
    review.archive(space, [a.id], actor=PERSON)
    assert done.run is not None
    undone = review.undo_run(space, done.run.id, actor=PERSON)
    assert [key for key, _ in undone.left] == [first.id]
    assert conflict_now(space, first).status is ConflictStatus.DECIDED
    assert conflict_now(space, second).status is ConflictStatus.WAITING
    assert now_of(space, b).state is State.HELD


def test_nothing_to_decide_leaves_no_run(space: Space) -> None:
    done = review.decide_many(space, ["0" * 16], outcome=Outcome.KEEP, actor=PERSON)
    assert (done.run, done.decided, len(done.left)) == (None, (), 1)
    assert runs_of(space.db) == ()
    with pytest.raises(BadInput):
        review.decide_many(space, [], outcome=None, actor=PERSON)


def test_a_decision_withdraws_what_else_waits_about_the_side_that_goes(space: Space) -> None:
    old, new, third = facts(space, SEOUL, BUSAN, DAEGU)
    first, other, beside = raised(space, old, new), raised(space, old, third), raised(space, new, third)
    _, done = review.decide(space, first.id, Outcome.REPLACE, actor=PERSON)
    assert conflict_now(space, other).status is ConflictStatus.WITHDRAWN
    assert conflict_now(space, beside).status is ConflictStatus.WAITING
    assert (conflict_now(space, other).decision or {})["run"] == done.run.id
    review.undo_decision(space, first.id, actor=PERSON)
    assert conflict_now(space, other).status is ConflictStatus.WAITING
    assert conflicts.count_waiting(space.db) == 3


def test_what_a_merge_or_an_edit_withdrew_waits_again_when_that_is_undone(space: Space) -> None:
    old, new, third = facts(space, SEOUL, BUSAN, DAEGU)
    conflict, other = raised(space, old, new), raised(space, old, third)
    review.decide(space, conflict.id, Outcome.MERGE, actor=PERSON, text="Minsu likes tea.")
    assert conflict_now(space, other).status is ConflictStatus.WITHDRAWN
    review.undo_decision(space, conflict.id, actor=PERSON)
    assert (now_of(space, old).text, conflict_now(space, other).status) == (SEOUL, ConflictStatus.WAITING)
    review.edit(space, old.id, {"text": "Minsu likes tea."}, actor=PERSON)
    assert conflict_now(space, other).status is ConflictStatus.WITHDRAWN
    review.undo_revision(space, revisions.of_record(space.db, old.id)[-1].id, actor=PERSON)
    assert (now_of(space, old).text, conflict_now(space, other).status) == (SEOUL, ConflictStatus.WAITING)


def test_a_superseded_memory_that_a_person_holds_again_has_nothing_in_its_place(space: Space) -> None:
    old, new = facts(space, SEOUL, BUSAN)
    review.decide(space, raised(space, old, new).id, Outcome.REPLACE, actor=PERSON)
    run = review.hold(space, [old.id], actor=PERSON).run
    assert (now_of(space, old).state, now_of(space, old).valid_to) == (State.HELD, None)
    assert edges(space) == set()
    review.undo_run(space, run.id, actor=PERSON)
    assert (now_of(space, old).state, now_of(space, old).valid_to) == (State.SUPERSEDED, new.created_at)
    assert edges(space) == {(new.id, old.id)}
