"""Labels as people and models write them, brought to the taxonomy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memoryapp.domain.relation import RelationType as T
from memoryapp.extraction.relations.taxonomy import NEAR, TypeMatch, type_of, types_of
from memoryapp.inference.embedding import load_encoder


@pytest.mark.parametrize("kind", list(T))
def test_a_type_is_its_own_label(kind: T) -> None:
    for label in (kind.value, kind.value.upper(), kind.value.replace("_", "-"), kind.value.replace("_", " ")):
        assert type_of(label) == TypeMatch(kind)


@pytest.mark.parametrize(
    ("label", "kind", "turned"),
    [
        ("is built on", T.DEPENDS_ON, False),
        ("worksAt", T.WORKS_AT, False),
        ("created_by", T.CREATED, True),
        ("is managed by", T.MANAGES, True),
        ("was hired by", T.WORKS_AT, False),
        ("employs", T.WORKS_AT, True),
        ("reports to", T.MANAGES, True),
        ("has been working on", T.WORKS_ON, False),
        ("co-founded", T.CREATED, False),
        ("is fluent in", T.SKILLED_IN, False),
        ("also often uses", T.USES, False),
        ("사용한다", T.USES, False),
        ("살다", T.LIVES_IN, False),
    ],
)
def test_a_synonym_is_brought_to_its_type_whatever_its_form(label: str, kind: T, turned: bool) -> None:
    assert type_of(label) == TypeMatch(kind, turned)


@pytest.mark.parametrize("label", ["", " ", "!!!", "wrestles", "is allergic to", "x" * 10_000, "not", "가나다"])
def test_what_nothing_covers_is_related_to(label: str) -> None:
    assert type_of(label) == TypeMatch(T.RELATED_TO, sure=False)


def test_an_encoder_finds_the_nearest_type_and_refuses_what_is_far() -> None:
    encode = load_encoder("all-MiniLM-L6-v2").encode_documents
    labels = ["constructed", "toured around", "is allergic to", "dislikes", "does not use", "uses"]
    found = types_of(labels, encode=encode)
    assert [one.type for one in found] == [
        T.CREATED, T.VISITED, T.RELATED_TO, T.RELATED_TO, T.RELATED_TO, T.USES,
    ]  # fmt: skip
    assert [one.sure for one in found] == [False] * 5 + [True]


def test_the_encoder_is_asked_once_and_only_for_what_is_unknown() -> None:
    asked: list[list[str]] = []

    def encode(texts: list[str]) -> NDArray[np.float32]:
        asked.append(list(texts))
        vectors = np.zeros((len(texts), 2), dtype=np.float32)
        vectors[:, 0] = NEAR - 0.01
        vectors[-1] = (0.0, 1.0)
        return vectors

    found = types_of(["uses", "wrestles", "wrestles", "juggles"], encode=encode)  # type: ignore[arg-type]
    assert [one.type for one in found] == [T.USES, T.RELATED_TO, T.RELATED_TO, T.RELATED_TO]
    assert len(asked) == 1 and asked[0][-2:] == ["juggles", "wrestles"]
    assert types_of(["uses"], encode=encode)[0].sure and len(asked) == 1  # type: ignore[arg-type]


@given(st.text(max_size=200))
def test_any_label_has_a_type(label: str) -> None:
    assert type_of(label).type in T
