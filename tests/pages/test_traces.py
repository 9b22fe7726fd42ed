"""Traces as pages: the list with its filters and figures, one call with what was given, and the ways on from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client

from memoryapp import review, spaces
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Memory
from memoryapp.domain.trace import Act, Asker, Given, Result, Trace
from memoryapp.store import traces
from tests.pages.talking import ATLAS

Write = Callable[..., Memory]
Keep = Callable[..., Trace]
PORT = "The staging server listens on port 8080. Redis holds the queue."


@pytest.fixture
def keep(space: spaces.Space) -> Keep:
    """Keeps a trace as if the agent had asked a minute ago."""

    def kept(question: str = "which port?", **changes: object) -> Trace:
        one = Trace(
            id=new_id(), at=space.clock() - timedelta(minutes=1), act=Act.SEARCH, question=question, of_all=True,
            asker=Asker("atlas", "pal_1a2b3c4d", "reader"), strategy="hybrid", result=Result.ANSWERED, given=(),
            tokens=40, ms=12.0,
        )  # fmt: skip
        one = replace(one, **changes)  # type: ignore[arg-type]
        traces.keep(space.db, [one])
        return one

    return kept


def page(client: Client, url: str = "/traces/", **asked: str) -> str:
    answer = client.get(url, asked)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def test_before_an_agent_asked_the_page_says_how_one_is_connected(
    reader: Client, admin: Client, space: spaces.Space
) -> None:
    told = page(reader)
    assert "No agent has asked anything yet." in told and "connect claude-code" in told
    assert "/settings/keys/" in page(admin) and "/export/traces.csv" not in told


def test_the_list_says_who_asked_what_and_how_it_ended(reader: Client, keep: Keep) -> None:
    keep("which port?")
    keep("누가 서 있나?", result=Result.NOTHING, act=Act.CONTEXT, asker=Asker("scout", "pal_2b2b2b2b", "reader"))
    told = page(reader)
    assert "which port?" in told and "누가 서 있나?" in told and 'lang="ko"' in told
    assert "50%" in told and "2 calls" in told and "not answered" in told
    assert "/export/traces.csv" in told
    one = page(reader, agent="scout")
    assert "누가 서 있나?" in one and "which port?" not in one and "<h1>scout</h1>" in one


@pytest.mark.parametrize(
    ("asked", "found"),
    [({"result": "nothing"}, "b?"), ({"act": "context"}, "b?"), ({"question": "A"}, "a?"), ({"agent": "atlas"}, "a?")],
)
def test_the_list_is_narrowed_by_its_address(reader: Client, keep: Keep, asked: dict[str, str], found: str) -> None:
    keep("a?")
    keep("b?", result=Result.NOTHING, act=Act.CONTEXT, asker=Asker("scout", "pal_2b2b2b2b", "reader"))
    answer = reader.get("/export/traces.json", asked)
    assert [one["question"] for one in json.loads(answer.content)] == [found]


def test_a_filter_that_matches_nothing_says_so_and_one_that_is_none_is_refused(reader: Client, keep: Keep) -> None:
    keep()
    assert "No matching calls." in page(reader, agent="nobody")
    assert reader.get("/traces/", {"result": "maybe"}).status_code == 422
    assert reader.get("/traces/", {"key": "pal_ffffffff"}).status_code == 404
    assert reader.get("/traces/", {"after": "yesterday"}).status_code == 422


def test_the_list_is_paged_and_its_export_whole(reader: Client, space: spaces.Space, keep: Keep) -> None:
    for n in range(45):
        keep(f"question {n}?", at=space.clock() - timedelta(minutes=n + 1))
    first = page(reader)
    assert "question 0?" in first and "question 44?" not in first and "Older" in first
    assert len(json.loads(reader.get("/export/traces.json").content)) == 45


def test_one_call_shows_what_was_given_in_order_with_the_sentence_that_answered(
    reader: Client, space: spaces.Space, write: Write, keep: Keep
) -> None:
    port, other = write(PORT), write("Lunch is at noon.")
    given = (
        Given(port.id, 12, 0.83, answer=(0, 40), content_hash=port.content_hash[:16]),
        Given(other.id, 5, 0.1, content_hash=other.content_hash[:16]),
    )
    one = keep(given=given)
    review.feedback(space, used=[port.id], query="which port?", actor=ATLAS)
    told = page(reader, f"/traces/{one.id}/")
    assert '<span class="answer">The staging server listens on port 8080.</span>' in told
    assert told.index(port.id) < told.index(other.id) and "83% relevant" in told and ">used<" in told
    assert f"memory={port.id}#expected" in told.replace("&amp;", "&")
    assert "/search/?q=which" in told and "Fix this" in told


def test_a_call_that_found_nothing_says_so_and_leads_on(reader: Client, keep: Keep) -> None:
    one = keep(result=Result.NOTHING, act=Act.CONTEXT, budget=800)
    told = page(reader, f"/traces/{one.id}/")
    assert "Nothing relevant was found" in told and "/search/compare/?q=which" in told
    assert "/context/?m=which+port%3F&amp;budget=800" in told


def test_what_is_gone_changed_or_deleted_is_told(
    reader: Client, curator: Client, space: spaces.Space, write: Write, keep: Keep
) -> None:
    port = write(PORT)
    one = keep(given=(Given(port.id, 12, 0.8, answer=(0, 40), content_hash="0" * 16),))
    assert "changed since" in page(reader, f"/traces/{one.id}/")
    curator.post(f"/memories/{port.id}/delete/")
    told = page(reader, f"/traces/{one.id}/")
    assert "A curator can read it." in told and "8080" not in told
    assert "8080" in page(curator, f"/traces/{one.id}/")


def test_a_reader_does_not_see_what_a_curators_key_asked(reader: Client, curator: Client, keep: Keep) -> None:
    one = keep("secret plans?", asker=Asker("boss", "pal_9a9a9a9a", "curator"))
    assert "secret plans?" not in page(reader) and "secret plans?" in page(curator)
    assert reader.get(f"/traces/{one.id}/").status_code == 404
    assert json.loads(reader.get("/export/traces.json").content) == []


def test_a_curator_deletes_a_trace(reader: Client, curator: Client, keep: Keep) -> None:
    one = keep()
    assert reader.post(f"/traces/{one.id}/delete/").status_code == 403
    assert "Delete this trace?" not in page(reader, f"/traces/{one.id}/")
    assert curator.post(f"/traces/{one.id}/delete/").status_code == 302
    assert curator.get(f"/traces/{one.id}/").status_code == 404


def test_a_question_with_markup_is_text(reader: Client, keep: Keep) -> None:
    one = keep("<script>alert(1)</script> which port?")
    for told in (page(reader), page(reader, f"/traces/{one.id}/")):
        assert "<script>alert" not in told and "&lt;script&gt;" in told


def test_what_was_not_found_stands_on_home_until_it_is_asked_again_and_answered(
    curator: Client, reader: Client, space: spaces.Space, keep: Keep, write: Write
) -> None:
    write("The heron stands in the reeds.")
    assert "Asked and not found" not in page(curator, "/")
    one = keep("Whose heron is it?", result=Result.NOTHING)
    keep("Thanks!", result=Result.NOTHING, of_all=False)
    assert f'href="/traces/{one.id}/"' in page(curator, "/") and "Whose heron is it?" in page(reader, "/")
    assert "Thanks!" not in page(curator, "/")
    keep("whose heron is it", at=space.clock())
    assert "Asked and not found" not in page(curator, "/")
