"""The score of a sentence: its four parts, and what it never leaves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.sentences import MARKERS, marker_of, markers_in, reasons, sentence_score

LISTED = markers_in(MARKERS)


@pytest.mark.parametrize(
    "text, item, expected",
    [
        ("Coffee machine is back.", False, 0.06),  # 4 words of 20: 0.3 · 0.2
        ("Decided: embedding moves from the A100 pair to one rented H100.", True, 0.945),  # .165 + .4 + .08 + .3
        ("Fixed it.", True, 0.73),  # .03 + .4 + .3
        (" ".join(["word"] * 40), False, 0.3),  # more than 20 words are worth no more than 20
        ("막힌 것: 서울 계약은 30일 전에는 해지할 수 없다.", True, 0.835),  # 9 words .135 + .4 + .3
    ],
    ids=["length", "all-parts", "short", "long", "korean"],
)
def test_a_score_is_the_sum_of_its_parts(text: str, item: bool, expected: float) -> None:
    assert sentence_score(text, markers=LISTED, item=item).value == pytest.approx(expected)


def test_more_than_five_names_count_as_five_and_all_together_is_one() -> None:
    text = "Decided with Ada, then Bo, then Cy, then Di, then Ed, then Flo, then Gus, that we go on as it is for now."
    score = sentence_score(text, markers=LISTED, item=True)
    assert score.names == 7 and score.words > 20
    assert score.value == 1.0


def test_a_name_of_several_words_is_one_and_what_opens_the_sentence_is_none() -> None:
    assert sentence_score("Talked to Mina Park about Seoul.", markers=()).names == 2
    assert sentence_score("Mina talked.", markers=()).names == 0
    assert sentence_score("Then I left, and I'm back.", markers=()).names == 0


@pytest.mark.parametrize(
    "text, found",
    [
        ("Two bugs are left.", "bug"),
        ("We were debugging all day.", ""),
        ("Nothing is undecided.", ""),
        ("어제 버그를 고쳤다.", "고쳤"),
        ("의사결정 회의", ""),
        ("The BUG is gone", "bug"),
    ],
)
def test_a_marker_is_found_as_a_word(text: str, found: str) -> None:
    assert marker_of(text, markers_in("bug, decided, 고쳤, 결정")) == found


def test_the_list_of_markers_may_be_edited() -> None:
    assert markers_in(" Signed,  signed ,\n계약했; Paid off,") == ("signed", "계약했", "paid off")
    assert sentence_score("We signed.", markers=markers_in("signed")).marker == "signed"
    assert sentence_score("We signed.", markers=()).marker == ""


def test_the_reasons_are_in_the_language_of_the_sentence() -> None:
    english = sentence_score("Fixed the H100.", markers=LISTED, item=True)
    assert reasons(english, korean=False) == ("marker “fixed”", "3 words", "1 name", "done item")
    korean = sentence_score("버그를 고쳤다.", markers=markers_in("버그"), item=True)
    assert reasons(korean, korean=True) == ("표지 “버그”", "2어절", "실행 항목")


@given(st.text(), st.booleans(), st.lists(st.text(min_size=1), max_size=4))
def test_a_score_stays_between_nothing_and_one(text: str, item: bool, markers: list[str]) -> None:
    assert 0 <= sentence_score(text, markers=markers_in(",".join(markers)), item=item).value <= 1
