from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memoryapp.index.tokens import spans, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cats were running", ["cat", "run"]),
        ("Don't", ["dont"]),
        ("Don’t and don't are one", ["dont", "dont", "one"]),
        ("boys' dogs", ["boy", "dog"]),
        ("snake_case, kebab-case", ["snake", "case", "kebab", "case"]),
        ("port 8080/tcp", ["port", "8080", "tcp"]),
        ("what is it", []),
        ("", []),
        ("...!?", []),
    ],
)
def test_english_is_stemmed_and_its_stop_words_are_dropped(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("가치관이 뭐야?", ["가치", "뭐야"]),
        ("가치관", ["가치"]),
        ("나의 가치관을", ["나의", "가치"]),
        ("나 는", ["나", "는"]),
        ("SurrealDB를 썼다", ["surrealdb", "를", "썼다"]),
    ],
)
def test_a_hangul_word_is_known_by_its_first_two_syllables(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_decomposed_hangul_is_the_same_word() -> None:
    assert tokens(unicodedata.normalize("NFD", "가치관이 뭐야")) == ["가치", "뭐야"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("café", "CAFE"),
        ("Ёлка", "елка"),
        ("naïveté", "naivete"),
        ("Straße", "STRASSE"),
        ("ﬁle", "file"),
        ("ＡＢＣ", "abc"),
        ("ﾃｽﾄ", "テスト"),
        ("مُحَمَّد", "محمد"),
    ],
)
def test_spellings_of_one_word_meet(one: str, other: str) -> None:
    assert tokens(one) == tokens(other) != []


def test_scripts_without_spaces_are_cut_into_pairs() -> None:
    assert tokens("東京都") == ["東", "東京", "京", "京都", "都"]
    assert tokens("カメラ") == ["カメ", "メラ"]
    assert tokens("水") == ["水"]
    assert tokens("東京Tower") == ["東", "東京", "京", "tower"]


def test_words_of_other_alphabets_are_found_whole() -> None:
    assert tokens("Москва, שלום!") == ["москва", "שלום"]
    assert len(tokens("हिन्दी शहर")) == 2


def test_a_blob_becomes_one_short_term() -> None:
    assert [len(term) for term in tokens("a1" * 5_000)] == [64]


def test_spans_point_at_the_words_they_were_read_from() -> None:
    text = "Cafe\u0301 des rêves: 가치관이 — don’t"
    found = {term: text[start:end] for term, start, end in spans(text)}
    assert found["cafe"] == "Cafe\u0301"
    assert found["가치"] == "가치관이"
    assert found["dont"] == "don’t"


@given(st.text(max_size=200))
@example("I\u0130\u00df ﾃﾞ \u1100\u1161\u11a8 e\u0301\u0327 \ufb03")
@example("\ud800 lone")
def test_spans_and_tokens_agree_and_lie_within_the_text(text: str) -> None:
    found = spans(text)
    assert [term for term, _, _ in found] == tokens(text)
    assert all(0 <= start < end <= len(text) for _, start, end in found)
    assert all(term for term, _, _ in found)


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=200))
def test_the_short_way_for_ascii_is_the_general_way(text: str) -> None:
    assert tokens(text) == [term for term, _, _ in spans(text)]


def test_threads_do_not_disturb_each_others_stems() -> None:
    words = [f"running{i % 97} connections{i % 89} {'national' * (i % 3)}" for i in range(3_000)]
    alone = [tokens(word) for word in words]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(tokens, words)) == alone
