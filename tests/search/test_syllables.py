from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.domain.results import Answer, Query
from memoryapp.search import explain, search
from memoryapp.search.syllables import pairs_of, shares_of
from memoryapp.spaces import Space
from tests.search.conftest import memory, write

PRIME = memory("국무총리 김도연은 회의를 열었다.")
MEMBER = memory("국무위원 박서준은 회의를 열었다.")
REVIEW = memory("코드 리뷰는 금요일에 한다.")
WAGE = memory("임금은 매달 말일에 준다.")
HANGUL = st.text(alphabet="가나다라마바사 ab", max_size=20)


def ask(space: Space, text: str, strategy: str = "hybrid") -> Answer:
    return search(space, Query(text, strategy=strategy))


def test_what_two_syllables_cannot_tell_apart_the_others_do(space: Space) -> None:
    write(space, PRIME, MEMBER)
    for text, first in (("국무총리의 회의", PRIME), ("국무위원의 회의", MEMBER)):
        hits = ask(space, text).hits
        assert next(hit.memory.id for hit in hits) == first.id
        assert hits[0].arms["syllables"].share > hits[1].arms["syllables"].share > 0
        without = ask(space, text, "hybrid;syllables=0").hits
        by_words = {hit.arms["keyword"].share for hit in without}
        assert len(without) == 2 and len(by_words) == 1, "two syllables of each word leave it open"
        assert all("syllables" not in hit.arms for hit in without)


def test_its_share_is_half_of_the_part_it_holds_and_a_plan_may_say_otherwise(space: Space) -> None:
    write(space, PRIME, MEMBER)
    for weight, plan in ((0.5, "hybrid"), (0.2, "hybrid;syllables=0.2")):
        for hit in ask(space, "국무총리의 회의", plan).hits:
            arm = hit.arms["syllables"]
            assert arm.share == pytest.approx(weight * arm.score) and 0 < arm.score <= 1
            assert hit.score == sum(one.share for one in hit.arms.values())


def test_spaces_between_syllables_make_no_difference(space: Space) -> None:
    write(space, REVIEW, WAGE)
    for text in ("코드리뷰", "코드 리뷰", unicodedata.normalize("NFD", "코드 리뷰")):
        hit = ask(space, text).hits[0]
        assert hit.memory.id == REVIEW.id and hit.arms["syllables"].score == 1


def test_a_question_without_hangul_or_of_single_syllables_is_left_as_it_is(space: Space) -> None:
    write(space, PRIME, memory("The prime minister opened the meeting."))
    for text in ("prime minister", "the 총 minister"):
        assert all("syllables" not in hit.arms for hit in ask(space, text).hits)


def test_an_explanation_tells_the_share_and_the_same_score(space: Space) -> None:
    write(space, PRIME, MEMBER, WAGE)
    hit = ask(space, "국무총리의 회의").hits[1]
    why = explain(space, Query("국무총리의 회의"), hit.memory.id)
    fusion = next(step for step in why.steps if step.stage == "fusion")
    assert (why.rank, why.score) == (2, hit.score)
    assert f"syllables {hit.arms['syllables'].share:.5f}"[:-1] in fusion.told


def test_what_is_filtered_out_is_not_among_the_best(space: Space) -> None:
    write(space, PRIME, MEMBER)
    assert all(hit.memory.id != WAGE.id for hit in ask(space, "국무총리").hits)
    assert ask(space, "국무총리").hits[0].arms["syllables"].rank == 1


@settings(deadline=None)
@given(st.lists(HANGUL, min_size=1, max_size=5), HANGUL)
def test_shares_lie_between_none_and_all_and_spaces_and_order_change_nothing(texts: list[str], text: str) -> None:
    asked = pairs_of(text)
    shares = shares_of(asked, texts)
    assert shares.shape == (len(texts),) and (shares >= 0).all() and (shares <= 1 + 1e-6).all()
    assert np.allclose(shares, shares_of(asked, [one.replace(" ", "") for one in texts]))
    assert np.allclose(shares[::-1], shares_of(asked, texts[::-1]), atol=1e-6)
    assert len(set(asked)) == len(asked) and all(len(pair) == 2 for pair in asked)


def test_a_pair_that_all_hold_counts_least() -> None:
    shares = shares_of(pairs_of("회의 AND 총리"), ["회의, 총리", "회의", "회의", "총리회의"])
    assert shares[0] == shares[3] == 1 and 0 < shares[1] < 0.4


@pytest.mark.parametrize(("asked", "said", "share"), [("국무총리", "국무총리", 0.3), ("minister", "The minister", 0.2)])
def test_a_korean_question_leans_more_on_the_whole_talk(space: Space, asked: str, said: str, share: float) -> None:
    talk = [memory(f"{said} {n}" if not n else f"zebra {n}", group="talk", position=n) for n in range(8)]
    write(space, *talk)
    shares = {hit.memory.id: hit.arms["keyword"].share for hit in ask(space, asked).hits}
    assert shares[talk[-1].id] == pytest.approx(share), "its own words and its window hold nothing of the question"
    assert shares[talk[0].id] == pytest.approx(1)
