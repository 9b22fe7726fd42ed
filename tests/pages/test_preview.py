from __future__ import annotations

import html
import re
from collections.abc import Callable

from django.test import Client

from memoryapp import spaces
from memoryapp.domain.memory import Kind, Memory
from memoryapp.store import conflicts, memories, stats
from tests.pages.talking import HTMX, say

Write = Callable[..., Memory]
TEXT = "I'm allergic to peanuts. How are you? We decided to move the database to Postgres 16."


def asked(client: Client, text: str = TEXT, **more: str) -> str:
    return client.post("/preview/", {"text": text, "speaker": "Mina", **more}, headers=HTMX).content.decode()


def picks(page: str) -> list[str]:
    return [html.unescape(one) for one in re.findall(r'name="pick" value="([^"]+)"', page)]


def test_candidates_and_what_is_passed_over_are_shown_and_nothing_is_stored(
    writer: Client, space: spaces.Space
) -> None:
    before = stats.counts(space.db)
    page = asked(writer)
    assert "Mina is allergic to peanuts." in page
    assert "extracted by rules (no LLM)" in page
    assert '<span class="tag good">decision</span>' in page
    assert "How are you?" in page
    assert "a question" in page
    assert "New: there is nothing like it yet." in page
    assert stats.counts(space.db) == before


def test_what_is_known_is_confirmed_and_what_cannot_both_hold_is_told(
    writer: Client, space: spaces.Space, write: Write
) -> None:
    home = write("Mina lives in Seoul.", kind=Kind.FACT, speaker="Mina")
    again = asked(writer, "I live in Seoul.")
    assert '<span class="tag">confirms</span>' in again
    assert f"/memories/{home.id}/" in again
    moved = asked(writer, "I live in Busan.")
    assert "possible conflict" in moved or "succession" in moved
    assert f"/memories/{home.id}/" in moved
    assert conflicts.count_waiting(space.db) == 0


def test_the_picked_ones_are_kept_and_no_others(curator: Client, space: spaces.Space) -> None:
    page = asked(curator)
    chosen = picks(page)
    assert len(chosen) == 2
    answer = curator.post("/preview/keep/", {"pick": chosen[:1]})
    assert answer["Location"] == "/facts/?sort=learned"
    kept = tuple(memories.scan(space.db))
    assert [memory.text for memory in kept] == ["Mina is allergic to peanuts."]
    assert kept[0].speaker == "Mina"
    assert kept[0].detail["quote"] == "I'm allergic to peanuts."
    shown = curator.get("/facts/").content.decode()
    assert "1 saved." in shown
    undo = re.search(r'data-undo="(/runs/[0-9a-f]{16}/undo/)"', shown)
    assert undo
    curator.post(undo[1])
    assert next(iter(memories.scan(space.db))).state != "held"


def test_what_was_tampered_with_is_not_kept(writer: Client, space: spaces.Space) -> None:
    (first, *_) = picks(asked(writer))
    assert writer.post("/preview/keep/", {"pick": [first[:-3] + "abc"]}).status_code == 422
    assert writer.post("/preview/keep/", {}).status_code == 422
    assert tuple(memories.scan(space.db)) == ()


def test_dates_count_from_when_it_was_said(writer: Client, space: spaces.Space) -> None:
    page = asked(writer, "I moved to Busan yesterday.", at="2026-03-10T12:00")
    assert "9 Mar 2026" in page


def test_a_turn_can_be_looked_at_again(reader: Client, space: spaces.Space) -> None:
    (turn,) = say(space, "I live in Busan.", speaker="지원")
    page = reader.get("/preview/", {"turn": turn.id}).content.decode()
    assert "I live in Busan.</textarea>" in page
    assert 'value="지원"' in page
    assert "monday, turn 1" in page
    assert reader.get("/preview/", {"turn": "0123456789abcdef"}).status_code == 404


def test_a_reader_looks_and_cannot_pick(reader: Client, space: spaces.Space) -> None:
    page = asked(reader)
    assert "Mina is allergic to peanuts." in page
    assert picks(page) == []


def test_for_a_reader_no_language_model_is_asked(reader: Client, space: spaces.Space) -> None:
    page = asked(reader, extractor="llm")
    assert "extracted by rules (no LLM)" in page and "rules were used instead" not in page
    assert 'name="extractor"' not in reader.get("/preview/").content.decode()


def test_words_that_cannot_be_read_are_refused_in_place(writer: Client, space: spaces.Space) -> None:
    for form in ({"text": "   "}, {"text": "x" * 20_001}, {"text": "x", "extractor": "psychic"}):
        answer = writer.post("/preview/", form, headers=HTMX)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.content.decode()


def test_where_no_model_is_set_up_the_page_says_that_the_rules_stood_in(writer: Client, space: spaces.Space) -> None:
    page = asked(writer, extractor="llm")
    assert "rules were used instead" in page
    assert "No chat model is set up." in page


def test_without_a_script_the_answer_is_a_whole_page(writer: Client, space: spaces.Space) -> None:
    page = writer.post("/preview/", {"text": TEXT, "speaker": "Mina"}).content.decode()
    assert "<html" in page
    assert "Mina is allergic to peanuts." in page
