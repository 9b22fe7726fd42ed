from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from memoryapp import review, spaces
from memoryapp.domain.memory import Kind, State
from memoryapp.domain.turn import ReadingStatus, Role
from memoryapp.interfaces.sessions.presenter import learned_in, lines_of
from memoryapp.jobs.models import Job
from memoryapp.store import memories, sessions, turns
from memoryapp.store.database import Database
from memoryapp.store.write import Batch, commit, new_run
from tests.markup import PageClient
from tests.pages.talking import ATLAS, HTMX, opened, read, say, told

AWAY = (State.ARCHIVED, State.DELETED)
PEANUTS = "I'm allergic to peanuts, so never order from the Thai place."


def page_of(client: Client, name: str = "monday", **asked: object) -> str:
    session = sessions.Session(name, None)  # type: ignore[arg-type]
    return client.get(f"/sessions/{session.id}/", asked).content.decode()


def address(name: str = "monday") -> str:
    return f"/sessions/{sessions.Session(name, None).id}/"  # type: ignore[arg-type]


def test_an_empty_space_tells_what_a_session_is(reader: Client, space: spaces.Space) -> None:
    page = reader.get("/sessions/").content.decode()
    assert "No sessions yet." in page
    assert "Open one by hand" not in page


def test_the_list_tells_what_each_session_came_to(reader: Client, space: spaces.Space) -> None:
    told(space, "We decided to move the database to Postgres 16.", PEANUTS)
    say(space, "Hello again.", session="오늘 오전")
    page = reader.get("/sessions/").content.decode()
    rows = re.findall(r"<tr data-item>.*?</tr>", page, re.DOTALL)
    assert len(rows) == 2
    assert "오늘 오전" in rows[0]
    assert "1 to process" in rows[0]
    assert "ended" in rows[1]
    assert "monday" in rows[1]
    under_way = reader.get("/sessions/", {"which": "under-way"}).content.decode()
    assert "오늘 오전" in under_way
    assert "monday" not in under_way
    assert reader.get("/sessions/", {"which": "lost"}).status_code == 422


def test_facts_of_a_session_are_those_first_learned_there_that_nobody_deleted(space: spaces.Space) -> None:
    told(space, "We decided to move the database to Postgres 16.", PEANUTS)
    told(space, PEANUTS, "I moved to Busan.", session="tuesday")  # the first is known by then
    of_monday = [one for one in memories.scan(space.db) if one.kind is Kind.FACT and one.origin.session == "monday"]
    names = ["monday", "tuesday", "never"]
    assert learned_in(space, names) == {"monday": len(of_monday), "tuesday": 1, "never": 0}
    archived, deleted = (replace(one, state=state) for one, state in zip(of_monday, AWAY, strict=False))
    batch = Batch(updated=list(zip(of_monday, (archived, deleted), strict=False)))
    commit(space.db, new_run("delete", ATLAS, now=space.clock()), batch, now=space.clock())
    assert learned_in(space, names) == {"monday": len(of_monday) - 1, "tuesday": 1, "never": 0}


