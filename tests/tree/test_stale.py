from __future__ import annotations

import pytest

from memoryapp.domain.conflict import Outcome
from memoryapp.domain.errors import Clash, NotFound
from memoryapp.domain.errors import Stale as Changed
from memoryapp.domain.memory import Kind
from memoryapp.domain.node import Node, line_key
from memoryapp.review import archive, confirm, decide, edit, hold, undo_run
from memoryapp.spaces import Space
from memoryapp.store import nodes
from memoryapp.tree import freshen, retain, stale
from tests.samples import PERSON
from tests.tree.fed import page, pages, put, raised, say


def node(space: Space, path: str) -> Node:
    found = nodes.at(space.db, path)
    assert found is not None
    return found


@pytest.fixture
def moved(space: Space) -> tuple[str, str]:
    """A line whose fact another one has replaced: the two facts."""
    put(space, "people", "# People\n\n* Jon sings.\n")
    held = say(space, "Minsu lives in Seoul.", kind=Kind.FACT)
    retain(space, [held], path="people", actor=PERSON)
    now = say(space, "Minsu lives in Busan.", kind=Kind.FACT)
    decide(space, raised(space)[0].id, Outcome.REPLACE, actor=PERSON)
    return held, now


def test_a_line_whose_fact_was_superseded_is_told_with_what_holds_now(space: Space, moved: tuple[str, str]) -> None:
    (one,) = stale(space, node(space, "people"))
    assert (one.line, one.memory, one.now_says, one.by) == (
        "Minsu lives in Seoul.",
        *moved[:1],
        "Minsu lives in Busan.",
        moved[1],
    )
    assert one.key == line_key("Minsu lives in Seoul.") and one.until is not None
    assert one.why == "Its memory was superseded."


def test_freshening_puts_what_holds_now_in_its_place_and_is_undone(space: Space, moved: tuple[str, str]) -> None:
    before = pages(space)
    after, run = freshen(space, "people", actor=PERSON)
    assert after.text == "# People\n\n* Jon sings.\n* Minsu lives in Busan.\n"
    assert [line.memory for line in after.lines] == [moved[1]]
    assert stale(space, after) == ()
    with pytest.raises(Clash, match="No line"):
        freshen(space, "people", actor=PERSON)
    undo_run(space, run.id, actor=PERSON)
    assert pages(space) == before


def test_what_replaced_it_is_followed_over_several_replacements(space: Space, moved: tuple[str, str]) -> None:
    last = say(space, "Minsu lives in Daegu.", kind=Kind.FACT)
    waits = next(one for one in raised(space) if one.incoming == last)
    decide(space, waits.id, Outcome.REPLACE, actor=PERSON)
    (one,) = stale(space, node(space, "people"))
    assert (one.now_says, one.by) == ("Minsu lives in Daegu.", last)


def test_only_the_lines_that_are_named_are_brought_up_to_date(space: Space, moved: tuple[str, str]) -> None:
    other = say(space, "Herons stand in reeds.")
    retain(space, [other], path="people", actor=PERSON)
    archive(space, [other], actor=PERSON)
    assert [one.now_says for one in stale(space, node(space, "people"))] == ["Minsu lives in Busan.", None]
    with pytest.raises(Clash, match="among those named"):
        freshen(space, "people", ["0" * 16], actor=PERSON)
    after, _ = freshen(space, "people", [line_key("Herons stand in reeds.")], actor=PERSON)
    assert after.text == "# People\n\n* Jon sings.\n* Minsu lives in Seoul.\n"
    with pytest.raises(Changed):
        freshen(space, "people", actor=PERSON, version=1)
    with pytest.raises(NotFound):
        freshen(space, "nowhere", actor=PERSON)


def test_a_line_is_not_stale_because_its_memory_was_confirmed_or_another_one_says_it_too(space: Space) -> None:
    one, other = say(space, "Tea is green."), say(space, "tea is green")
    retain(space, [one, other], path="tea", actor=PERSON)
    confirm(space, [one], actor=PERSON)
    archive(space, [other], actor=PERSON)
    assert stale(space, node(space, "tea")) == ()
    archive(space, [one], actor=PERSON)
    assert [found.now_says for found in stale(space, node(space, "tea"))] == [None]
    hold(space, [one], actor=PERSON)
    assert stale(space, node(space, "tea")) == ()


def test_a_line_is_stale_when_its_memory_says_something_else(space: Space) -> None:
    key = say(space, "Tea is green.")
    retain(space, [key], path="tea", actor=PERSON)
    edit(space, key, {"text": "Tea is black."}, actor=PERSON)
    (one,) = stale(space, node(space, "tea"))
    assert (one.line, one.now_says, one.by, one.until) == ("Tea is green.", "Tea is black.", key, None)
    freshen(space, "tea", actor=PERSON)
    assert page(space, "tea") == "# tea\n\n- Tea is black.\n"
    edit(space, key, {"text": "Tea is green."}, actor=PERSON)
    assert [found.now_says for found in stale(space, node(space, "tea"))] == ["Tea is green."]


def test_of_a_note_of_several_lines_only_the_changed_one_is_stale(space: Space) -> None:
    key = say(space, "- Tea is green.\n- Herons stand in reeds.")
    retain(space, [key], path="tea", actor=PERSON)
    edit(space, key, {"text": "- Tea is black.\n- Herons stand in reeds.\n- Boats leak."}, actor=PERSON)
    assert [found.line for found in stale(space, node(space, "tea"))] == ["Tea is green."]
    after, _ = freshen(space, "tea", actor=PERSON)
    assert sorted(after.text.splitlines()[2:]) == ["- Boats leak.", "- Herons stand in reeds.", "- Tea is black."]
    assert stale(space, after) == ()


def test_a_line_that_somebody_rewrote_is_nobodys_and_never_stale(space: Space) -> None:
    key = say(space, "Tea is green.")
    retain(space, [key], path="tea", actor=PERSON)
    found = node(space, "tea")
    edit(space, found.id, {"text": "# tea\n\n- Tea is mostly green."}, actor=PERSON)
    archive(space, [key], actor=PERSON)
    assert node(space, "tea").lines == () and stale(space, node(space, "tea")) == ()
