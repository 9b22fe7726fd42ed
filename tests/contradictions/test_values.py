"""Typed values, and which of them are equal."""

from __future__ import annotations

import time

import pytest

from memoryapp.contradictions.values import same_value, values
from memoryapp.contradictions.words import clean


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("14:00", "2 pm"),
        ("two weeks", "14 days"),
        ("60 minutes", "one hour"),
        ("Seoul", "Seoul, Korea"),
        ("the third floor", "3rd floor"),
        ("4 May", "May 4th"),
        ("2024-05-04", "4 May 2024"),
        ("1,200 euros", "€1200"),
        ("Postgres", "PostgreSQL"),
        ("VS Code", "vscode"),
        ("version 3.11", "3.11.4"),
        ("at 8", "8 pm"),
    ],
)
def test_equal_values_in_other_words(one: str, other: str) -> None:
    assert same_value(one, other) and same_value(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("14:00", "2 am"),
        ("two weeks", "three weeks"),
        ("Seoul", "Busan"),
        ("4 May", "14 May"),
        ("200 euros", "350 euros"),
        ("3.9", "3.11"),
        ("555-1234", "555-9876"),
        ("at 8", "14:00"),
        ("Friday", "Monday"),
        ("in March", "in May"),
    ],
)
def test_other_values(one: str, other: str) -> None:
    assert not same_value(one, other)


def test_what_is_counted_belongs_to_the_type_so_that_children_are_not_sisters() -> None:
    types = [values(clean(text))[0].type for text in ("two children", "3 kids", "one sister")]
    assert types[0] == types[1] != types[2]


def test_a_word_that_is_also_a_name_is_taken_for_one_only_where_written_so() -> None:
    assert [value.type for value in values("go to the shop")] == []
    assert [value.type for value in values("written in Go")] == ["programming"]


@pytest.mark.parametrize("text", ["no one came", "one of them", "at first", "a second later", "the second"])
def test_number_words_that_count_nothing(text: str) -> None:
    assert [value for value in values(clean(text)) if value.type.startswith("count")] == []


@pytest.mark.parametrize("piece", ["A.", "1.", "a-", "a+"])
def test_words_that_never_end_take_no_longer_than_others(piece: str) -> None:
    began = time.process_time()
    values(piece * 10_000)
    assert time.process_time() - began < 2
