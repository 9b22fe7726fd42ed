from __future__ import annotations

from dataclasses import dataclass
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.node import EQUAL, FADE, ROOT, WITHIN
from memoryapp.domain.reach import LOADED_BYTES, Match, NodeReach, Signs, answers, loaded_count, reach
from memoryapp.index import stem


@dataclass(frozen=True, slots=True)
class Page:
    path: str
    keywords: tuple[str, ...] = ()
    weight: float = 1.0
    has_file: bool = True

    @property
    def id(self) -> str:
        return self.path


BANK = (
    Page("identity", ("정체성",), has_file=False),
    Page("identity/values", ("가치관", "values")),
    Page("identity/values/old"),
    Page("infra/gpu", ("GPU", "임베딩", "H100")),
    Page("infra/db", ("DB", "database", "SurrealDB")),
    Page("work/review", ("코드 리뷰", "code review")),
)


def found(question: str, *pages: Page) -> dict[str, float]:
    return {one.path: one.score for one in reach(question, pages or BANK, stem=stem)}


def test_the_worked_example_reaches_the_node_by_its_keyword() -> None:
    first, beneath = reach("가치관이 뭐야?", BANK, stem=stem)
    assert first == NodeReach(
        "identity/values", "identity/values", 1.0, True, (Match("가치관이", "가치관", EQUAL),), "identity/values"
    )
    assert (beneath.path, beneath.score, beneath.own, beneath.via) == (
        "identity/values/old",
        FADE,
        False,
        "identity/values",
    )


@pytest.mark.parametrize(
    ("word", "keyword", "grade"),
    [
        ("가치관", "가치관", EQUAL),
        ("가치관이", "가치관", EQUAL),
        ("가치관을", "가치관", EQUAL),
        ("가치관에서는", "가치관", EQUAL),
        ("가치관들", "가치관", EQUAL),
        ("DB를", "db", EQUAL),
        ("집에서", "집", EQUAL),
        ("Databases", "database", EQUAL),
        ("ＧＰＵ", "gpu", EQUAL),
        ("\u1100\u1161\u110e\u1175\u1100\u116a\u11ab", "가치관", EQUAL),
        ("코드리뷰는", "코드 리뷰", EQUAL),
        ("코드 리뷰", "코드리뷰", EQUAL),
        ("code reviews", "Code Review", EQUAL),
        ("IT", "it", EQUAL),
        ("신가치관론", "가치관", WITHIN),
        ("가치를", "가치관", WITHIN),
        ("surreal", "SurrealDB", WITHIN),
        ("価値観は何ですか", "価値観", WITHIN),
        ("집안", "집", 0),
        ("dbase", "db", 0),
        ("it", "it", 0),
        ("reviews", "code review", WITHIN),
        ("review the code", "code review", WITHIN),
        ("preview", "code review", 0),
        ("of", "code of conduct", 0),
        ("the", "theme", 0),
        ("", "가치관", 0),
        ("가치관", "?!", 0),
    ],
)
def test_a_keyword_answers_when_it_is_equal_or_one_contains_the_other(word: str, keyword: str, grade: float) -> None:
    assert answers(word, keyword, stem=stem) == grade


def test_of_several_words_those_that_few_nodes_answer_to_count_more() -> None:
    pages = (Page("a", ("tea", "kettle")), Page("b", ("tea",)), Page("c", ("tea",)), Page("d", ("rain",)))
    common, rare = log(1 + 4 / 3) / log(5), 1.0
    assert found("tea kettle", *pages) == pytest.approx({"a": common + rare, "b": common, "c": common})


def test_a_word_counts_once_however_often_it_is_said_and_by_its_best_keyword() -> None:
    pages = (Page("a", ("database", "databases of birds", "base")), Page("b", ("rain",)))
    assert found("database database DATABASE", *pages) == {"a": 1.0}


def test_a_phrase_counts_as_many_words_as_it_has() -> None:
    (one,) = reach("how do we do a code review here", BANK, stem=stem)
    assert (one.path, one.matches) == ("work/review", (Match("code review", "code review", EQUAL),))
    assert one.score == pytest.approx(2.0)


def test_the_weight_of_a_node_multiplies_and_nothing_keeps_it_away() -> None:
    pages = (Page("a", ("tea",), weight=2.0), Page("b", ("tea",), weight=0.5), Page("c", ("tea",), weight=0.0))
    scores = found("tea", *pages)
    assert list(scores) == ["a", "b"]
    assert scores["a"] == 4 * scores["b"]


def test_a_branch_without_a_file_hands_down_and_is_not_returned() -> None:
    assert found("정체성이 뭐지") == {"identity/values": FADE, "identity/values/old": FADE**2}


def test_what_is_handed_down_fades_by_the_step_over_paths_that_hold_nothing() -> None:
    pages = (Page("a", ("tea",), weight=2.0), Page("a/b/c", weight=0.5))
    assert found("tea", *pages) == {"a": 2.0, "a/b/c": 2.0 * FADE * 0.5}


def test_the_root_neither_is_reached_nor_hands_down() -> None:
    assert found("tea", Page(ROOT, ("tea",)), Page("a")) == {}


def test_a_node_with_a_keyword_of_its_own_is_not_lifted_by_those_above_it() -> None:
    pages = (Page("a", ("tea",), weight=2.0), Page("a/b", ("kettle",), weight=0.1))
    scores = found("tea kettle", *pages)
    assert scores["a/b"] == pytest.approx(0.1)


def test_nodes_that_stand_equal_come_in_order_of_their_paths() -> None:
    pages = [Page(path, ("tea",)) for path in "cab"]
    assert list(found("tea", *pages)) == ["a", "b", "c"]


@given(st.text(), st.lists(st.tuples(st.text(min_size=1, max_size=6), st.lists(st.text(max_size=6), max_size=3))))
def test_any_question_reaches_any_tree_without_harm(question: str, told: list[tuple[str, list[str]]]) -> None:
    pages = [Page(path, tuple(keywords)) for path, keywords in dict(told).items()]
    signs = Signs(pages, stem=stem)
    scored = reach(question, signs)
    assert [one.score for one in scored] == sorted((one.score for one in scored), reverse=True)
    for one in scored:
        assert one.score > 0 and one.matches and one.path != ROOT
        owner = next(page for page in pages if page.path == one.via)
        assert {match.keyword for match in one.matches} <= {*owner.keywords, *signs.keywords}


@given(st.sampled_from(["가치관", "임베딩", "values", "GPU"]), st.sampled_from(["", "이", "을", "에서는", "까지"]))
def test_a_keyword_is_found_whatever_particle_it_carries(keyword: str, particle: str) -> None:
    assert answers(f"{keyword}{particle} 어때?", keyword, stem=stem) == EQUAL


def test_the_first_node_is_always_loaded_and_three_at_most() -> None:
    assert loaded_count([]) == 0
    assert loaded_count([50_000, 1]) == 1
    assert loaded_count([4_000, 4_000, 4_000]) == 2
    assert loaded_count([4_000, 3_000, LOADED_BYTES - 7_000, 1]) == 3
    assert loaded_count([1] * 9) == 3
