"""mem0: its pages, its lists and its lines come as facts with their dates, tags and refs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoryapp.domain.memory import Category, Kind
from memoryapp.transfer.foreign import recognise
from tests.transfer.foreign.conftest import SAMPLES, Found

PAGE = SAMPLES / "mem0.json"


def test_a_page_of_memories_comes_as_facts_under_their_own_ids() -> None:
    assert recognise(PAGE) == "mem0"
    items = Found(PAGE, "mem0").items
    assert [item.kind for item in items] == [Kind.FACT] * 3
    assert items[0].text == "Mara is allergic to hazelnuts"
    assert items[0].ref == "mem0:5b1f0a1e-7d0c-4b7e-9a53-0a8e8f2c11d1"
    assert items[2].text == "마라는 아침에 녹차를 마신다"


def test_dates_are_kept_in_utc() -> None:
    assert Found(PAGE, "mem0").items[0].occurred_at == datetime(2025, 3, 4, 17, 12, 44, 101000, tzinfo=UTC)


def test_whose_it_is_and_short_metadata_come_as_tags_while_what_is_nested_stays_behind() -> None:
    tags = Found(PAGE, "mem0").items[0].tags
    assert {"health", "food", "user:mara", "app:kitchen", "source:onboarding", "certainty:0.9"} == set(tags)


def test_an_end_that_is_set_comes_as_a_tag() -> None:
    assert "until:2027-01-01" in Found(PAGE, "mem0").items[1].tags


def test_only_categories_that_are_sure_become_categories_here() -> None:
    assert [item.category for item in Found(PAGE, "mem0").items] == [Category.PERSONAL, Category.WORK, None]


def test_the_subject_is_a_user_who_has_a_name_and_not_a_number() -> None:
    assert [item.subject for item in Found(PAGE, "mem0").items] == ["mara", "mara", ""]


@pytest.mark.parametrize(
    ("memory", "user", "text"),
    [
        ("Likes espresso", "mara", "Mara likes espresso"),
        ("User is vegan.", "Mara", "Mara is vegan."),
        ("The user's dog is called Rex", "Mara", "Mara's dog is called Rex"),
        ("Mara prefers tea", "mara", "Mara prefers tea"),
        ("Espresso in the morning", "Mara", "Espresso in the morning"),
        ("Username is mara_99", "Mara", "Username is mara_99"),
        ("Likes espresso", "user_7", "Likes espresso"),
        ("User is vegan.", "default", "User is vegan."),
    ],
)
def test_words_that_leave_out_their_user_are_told_with_the_name(
    memory: str, user: str, text: str, written: Callable[..., Path]
) -> None:
    page = written([{"id": "1", "memory": memory, "user_id": user}], "list.json")
    assert [item.text for item in Found(page, "mem0").items] == [text]


def test_relations_of_the_graph_come_as_links() -> None:
    found = Found(PAGE, "mem0")
    assert found.links == [("mara", "works_in", "busan")]
    assert found.skipped["It is no relation between two names."] == 1


def test_what_is_no_memory_is_named_with_its_place() -> None:
    assert Found(PAGE, "mem0").skipped["It is no memory with words."] == 1
    assert Found(PAGE, "mem0").skipped["It is no memory of mem0."] == 1


def test_a_bare_list_and_json_lines_are_read_alike(written: Callable[..., Path]) -> None:
    memories = [{"id": n, "memory": f"Memory {n}", "user_id": "mara"} for n in range(3)]
    as_list = written(memories, "list.json")
    as_lines = written(memories, "lines.jsonl", lines=True)
    assert recognise(as_list) == recognise(as_lines) == "mem0"
    assert Found(as_list, "mem0").refs == Found(as_lines, "mem0").refs == ["mem0:0", "mem0:1", "mem0:2"]


def test_what_openmemory_has_deleted_is_left_there(written: Callable[..., Path]) -> None:
    path = written(
        {
            "user": {"user_id": "mara"},
            "memories": [
                {"id": "a", "content": "Rows on Sundays", "state": "active", "app_id": "x"},
                {"id": "b", "content": "Rows on Mondays", "state": "deleted", "app_id": "x"},
            ],
        }
    )
    found = Found(path, "mem0")
    assert found.texts == ["Rows on Sundays"]
    assert found.skipped == {"It is deleted there.": 1}
