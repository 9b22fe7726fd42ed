"""Known names in texts: borders, scripts, spelling, and speed."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.extraction.entities.mentions import Names, is_plain_noun


def names(*known: str) -> Names:
    matcher = Names()
    for name in known:
        matcher.add(name, name)
    return matcher


@pytest.mark.parametrize(
    ("known", "text", "found"),
    [
        ("Redis", "we run redis, REDIS and Redis-cli", 3),
        ("Redis", "redisx, hiredis, redis_url", 0),
        ("Node.js", "node.js and Node.JS; node. js", 2),
        ("C++", "C++ is not C+ or C", 1),
        ("Visual Studio Code", "visual  studio\ncode", 1),
        ("Visual Studio Code", "visual studio, code", 0),
        ("Go", "we go; Go it is", 1),
        ("가치관", "가치관이 바뀌었다. 내가치관을", 2),
        ("배포 중단", "오늘 배포  중단을 한다", 1),
        ("배", "배포를 배운다", 0),
        ("Python", "Python을 쓴다", 1),
        ("東京", "東京都に行く", 1),
        ("São Paulo", "in são paulo", 1),
        ("", "anything", 0),
        ("x", "x x x", 0),
        ("...", "and so on...", 1),
    ],
)
def test_mentions(known: str, text: str, found: int) -> None:
    assert len(names(known).find(text)) == found


def test_a_mention_tells_its_place() -> None:
    assert names("Redis", "가치관").find("So Redis, 가치관이") == (("Redis", 3, 8), ("가치관", 10, 13))


def test_places_stay_right_where_small_letters_are_longer() -> None:
    text = "İİ Redis"
    mention = names("Redis").find(text)[0]
    assert text[mention.start : mention.end] == "Redis"


def test_the_longest_name_wins_and_none_is_found_inside_it() -> None:
    assert names("Studio", "Visual Studio", "Visual Studio Code").entities("Visual Studio Code, a studio") == (
        "Visual Studio Code",
        "Studio",
    )


def test_a_longer_name_that_breaks_off_gives_way_to_the_shorter() -> None:
    assert names("Visual", "Visual Studio Code", "Studio").entities("visual studio codec") == ("Visual", "Studio")


def test_one_name_may_belong_to_two_entities() -> None:
    matcher = Names()
    matcher.add("a", "Mercury")
    matcher.add("b", "mercury")
    assert set(matcher.entities("on Mercury")) == {"a", "b"}


def test_five_thousand_names_in_a_megabyte_are_found_in_linear_time() -> None:
    draw = random.Random(1)
    vocabulary = ["".join(draw.choices("abcdefghij", k=6)) for _ in range(20_000)]
    matcher = names(*vocabulary[:5_000], *("가나" + chr(0xAC00 + n) for n in range(2_000)))
    text = " ".join(draw.choices(vocabulary, k=140_000)) + " 가나다라마바사" * 1_000
    began = time.perf_counter()
    assert len(matcher.find(text)) > 1_000
    assert time.perf_counter() - began < 60


@given(
    st.lists(st.text(alphabet="ab .-가나C+", max_size=6), max_size=8), st.text(alphabet="ab .-가나C+\n", max_size=40)
)
def test_every_mention_is_a_name_that_stands_there(known: list[str], text: str) -> None:
    for mention in names(*known).find(text):
        assert " ".join(text[mention.start : mention.end].lower().split()) == " ".join(mention.entity.lower().split())


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The reason that it fails is the cache.", True),
        ("For some reason, it fails.", True),
        ("Every reason to be quick.", True),
        ("We draw the tree with Reason.", False),
        ("The reason compiler is quick.", False),
        ("Written in reason, compiled to JavaScript.", False),
    ],
)
def test_after_an_article_a_small_word_is_a_plain_noun(text: str, plain: bool) -> None:
    (mention,) = names("reason").find(text)
    assert is_plain_noun(text, mention.start, mention.end) is plain
