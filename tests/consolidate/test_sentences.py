"""A section is cut into what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.consolidate.sentences import sentences
from tests.samples import a_memory

LOG = """## Standup
Shipped the **first** ingest: 412 `md` files. Unchanged files
are skipped by [hash](x.md).

- [x] Halved the batch.
- Mina is away. Back on Friday.
- 월요일 롤백은 4분 걸렸다.
- ![a chart](x.png)

| a | b |
|---|---|
| c | d |

```py
x = 1
```

### 할 일
- [[h100|H100]] 빌리기
"""


def said(text: str) -> list[tuple[str, bool]]:
    return [(piece.text, piece.item) for piece in sentences(a_memory(text))]


def test_prose_and_bullets_are_cut_and_headings_tables_code_and_pictures_are_left_out() -> None:
    assert said(LOG) == [
        ("Shipped the first ingest: 412 md files.", False),
        ("Unchanged files are skipped by hash.", False),
        ("Halved the batch.", True),
        ("Mina is away.", False),
        ("Back on Friday.", False),
        ("월요일 롤백은 4분 걸렸다.", True),
        ("H100 빌리기", True),
    ]


@pytest.mark.parametrize(
    "bullet, item",
    [
        ("- [ ] call Adam", True),
        ("- Done: the lease", True),
        ("- ✅ the lease", True),
        ("- 완료: 계약", True),
        ("- Wrote to the landlord.", True),
        ("- The landlord is away.", False),
        ("Wrote to the landlord.", False),
    ],
    ids=["box", "label", "check", "korean-label", "past", "no-deed", "no-bullet"],
)
def test_a_bullet_of_what_was_done_or_is_to_be_done_is_an_item(bullet: str, item: bool) -> None:
    assert [one for _, one in said(bullet)] == [item]


def test_the_same_words_twice_are_two_sentences_with_ids_of_their_own() -> None:
    memory = a_memory("All green. All green.")
    one, other = sentences(memory)
    assert one.text == other.text and one.id != other.id
    assert [piece.id for piece in sentences(memory)] == [one.id, other.id]


def test_a_section_of_a_heading_alone_says_nothing() -> None:
    assert said("## Lunch") == []


@given(st.text(min_size=1))
def test_whatever_is_written_is_cut_into_words_that_stand_in_it(text: str) -> None:
    for piece in sentences(a_memory(text)):
        assert piece.text.strip() == piece.text and piece.text
        assert 0 <= piece.place < 1
