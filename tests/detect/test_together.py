"""Two statements read together: what the network finds, what it is never asked, and that the rules stand without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from memoryapp.detect import judge, together
from memoryapp.domain.conflict import Outcome
from memoryapp.domain.statement import Relation, Statement, Verdict
from memoryapp.encoders.zones import DEFAULT
from tests.detect.say import said

FAR = ("The user keeps a strictly vegan kitchen.", "The user's freezer is packed with home-made ragù.")


class Saying:
    """A network that always says the same, and counts what it was asked."""

    def __init__(self, logit: float) -> None:
        self.logit = logit
        self.asked: list[tuple[str, str]] = []

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        self.asked.extend(pairs)
        return np.full(len(pairs), self.logit)


def verdict(one: str, other: str, reads: Any, *, cosine: float = 0.6) -> Verdict:
    return judge(said(one), said(other, days=3), cosine=cosine, zones=DEFAULT, reads=reads)


def test_what_no_rule_sees_is_possible_and_never_sure() -> None:
    judged = verdict(*FAR, Saying(6.0))
    assert judged.relation is Relation.POSSIBLE and judged.detector == together.DETECTOR
    assert judged.outcome is Outcome.REPLACE and 0.5 <= judged.confidence <= 0.7


def test_the_reason_quotes_both_and_gives_the_figure() -> None:
    judged = verdict(*FAR, Saying(6.0))
    assert "strictly vegan kitchen" in judged.reason and "ragù" in judged.reason
    assert judged.reason.startswith("Read together, ") and judged.reason.endswith("% likely).")


def test_what_is_read_as_compatible_stays_as_the_rules_left_it() -> None:
    assert verdict(*FAR, Saying(-6.0)) == verdict(*FAR, None)


def test_what_is_nearly_the_same_is_taken_for_a_restatement() -> None:
    assert verdict(*FAR, Saying(6.0), cosine=0.8) == verdict(*FAR, None, cosine=0.8)


def test_a_possible_finding_that_is_read_as_compatible_is_dropped() -> None:
    pair = "The mobile app supports offline mode.", "Offline mode was removed from the mobile app."
    assert verdict(*pair, Saying(6.0)).relation is Relation.POSSIBLE
    dropped = verdict(*pair, Saying(-6.0), cosine=0.45)
    assert dropped.relation is Relation.COMPATIBLE and dropped.detector == together.DETECTOR


@pytest.mark.parametrize(
    ("one", "other", "cosine"),
    [
        ("The user lives in Seoul.", "The user lives in Busan.", 0.8),  # sure
        ("사용자는 채식주의자이다.", "사용자는 어제 스테이크를 먹었다.", 0.7),  # Korean
        ("Мой кот спит дома.", "Мой кот живёт на улице.", 0.7),  # another script
        (*FAR, 0.2),  # below the check zone
        ("A man is playing a guitar.", "A man is sleeping on a sofa.", 0.6),  # scenes
        (FAR[0] * 8, FAR[1], 0.6),  # tells of many things
        ("The user lives in Seoul.", "The user's home is in Seoul.", 0.8),  # they agree
    ],
    ids=["sure", "Korean", "another script", "far", "scenes", "long", "agreeing"],
)
def test_it_is_not_asked_where_it_has_nothing_to_say(one: str, other: str, cosine: float) -> None:
    reads = Saying(6.0)
    assert verdict(one, other, reads, cosine=cosine) == verdict(one, other, None, cosine=cosine)
    assert not reads.asked


def test_of_one_sentence_with_a_part_exchanged_it_may_doubt_a_finding_and_add_none() -> None:
    pair = "Olga sings alto in the cathedral choir.", "Olga sings soprano in the cathedral choir."
    assert verdict(*pair, Saying(6.0), cosine=0.9).relation is Relation.POSSIBLE
    assert verdict(*pair, Saying(-6.0), cosine=0.9).relation is Relation.COMPATIBLE
    both = "Olga likes the cathedral choir.", "Olga likes the parish choir."
    reads = Saying(6.0)
    assert verdict(*both, reads, cosine=0.7) == verdict(*both, None, cosine=0.7)
    assert not reads.asked


def test_two_speakers_are_not_one_person() -> None:
    reads = Saying(6.0)
    one, other = Statement("I never eat meat.", speaker="Ana"), Statement("I grill ribs each week.", speaker="Ben")
    judge(one, other, cosine=0.6, zones=DEFAULT, reads=reads)
    assert not reads.asked


def test_a_network_that_fails_leaves_the_rules_verdict_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def fails(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        raise LookupError("no network")

    assert verdict(*FAR, fails) == verdict(*FAR, None)
    assert [record.getMessage() for record in caplog.records if "LookupError" in record.getMessage()]


def test_it_reads_alike_each_time_and_in_either_order() -> None:
    reads = together.reader()
    assert reads is not None
    one, other = FAR
    first, again, turned = reads([FAR])[0], reads([FAR])[0], reads([(other, one)])[0]
    assert first == again
    assert first == pytest.approx(turned, abs=0.02)


def test_a_pair_reads_alike_alone_and_among_others() -> None:
    reads = together.reader()
    assert reads is not None
    others = [("I like tea.", "We moved the weekly meeting to Thursday afternoon, right after lunch."), ("Hi.", "Ho.")]
    assert reads([FAR])[0] == pytest.approx(reads([*others, FAR])[-1], abs=0.1)  # bf16
    assert reads([]).shape == (0,)


def test_what_clashes_is_read_as_worse_than_what_only_looks_like_it() -> None:
    reads = together.reader()
    assert reads is not None
    cases = [
        ("I sold my car in May.", "I drive my car to work every day.", "My sister drives her car to work every day."),
        ("The release is on Friday.", "The release was put off to Monday.", "The release party is on Monday."),
        ("Our API needs a key.", "Anyone can call our API without a key.", "Our API answers within a second."),
    ]
    for fact, clash, fine in cases:
        worse, better = reads([(fact, clash), (fact, fine)])
        assert worse > better, (fact, clash, fine)
