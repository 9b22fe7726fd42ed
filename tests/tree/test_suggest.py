"""Keywords: what stands in a node and seldom in others."""

from __future__ import annotations

import pytest

from memoryapp.domain.errors import NotFound
from memoryapp.spaces import Space
from memoryapp.tree import grow, suggest_keywords
from memoryapp.tree.keywords import MOST, Elsewhere, best_keywords, noun_of
from tests.samples import PERSON

STORAGE = "# Storage engines\n\nRocksDB keeps `surrealkv` honest. Compaction of RocksDB is slow; compaction waits.\n"
SEARCH = "# Search\n\nThe server keeps an index; the server answers. Postings of the index, compaction aside.\n"


def test_names_headings_and_frequent_words_come_first_and_what_others_say_too_comes_last() -> None:
    words = best_keywords(
        STORAGE, title="Storage engines", elsewhere=Elsewhere.of([SEARCH, SEARCH + "x", "compaction"])
    )
    assert words[0] == "RocksDB" and {"surrealkv", "storage", "engines"} <= set(words)
    assert "compaction" not in words[:3] and "slow" not in words and len(words) <= MOST


def test_a_tree_of_one_node_has_suggestions_too(space: Space) -> None:
    grow(space, "a", text=STORAGE, keywords=["rocksdb"], actor=PERSON)
    words = suggest_keywords(space, "a")
    assert "surrealkv" in words and "RocksDB" not in words
    assert words == suggest_keywords(space, "a")


def test_a_keyword_of_a_sibling_is_left_to_it_unless_it_is_much_better(space: Space) -> None:
    grow(space, "a", text="Postings and tokens. Postings of tokens: stems.\n", keywords=["tokens"], actor=PERSON)
    grow(space, "b", text="Tokens, tokens; vectors and cosine of vectors.\n", keywords=["v"], actor=PERSON)
    grow(space, "c/d", text="Nothing of it.\n", keywords=["cosine"], actor=PERSON)
    words = [word.casefold() for word in suggest_keywords(space, "b")]
    assert words.index("vectors") < (words.index("tokens") if "tokens" in words else MOST)


@pytest.mark.parametrize(
    ("word", "among", "noun"),
    [
        ("가치관이", (), "가치관이"),
        ("가치관이", ("가치관을",), "가치관"),
        ("가치관을", (), "가치관"),
        ("임베딩은", (), "임베딩"),
        ("서버에서는", (), "서버"),
        ("어린이", ("어린이가",), "어린이"),
        ("민주주의", (), "민주주의"),
        ("회의가", (), "회의"),
        ("고속도로", (), "고속도로"),
        ("했습니다", (), ""),
        ("사용하는", (), ""),
        ("물", (), ""),
    ],
)
def test_a_korean_word_loses_its_particle_where_that_is_sure(word: str, among: tuple[str, ...], noun: str) -> None:
    assert noun_of(word, among) == noun


def test_korean_keywords_have_no_particles() -> None:
    text = "# 가치관\n\n정직은 가치관의 뿌리다. 가치관을 지킨다. 정직을 배운다. 임베딩은 4090에서 돌린다.\n"
    words = best_keywords(text, title="가치관", elsewhere=Elsewhere.of(["다른 글이다."]))
    assert words[0] == "가치관" and {"정직", "임베딩"} <= set(words)


def test_addresses_digests_and_everyday_words_are_no_keywords() -> None:
    text = "See https://example.org/long/path and 39e85b2f here. Some things make it very good. Monday."
    assert best_keywords(text, title="", elsewhere=Elsewhere()) in ((), ("things",), ("very",))


def test_a_node_that_is_not_there_has_none(space: Space) -> None:
    with pytest.raises(NotFound):
        suggest_keywords(space, "a")