def test_the_list_is_paged_without_a_gap(reader: Client, space: spaces.Space) -> None:
    now = space.clock()
    for n in range(35):
        opened(space, f"talk {n:02}", at=now - timedelta(minutes=n // 3))
    first = reader.get("/sessions/").content.decode()
    older = re.search(r'rel="next" href="([^"]+)"', first)
    assert older
    second = reader.get("/sessions/" + older[1].replace("&amp;", "&")).content.decode()
    names = [re.findall(r">(talk \d\d)</a>", page) for page in (first, second)]
    assert [len(page) for page in names] == [30, 5]
    assert len({*names[0], *names[1]}) == 35


def test_a_turn_shows_what_was_learned_from_it_and_where_it_says_so(reader: Client, space: spaces.Space) -> None:
    say(space, f"Hello there. {PEANUTS}")
    read(space)
    page = page_of(reader)
    assert f"<mark>{PEANUTS.replace(chr(39), '&#x27;')}</mark>" in page
    assert "Mina is allergic to peanuts" in page
    assert '<span class="tag good">learned</span>' in page
    assert "extracted by rules (no LLM)" in page
    assert "1 sentence skipped" in page


def test_what_was_purged_since_is_told_without_its_words(reader: Client, space: spaces.Space) -> None:
    (turn,) = say(space, "I live in Gwangju.")
    read(space)
    (learned,) = turns.readings(space.db, [turn.id])[turn.id].learned
    review.purge(space, learned.memory, actor=ATLAS)
    page = page_of(reader)
    assert "Gwangju" not in page


def test_code_stands_as_it_is_and_markup_is_text(reader: Client, space: spaces.Space) -> None:
    say(space, "Look:\n\n```python\nprint('<b>')\n```\n\n<script>alert(1)</script>")
    page = page_of(reader)
    assert '<pre tabindex="0"><code>print(&#x27;&lt;b&gt;&#x27;)</code></pre>' in page
    assert "<script>alert" not in page


def test_who_is_not_read_is_told_so(reader: Client, space: spaces.Space) -> None:
    say(space, "exit 0", role=Role.TOOL)
    assert "not processed: said by a tool" in page_of(reader)


def test_a_problem_of_the_model_stands_beside_its_turn(reader: Client, space: spaces.Space) -> None:
    from dataclasses import replace

    (turn,) = say(space, PEANUTS)
    read(space)
    reading = turns.readings(space.db, [turn.id])[turn.id]
    turns.save_readings(space.db, [replace(reading, problem="The chat model did not answer within 60 s.")])
    assert "The chat model did not answer within 60 s. Rules were used instead." in page_of(reader)
    turns.save_readings(space.db, [replace(reading, problem="No sense.", status=ReadingStatus.FAILED, learned=())])
    page = page_of(reader)
    assert "could not be processed" in page
    assert "Rules were used instead." not in page


def test_the_conversation_stays_fresh_while_turns_wait_and_is_silent_when_nothing_changed(
    reader: Client, space: spaces.Space
) -> None:
    say(space, PEANUTS)
    page = page_of(reader)
    asks = re.search(r'hx-get="([^"]+/said/[^"]+)" hx-trigger="every 2s"', page)
    assert asks
    live = asks[1].replace("&amp;", "&")
    assert reader.get(live, headers=HTMX).status_code == 204
    read(space)
    fresh = reader.get(live, headers=HTMX).content.decode()
    assert "Mina is allergic to peanuts" in fresh
    assert 'hx-trigger="every 6s"' in fresh  # more may be said
    assert 'id="beside" hx-swap-oob="true"' in fresh
    sessions.end(space.db, "monday", at=space.clock())
    assert 'hx-trigger="every' not in page_of(reader)


def test_a_long_session_is_shown_in_stretches(reader: Client, space: spaces.Space) -> None:
    say(space, *(f"This is turn {n}." for n in range(1, 91)))
    first = page_of(reader)
    assert "turns 1 to 40 of 90" in first
    assert "This is turn 41." not in first
    assert "turns 41 to 80 of 90" in page_of(reader, after=40)
    around = page_of(reader, turn=57)
    assert 'id="t57"' in around
    assert 'id="t53"' not in around


def test_a_very_long_turn_is_cut_and_can_be_seen_whole(reader: Client, space: spaces.Space) -> None:
    say(space, "word " * 3000 + "end-of-it")
    page = page_of(reader)
    assert "end-of-it" not in page
    assert "Show all 15,009 characters" in page
    assert "end-of-it" in page_of(reader, whole=1)


@pytest.mark.long
def test_a_page_stays_small_however_much_is_said(reader: PageClient, space: spaces.Space) -> None:
    say(space, *(["말이 아주 긴 차례입니다. " * 500] * 30))
    read(space)
    reader.get(address())
    assert reader.weight < 25_000
    assert re.search(r"turns 1 to \d of 30", page_of(reader))


def test_a_person_can_say_something(writer: Client, space: spaces.Space) -> None:
    opened(space)
    answer = writer.post(f"{address()}say/", {"text": "I live in Busan.", "speaker": "Mina"}, headers=HTMX)
    assert "I live in Busan." in answer.content.decode()
    (turn,) = turns.of_session(space.db, "monday")
    assert (turn.speaker, turn.role) == ("Mina", Role.USER)
    assert Job.objects.filter(kind="read", space=space.name).count() == 1
    assert writer.post(f"{address()}say/", {"text": "  ", "speaker": "Mina"}, headers=HTMX).status_code == 422
    assert writer.post(f"{address()}say/", {"text": "x", "role": "king"}, headers=HTMX).status_code == 422


def test_an_ended_session_takes_no_more(writer: Client, space: spaces.Space) -> None:
    say(space, PEANUTS)
    assert writer.post(f"{address()}end/", headers=HTMX)["HX-Redirect"] == address()
    assert Job.objects.filter(kind="narrate", space=space.name).count() == 1
    assert "being written" in page_of(writer)
    assert "data-say" not in page_of(writer)
    assert writer.post(f"{address()}say/", {"text": "One more."}, headers=HTMX).status_code == 409


def test_turns_can_be_read_again(writer: Client, space: spaces.Space) -> None:
    say(space, PEANUTS, "I live in Busan.")
    read(space)
    answer = writer.post(f"{address()}read/", headers=HTMX)
    assert "2 turns wait to be processed" in answer["HX-Trigger"]
    assert turns.count_waiting(space.db) == 2
    before = {memory.id for memory in memories.of_session(space.db, "monday")}
    read(space)
    assert {memory.id for memory in memories.of_session(space.db, "monday")} == before


def test_a_session_is_opened_by_hand(writer: Client, space: spaces.Space) -> None:
    answer = writer.post("/sessions/begin/", {"name": "  오늘   회의 "})
    assert answer["Location"] == address("오늘 회의")
    assert sessions.get(space.db, "오늘 회의").ended_at is None
    assert writer.post("/sessions/begin/", {"name": " "}).status_code == 422


def test_notes_under_a_name_nobody_opened_have_a_list(reader: Client, write, space: spaces.Space) -> None:  # type: ignore[no-untyped-def]
    write("Kept under a name.", session="loose")
    answer = reader.get(address("loose"), {"of": "loose"})
    assert answer["Location"] == "/memories/?source=loose"
    assert reader.get(address("loose")).status_code == 404
    assert reader.get(address("loose"), {"of": "another"}).status_code == 404


def test_a_reader_can_do_nothing_to_a_session(reader: Client, space: spaces.Space) -> None:
    say(space, PEANUTS)
    assert "hx-post" not in page_of(reader)


def test_the_list_asks_no_more_of_the_store_for_many_sessions_than_for_one(
    space: spaces.Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        say(space, "Hello.", session=f"day {number}")
    asked: list[str] = []
    sent = Database.query

    def query(self: Database, statements: str, **bound: object) -> object:
        asked.append(statements)
        return sent(self, statements, **bound)

    found = sessions.page(space.db)
    space.index.refresh()
    monkeypatch.setattr(Database, "query", query)
    lines_of(space, found[:1])
    for_one = len(asked)
    assert [line.waiting for line in lines_of(space, found)] == [1, 1, 1, 1]
    assert len(asked) == 2 * for_one


def test_a_turn_is_said_in_private_and_a_session_is_made_so(writer: Client, space: spaces.Space) -> None:
    talk = sessions.open_session(space.db, sessions.Session("talk", space.clock()))
    writer.post(f"/sessions/{talk.id}/say/", {"text": "The key is under the mat.", "private": "1"})
    page = writer.get(f"/sessions/{talk.id}/").content.decode()
    assert "[private]" in page and "private: not learned from" in page and "under the mat" not in page
    writer.post(f"/sessions/{talk.id}/private/", {"private": "1"})
    writer.post(f"/sessions/{talk.id}/say/", {"text": "The ladder is in the shed."})
    page = writer.get(f"/sessions/{talk.id}/").content.decode()
    assert "This session is private" in page and "ladder" not in page
    assert writer.post(f"/sessions/{talk.id}/erase/").status_code == 403
