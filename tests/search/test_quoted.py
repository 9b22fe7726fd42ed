from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.results import Query
from memoryapp.search import explain, search
from memoryapp.search.quoted import NOBODY, quotations
from memoryapp.spaces import Space
from tests.search.conftest import memory, write

EXACT = memory("We keep the blue release train for hotfixes only.")
SPREAD = memory("The train was late, so the release of the blue album was put off: release, train, blue, blue.")
TITLED = memory("It left at noon.", title="Blue release-train")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ('who wrote "the blue train"?', ["the blue train"]),
        ("who wrote “the blue train”?", ["the blue train"]),
        ("„Der blaue Zug“ and «le train bleu»", ["Der blaue Zug", "le train bleu"]),
        ("「가치관」과 『파이프라인』", ["가치관", "파이프라인"]),
        ('"가치관"이 뭐야?', ["가치관"]),
        ('"Blue Train" or "blue, train"', ["Blue Train"]),
        ('a 5" and a 7" disk', []),
        ('"to be or not to be"', []),
        ('"" and " "', []),
        ("it's Ann's", []),
    ],
)
def test_what_stands_in_quotation_marks_is_read(query: str, words: list[str]) -> None:
    assert [one.words for one in quotations(query)] == words


@given(st.text(alphabet="\"“”„«»「」『』 ab가'!", max_size=40))
def test_no_text_breaks_the_reader(query: str) -> None:
    assert all(one.terms and one.words for one in quotations(query))


def test_who_holds_the_exact_words_stands_first_by_a_share_of_its_own(space: Space) -> None:
    write(space, SPREAD, EXACT, TITLED)
    loose = search(space, Query("blue release train"))
    assert loose.hits[0].memory.id == SPREAD.id, "without quotation marks the words alone count"
    answer = search(space, Query('"blue release train"'))
    assert {hit.memory.id for hit in answer.hits[:2]} == {EXACT.id, TITLED.id}, "marks between words do not count"
    for hit in answer.hits:
        holds = hit.memory.id != SPREAD.id
        assert hit.arms["quoted"].share == (2 if holds else 0)
        assert hit.evidence.get("quoted") == (["blue release train"] if holds else None)
        assert hit.score == sum(arm.share for arm in hit.arms.values()) * math.prod(hit.factors.values())


def test_a_title_that_a_long_question_mentions_counts_little(space: Space) -> None:
    write(space, EXACT, SPREAD, memory("Ostrander drove it to the depot in Lisbon on a Thursday."))
    asked = search(space, Query('which driver brought the "blue release train" to the depot in Lisbon on Thursday?'))
    shares = {hit.memory.id: hit.arms["quoted"].share for hit in asked.hits}
    assert 0 < shares[EXACT.id] < 0.5


def test_each_of_several_quotations_has_its_part(space: Space) -> None:
    write(space, EXACT, SPREAD)
    answer = search(space, Query('"blue release train" and "blue album"'))
    shares = {hit.memory.id: (hit.arms["quoted"].share, hit.evidence["quoted"]) for hit in answer.hits}
    assert shares == {EXACT.id: (1.0, ["blue release train"]), SPREAD.id: (1.0, ["blue album"])}


def test_where_nobody_holds_them_the_rest_answers_and_says_so(space: Space) -> None:
    write(space, EXACT, SPREAD)
    answer = search(space, Query('"train blue release"'))
    assert NOBODY in answer.notes
    plain = search(space, Query("train blue release"))
    assert [hit.memory.id for hit in answer.hits] == [hit.memory.id for hit in plain.hits]
    assert all("quoted" not in hit.arms for hit in answer.hits)


def test_a_particle_may_follow_a_quoted_hangul_word_and_a_longer_word_may_not(space: Space) -> None:
    values, trains = memory("우리의 가치관이 먼저다."), memory("The trainspotters wait for the blue releases.")
    write(space, values, trains)
    assert search(space, Query('"가치관" 정리')).hits[0].evidence["quoted"] == ["가치관"]
    assert NOBODY in search(space, Query('the "blue release"')).notes


def test_bridge_takes_exact_words_in_full(space: Space) -> None:
    write(space, SPREAD, EXACT)
    hit = search(space, Query('"blue release train"', strategy="bridge")).hits[0]
    assert (hit.memory.id, hit.arms["quoted"].share) == (EXACT.id, 2)


def test_a_plan_may_weigh_them_otherwise_and_why_not_tells_the_same(space: Space) -> None:
    write(space, SPREAD, EXACT)
    query = Query('"blue release train"', strategy="hybrid;quoted_weight=0")
    assert search(space, query).hits[0].memory.id == SPREAD.id
    told = explain(space, Query('"blue release train"'), SPREAD.id)
    assert told.rank == 2 and told.hit is not None and told.hit.arms["quoted"].share == 0
