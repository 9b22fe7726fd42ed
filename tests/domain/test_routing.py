from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.domain.errors import BadInput
from memoryapp.domain.routing import EXAMPLE, read_table, routing_tag, strip_marker

TABLE = read_table(EXAMPLE)


def test_a_table_is_read_as_it_is_written() -> None:
    assert TABLE == {"W": "values", "B": "technical/cron", "O": "pipeline", "S": "project"}
    assert read_table(" 가치 = 나/가치관\n#w=values;") == {"가치": "나/가치관", "w": "values"}
    assert read_table("") == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("W", "no entry"),
        ("W=", "no entry"),
        ("=values", "no entry"),
        ("W=values, w=other", "twice"),
        ("W=a/../b", "cannot be part of a path"),
        (", ".join(f"t{n}=p" for n in range(41)), "41 entries"),
        ("x" * 41 + "=p", "more than 40"),
    ],
)
def test_a_table_that_cannot_be_read_names_what_is_wrong(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        read_table(text)


@pytest.mark.parametrize(
    ("tags", "text", "tag"),
    [
        (["w"], "Plain words.", "W"),
        (["#B"], "Plain words.", "B"),
        ([], "[W] Plain words.", "W"),
        ([], "[w]: Plain words.", "W"),
        ([], "S: Plain words.", "S"),
        (["o"], "[W] Plain words.", "W"),
        (["other"], "X: Plain words.", None),
        ([], "[W]", None),
        ([], "When: on Fridays.", None),
        ([], "S:Plain words.", None),
    ],
)
def test_a_tag_is_meant_by_a_tag_or_by_a_marker(tags: list[str], text: str, tag: str | None) -> None:
    assert routing_tag(tags, text, TABLE) == tag


def test_the_marker_is_taken_off_only_where_the_table_knows_it() -> None:
    assert strip_marker("[W] Plain words.", TABLE) == "Plain words."
    assert strip_marker("s: Plain words.", TABLE) == "Plain words."
    assert strip_marker("[X] Plain words.", TABLE) == "[X] Plain words."
    assert strip_marker("[W] Plain words.", {}) == "[W] Plain words."


@given(st.text(max_size=200))
def test_any_text_is_a_table_or_an_error_a_person_can_act_on(text: str) -> None:
    try:
        table = read_table(text)
    except BadInput as error:
        assert error.detail and error.field
    else:
        assert read_table(",".join(f"{tag}={path}" for tag, path in table.items())) == table


@given(st.text(max_size=60))
def test_taking_a_marker_off_loses_nothing_else(text: str) -> None:
    assert text.endswith(strip_marker(text, TABLE))
