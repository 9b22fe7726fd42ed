"""Two statements read together: what the network finds, what it is never asked, and that the rules stand without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from memoryapp.contradictions import judge, pair_judge
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.inference.embedding.zones import DEFAULT
from tests.contradictions.say import said

MORNING = datetime(2026, 3, 1, 8, tzinfo=UTC)
FAR = ("The user keeps a strictly vegan kitchen.", "The user's freezer is packed with home-made ragù.")
ALIKE = ("Olga runs the choir's rehearsals.", "It is Olga who runs the rehearsals of the choir.")


class Saying:
    """A network that always says the same label, and counts what it was asked."""

    def __init__(self, label: str) -> None:
        self.row = np.where(np.array(pair_judge.LABELS) == label, 6.0, -6.0)
        self.asked: list[tuple[str, str]] = []

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        self.asked.extend(pairs)
        return np.tile(self.row, (len(pairs), 1))


def verdict(one: str, other: str, reads: Any, *, cosine: float = 0.6) -> Verdict:
    return judge(said(one), said(other, days=3), cosine=cosine, zones=DEFAULT, reads=reads)


@pytest.mark.parametrize("label", ["changed", "contradicts"])
def test_what_no_rule_sees_is_possible_and_never_sure(label: str) -> None:
    judged = verdict(*FAR, Saying(label))
    assert judged.relation is Relation.POSSIBLE and judged.detector == pair_judge.DETECTOR
    assert judged.outcome is Outcome.REPLACE and 0.5 <= judged.confidence <= 0.7


def test_the_reason_quotes_both_and_gives_the_figure() -> None:
    judged = verdict(*FAR, Saying("changed"))
    assert "strictly vegan kitchen" in judged.reason and "ragù" in judged.reason
    assert judged.reason.startswith("Read together, ") and judged.reason.endswith("% likely).")


@pytest.mark.parametrize("label", ["both", "unrelated"])
def test_what_is_read_as_compatible_stays_as_the_rules_left_it(label: str) -> None:
    assert verdict(*FAR, Saying(label)) == verdict(*FAR, None)


def test_it_is_asked_below_the_check_zone_too_where_changes_in_own_words_lie() -> None:
    assert verdict(*FAR, Saying("changed"), cosine=0.3).relation is Relation.POSSIBLE


def test_a_possible_finding_that_is_read_as_compatible_is_dropped() -> None:
    pair = "The user is a vegetarian.", "The user ate a steak on Friday."
    assert verdict(*pair, Saying("changed")).relation is Relation.POSSIBLE
    dropped = verdict(*pair, Saying("both"), cosine=0.45)
    assert dropped.relation is Relation.COMPATIBLE and dropped.detector == pair_judge.DETECTOR


def test_what_was_said_earlier_is_read_first_whichever_is_held() -> None:
    reads = Saying("both")
    judge(said(FAR[0], days=3), said(FAR[1]), cosine=0.6, zones=DEFAULT, reads=reads)
    assert reads.asked[0] == (FAR[1], FAR[0])


def test_what_is_read_as_the_same_in_both_orders_is_the_same() -> None:
    assert verdict(*ALIKE, None).relation is not Relation.SAME
    assert verdict(*ALIKE, Saying("same")).relation is Relation.SAME


def test_what_is_read_as_the_same_and_has_another_number_is_not() -> None:
    pair = "The choir has 40 singers.", "There are 45 singers in the choir."
    assert verdict(*pair, Saying("same")).relation is not Relation.SAME


def test_what_differs_in_a_synonym_alone_is_merged_without_being_read() -> None:
    pair = "The user has two children.", "The user has two kids."
    reads = Saying("both")
    assert verdict(*pair, reads, cosine=0.95).relation is Relation.SAME
    assert reads.asked == []


@pytest.mark.parametrize(
    ("one", "other", "cosine"),
    [
        ("사용자는 채식주의자이다.", "사용자는 어제 스테이크를 먹었다.", 0.7),  # Korean
        ("Мой кот спит дома.", "Мой кот живёт на улице.", 0.7),  # another script
        (*FAR, 0.2),  # too far
        (FAR[0] * 12, FAR[1], 0.6),  # tells of many things
        ("The user lives in Seoul.", "The user's home is in Seoul.", 0.8),  # they agree
        ("The user lives in Seoul.", "the user lives in Seoul", 0.99),  # the same words
    ],
    ids=["Korean", "another script", "far", "long", "agreeing", "same words"],
)
def test_it_is_not_asked_where_it_has_nothing_to_say(one: str, other: str, cosine: float) -> None:
    reads = Saying("contradicts")
    assert verdict(one, other, reads, cosine=cosine) == verdict(one, other, None, cosine=cosine)
    assert not reads.asked


def test_what_a_rule_is_sure_of_is_certain_where_the_network_agrees_and_else_left_to_a_person() -> None:
    pair = "The user lives in Seoul.", "The user lives in Busan."
    by_rule = verdict(*pair, None)
    assert by_rule.certain and verdict(*pair, Saying("changed")) == by_rule
    alone = verdict(*pair, Saying("both"), cosine=0.1)
    assert not alone.certain and replace(alone, doubted=False) == by_rule


def test_stated_times_that_do_not_overlap_need_no_reader() -> None:
    reads = Saying("both")
    one = Statement("The user lives in Seoul.", valid_from=MORNING, valid_to=MORNING + timedelta(days=9))
    other = Statement(
        "The user lives in Busan.", valid_from=MORNING + timedelta(days=9), valid_to=MORNING + timedelta(days=20)
    )
    judged = judge(one, other, cosine=0.8, zones=DEFAULT, reads=reads)
    assert judged.relation is Relation.SUCCESSION and not reads.asked


def test_two_speakers_are_not_one_person() -> None:
    reads = Saying("contradicts")
    one, other = Statement("I never eat meat.", speaker="Ana"), Statement("I grill ribs each week.", speaker="Ben")
    judge(one, other, cosine=0.6, zones=DEFAULT, reads=reads)
    assert not reads.asked


def test_a_network_that_fails_leaves_the_rules_verdict_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def fails(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        raise LookupError("no network")

    assert verdict(*FAR, fails) == verdict(*FAR, None)
    assert [record.getMessage() for record in caplog.records if "LookupError" in record.getMessage()]


def test_without_its_files_the_rules_judge_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setattr(pair_judge, "JUDGE", tmp_path)
    pair_judge.reader.cache_clear()
    try:
        assert pair_judge.reader() is None
        assert verdict(*FAR, pair_judge.later) == verdict(*FAR, None)
    finally:
        pair_judge.reader.cache_clear()


def test_what_changed_is_told_from_what_only_looks_like_it() -> None:
    cases = [
        ("Ines rents a flat in Porto.", "Ines handed back the keys of the flat in Porto.", "Ines painted the kitchen."),
        ("Tom is the technical contact.", "Tom has left the company.", "Tom likes to be called in the afternoon."),
    ]
    for fact, clash, fine in cases:
        worse, better = (_clash(fact, other) for other in (clash, fine))
        assert worse > 2 * better and better < 0.2, (fact, worse, better)


def test_a_pair_reads_alike_alone_and_among_others() -> None:
    others = [("I like tea.", "We moved the weekly meeting to Thursday afternoon, right after lunch."), ("Hi.", "Ho.")]
    assert pair_judge.later([FAR])[0] == pytest.approx(pair_judge.later([*others, FAR])[-1], abs=0.2)  # bf16
    assert len(pair_judge.later([])) == 0


def _clash(one: str, other: str) -> float:
    logits = np.exp(pair_judge.later([(one, other)])[0].astype(float))
    return float((logits[1] + logits[2]) / logits.sum())
