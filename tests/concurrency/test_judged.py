"""The judge of histories, judged itself: it takes what can have happened one after the other, and names what cannot."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.concurrency.history import End, Layer, Op, Seen
from tests.concurrency.judged import judge

M = "m"
FIRST = Op(
    "ann", "write", 0, 1, memory=M, run="r1", made=M, outcome="written", sent="green", seen=(Seen(M, "green", 1),)
)
SECOND = Op("ann", "edit", 2, 3, memory=M, run="r2", given=1, sent="red", seen=(Seen(M, "red", 2),))
THIRD = Op("bob", "archive", 4, 5, memory=M, run="r3", given=2, seen=(Seen(M, "red", 3, "archived"),))
LAYERS = (
    Layer(1, "create", "r1", "green"),
    Layer(2, "edit", "r2", "red"),
    Layer(3, "archive", "r3", "red", "archived"),
)
GOOD = [FIRST, SECOND, THIRD]
END = End(layers={M: LAYERS}, reinforced={M: 0}, said={"green": [M]}, once=frozenset({"green"}))


def read(began: float, ended: float, text: str, version: int | None, state: str = "held") -> Op:
    return Op("eve", "get", began, ended, seen=(Seen(M, text, version, state),))


def search(began: float, ended: float, *seen: Seen) -> Op:
    return Op("eve", "search", began, ended, asked=M, seen=seen)


def breach(ops: list[Op], end: End = END) -> str:
    """The one rule that is broken."""
    (told,) = {told.partition(":")[0] for told in judge(ops, end)}
    return told


def test_a_history_of_one_after_the_other_is_sound() -> None:
    reads = [read(1.1, 1.9, "green", 1), read(3.1, 3.9, "red", 2), search(3.2, 3.8, Seen(M, "red", 2)), search(6, 7)]
    assert judge([*GOOD, *reads], END) == []


def test_a_read_beside_a_write_may_see_either_version() -> None:
    for version, text in ((1, "green"), (2, "red")):
        assert judge([*GOOD, read(1.5, 2.5, text, version)], END) == []
    assert judge([*GOOD, search(3.5, 4.5), search(3.5, 4.5, Seen(M, "red", 2))], END) == []


def test_a_version_that_no_request_made_may_have_come_at_any_time() -> None:
    by_machine = replace(END, layers={M: (*LAYERS[:2], Layer(3, "resolve", "policy", "blue"))})
    assert judge([FIRST, SECOND, read(3.1, 3.2, "blue", 3)], by_machine) == []
    assert judge([FIRST, SECOND, read(8, 9, "red", 2)], by_machine) == []


def test_an_edit_that_is_missing_from_the_history_is_a_lost_update() -> None:
    lost = replace(END, layers={M: LAYERS[:1]})
    assert "no_lost_update" in {told.partition(":")[0] for told in judge([FIRST, SECOND], lost)}


def test_an_edit_that_was_done_twice_is_told() -> None:
    twice = replace(END, layers={M: (*LAYERS, Layer(4, "edit", "r2", "red"))})
    assert any(told.startswith("no_lost_update") and "2 times" in told for told in judge(GOOD, twice))


def test_an_edit_whose_words_were_written_over_in_its_own_version_is_told() -> None:
    mixed = replace(END, layers={M: (LAYERS[0], replace(LAYERS[1], text="blue"), LAYERS[2])})
    without = [FIRST, replace(SECOND, seen=()), replace(THIRD, seen=())]
    assert breach(without, mixed) == "no_lost_update"


def test_a_hole_or_a_pair_in_the_versions_is_told() -> None:
    for wrong in (LAYERS[::2], (*LAYERS[:2], replace(LAYERS[2], version=2))):
        assert any(told.startswith("versions_in_a_row") for told in judge([FIRST], replace(END, layers={M: wrong})))


def test_a_later_change_with_a_lower_version_is_told() -> None:
    swapped = [FIRST, replace(SECOND, given=None, seen=(), began=6, ended=7), replace(THIRD, given=None, seen=())]
    assert breach(swapped) == "in_real_time"


def test_an_edit_of_a_stale_version_that_was_taken_is_told() -> None:
    assert breach([FIRST, SECOND, replace(THIRD, given=1)]) == "stale_edits_refused"


def test_a_refusal_is_right_only_where_somebody_had_changed_it() -> None:
    refused = Op("bob", "edit", 3.5, 3.8, status=412, memory=M, given=1, current=2)
    assert judge([*GOOD, refused], END) == []
    assert breach([*GOOD, replace(refused, given=2)]) == "stale_edits_refused"
    assert breach([*GOOD, replace(refused, given=3, began=6, ended=7)]) == "stale_edits_refused"


@pytest.mark.parametrize("counted", [0, 2])
def test_reinforcements_that_do_not_add_up_are_told(counted: int) -> None:
    again = Op("bob", "say", 4, 5, outcome="reinforced", made=M)
    assert judge([FIRST, again], replace(END, layers={M: LAYERS[:1]}, reinforced={M: 1})) == []
    assert breach([FIRST, again], replace(END, layers={M: LAYERS[:1]}, reinforced={M: counted})) == "counted_once"


def test_feedback_that_was_lost_is_told() -> None:
    said = Op("bob", "feedback", 4, 5, memory=M, used=1)
    assert judge([FIRST, said, said], replace(END, layers={M: LAYERS[:1]}, used={M: 2})) == []
    assert breach([FIRST, said, said], replace(END, layers={M: LAYERS[:1]}, used={M: 1})) == "counted_once"


@pytest.mark.parametrize("those", [[], ["m", "n"]])
def test_a_sentence_without_its_memory_or_with_two_is_told(those: list[str]) -> None:
    assert breach(GOOD, replace(END, said={"green": those})) == "one_memory_a_sentence"


def test_a_key_that_made_two_memories_is_told() -> None:
    ops = [Op("ann", "keyed", 0, 1, key="k", made=made) for made in "ab"]
    assert breach(ops, End()) == "one_key_one_memory"
    assert judge([ops[0], replace(ops[1], status=409, made="")], End()) == []


def test_a_conflict_is_decided_once_unless_it_was_taken_back() -> None:
    one, other = Op("ann", "decide", 0, 1, conflict="c"), Op("bob", "decide", 4, 5, conflict="c")
    back = Op("eve", "take back", 2, 3, conflict="c")
    decided = End(conflicts={"c": "decided"})
    assert judge([one], decided) == judge([one, back, other], decided) == []
    assert judge([one, replace(other, status=409)], decided) == []
    assert breach([one, other], decided) == "decided_in_turn"
    assert breach([one, back], decided) == "decided_in_turn"


def test_a_read_of_what_was_there_before_an_acknowledged_write_is_told() -> None:
    told = judge([*GOOD, read(3.1, 3.2, "green", 1)], END)
    assert {one.partition(":")[0] for one in told} == {"as_it_stood", "nothing_older_than_told"}
    # By its words alone it is found out too, where the page names no version.
    assert breach([*GOOD, read(3.1, 3.2, "green", None)]) == "as_it_stood"


def test_reads_that_run_backwards_are_told_though_a_write_is_under_way() -> None:
    slow = [FIRST, replace(SECOND, ended=9), replace(THIRD, began=10, ended=11)]
    there, back = read(3, 4, "red", 2), read(5, 6, "green", 1)
    assert judge([*slow, there], END) == judge([*slow, back], END) == []
    assert breach([*slow, there, back]) == "nothing_older_than_told"


def test_words_that_the_memory_never_said_are_told() -> None:
    assert breach([*GOOD, read(3.1, 3.2, "red and green", 2)]) == "as_it_stood"


def test_a_search_that_misses_what_was_acknowledged_is_told() -> None:
    assert breach([*GOOD, search(3.1, 3.9)]) == "found_while_held"


def test_a_search_that_finds_what_was_put_aside_is_told() -> None:
    told = judge([*GOOD, search(6, 7, Seen(M, "red", 3, "archived"))], END)
    assert [one.partition(":")[0] for one in told] == ["found_while_held"]


def test_a_request_without_an_answer_or_with_a_wrong_one_is_told() -> None:
    assert breach([Op("ann", "get", 0, None)], End()) == "all_answered"
    assert breach([Op("ann", "get", 0, 1, status=503)], End()) == "all_answered"
    assert breach([Op("ann", "get", 0, 1, status=418, documented=False)], End()) == "all_answered"
    assert judge([Op("ann", "get", 0, 1, status=404)], End()) == []


@given(st.lists(st.tuples(st.floats(0.01, 0.4), st.floats(0.01, 0.4)), min_size=1, max_size=12), st.data())
def test_every_history_made_by_a_register_is_sound_and_loses_it_with_one_write(
    gaps: list[tuple[float, float]], data: st.DataObject
) -> None:
    """Writes take effect at whole seconds, reads at chosen instants; each request reaches some way around its own."""
    layers = tuple(Layer(n + 1, "edit", f"r{n + 1}", f"text {n + 1}") for n in range(len(gaps)))
    writes = [
        Op("ann", "edit", n + 1 - before, n + 1 + after, memory=M, run=f"r{n + 1}", sent=f"text {n + 1}")
        for n, (before, after) in enumerate(gaps)
    ]
    reads = []
    for at in data.draw(st.lists(st.floats(1, len(gaps) + 0.9), max_size=8)):
        reach = data.draw(st.floats(0.01, 0.5))
        version = int(at)
        reads.append(Op("eve", "get", at - reach, at + reach, seen=(Seen(M, f"text {version}", version),)))
    ordered = sorted(reads, key=lambda op: (op.began + op.end) / 2)
    end = End(layers={M: layers})
    assert judge([*writes, *ordered], end) == []
    gone = data.draw(st.integers(0, len(writes) - 1))
    assert judge(writes, End(layers={M: layers[:gone] + layers[gone + 1 :]})) != []
