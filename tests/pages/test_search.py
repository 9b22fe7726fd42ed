"""The search page: what it shows of a hit, what it refuses, and that looking is no recall."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memoryapp import review, spaces
from memoryapp.accounts.models import Space
from memoryapp.accounts.people import set_role
from memoryapp.accounts.roles import Role
from memoryapp.accounts.spaces import create_space, set_settings
from memoryapp.domain.identity import new_id
from memoryapp.domain.memory import Kind, Memory
from memoryapp.domain.node import new_node
from memoryapp.domain.strategies import STRATEGIES
from memoryapp.domain.turn import NewTurn
from memoryapp.extraction.facts.choose import reader_of
from memoryapp.remember import append_turns, read_turns
from memoryapp.store import memories, sessions, usage
from memoryapp.store.write import Batch, commit, new_run
from tests.pages.conftest import ATLAS

Write = Callable[..., Memory]


def hits(client: Client, address: str) -> list[str]:
    return re.findall(r'data-memory="([0-9a-f]{16})"', client.get(address).content.decode())


def test_a_hit_shows_its_rank_its_words_and_its_reason(reader: Client, write: Write) -> None:
    memory = write("The staging bucket lives in Seoul.")
    write("Deploys stop on Friday.")
    page = reader.get("/search/?q=staging+bucket").content.decode()
    assert hits(reader, "/search/?q=staging+bucket")[0] == memory.id
    assert "<mark>staging</mark> <mark>bucket</mark>" in page
    assert "keyword" in page
    assert re.search(r"= <b>\d\.\d{5}</b>", page)


def test_every_strategy_answers(reader: Client, write: Write) -> None:
    memory = write("The staging bucket lives in Seoul.")
    page = reader.get("/search/?q=bucket").content.decode()
    menu = re.compile(r'<option value="([a-z-]+)"( selected)?')
    assert [name for name, _ in menu.findall(page)] == ["hybrid", "bridge", "keyword", "vector"]
    for name in STRATEGIES:
        answer = reader.get(f"/search/?q=bucket&strategy={name}")
        assert (name, " selected") in menu.findall(answer.content.decode()), "what the address names stands in the menu"
        assert answer.status_code == 200, name
        if name not in ("graph", "bridge", "structural", "tree", "context-tree"):  # which need names, or nodes
            assert memory.id in answer.content.decode(), name


def test_a_node_is_shown_by_its_path_size_and_the_keywords_that_lead_to_it(reader: Client, space: spaces.Space) -> None:
    now = space.clock()
    text = "# Values\n\n" + "- Nothing of it.\n" * 200 + "- 정직하게 말한다.\n"
    node = new_node("identity/values", title="가치관", text=text, now=now, keywords=["정직", "가치관"])
    commit(space.db, new_run("grow", ATLAS, now=now), Batch(created=[node]), now=now)
    page = reader.get("/search/?q=정직하게 산다는 것&strategy=context-tree").content.decode()
    hit = page.split('data-memory="')[1].split("</article>")[0]
    assert "identity/values · 가치관" in hit and "node, 3.4 KB" in hit
    assert 'href="/tree/identity/values"' in hit
    assert "keyword <mark>정직</mark> in 정직하게" in hit
    assert "<mark>정직하게</mark> 말한다." in hit  # the line is cut around the match, far down the page
    assert re.search(r"tree 0\.40000 \+ keyword|keyword 0\.60000 \+ tree", hit)
    assert len(hit) < 3_000


def test_filters_reach_the_search(reader: Client, write: Write) -> None:
    note = write("The staging bucket lives in Seoul.")
    fact = write("The bucket is encrypted.", kind=Kind.FACT, tags=("infra",))
    assert set(hits(reader, "/search/?q=bucket&strategy=keyword")) == {note.id, fact.id}
    assert hits(reader, "/search/?q=bucket&strategy=keyword&kind=fact") == [fact.id]
    assert hits(reader, "/search/?q=bucket&strategy=keyword&tag=infra") == [fact.id]
    assert hits(reader, "/search/?q=bucket&strategy=keyword&as_of=2020-01-01T00:00") == []


def test_what_a_parent_space_holds_is_marked_and_opened_there(
    reader: Client, people: dict[Role, User], row: Space, write: Write
) -> None:
    memory = write("The staging bucket lives in Seoul.")
    child = create_space(f"w-{new_id()}", parent=row)
    set_role(people[Role.READER], child, Role.READER)
    page = reader.get("/search/", {"q": "staging bucket", "space": child.name}).content.decode()
    assert f"↳ from {row.name}" in page
    assert f'href="/memories/{memory.id}/?space={row.name}"' in page
    assert reader.get(f"/memories/{memory.id}/?space={row.name}").status_code == 200
    why = reader.get(f"/memories/{memory.id}/trust/?space={row.name}", headers={"X-Space": child.name})
    assert why.status_code == 200
    spaces.close_space(child.name)


def test_a_fact_says_who_said_it_and_its_mark_leads_to_the_case(
    reader: Client, people: dict[Role, User], row: Space, space: spaces.Space, write: Write
) -> None:
    write("Ada lives in Seoul.", kind=Kind.FACT, speaker="Ada")
    write("Ada lives in Busan.", kind=Kind.FACT, speaker="Ada")
    (case,) = review.queue(space, tab="waiting").cases
    mark = f'<a class="tag conflict" href="/conflicts/{case.conflict.id}/'
    for address in ("/search/?q=where+does+Ada+live", "/facts/", "/memories/"):
        page = reader.get(address).content.decode()
        assert page.count(f'{mark}">≠ conflict</a>') == 2, address
        assert page.count("said by Ada") >= 2, address
    assert reader.get(f"/conflicts/{case.conflict.id}/").status_code == 200
    child = create_space(f"w-{new_id()}", parent=row)
    set_role(people[Role.READER], child, Role.READER)
    below = reader.get("/search/", {"q": "where does Ada live", "space": child.name}).content.decode()
    assert f'{mark}?space={row.name}">' in below
    spaces.close_space(child.name)


def test_a_page_of_the_past_says_so_and_leads_back(reader: Client, write: Write) -> None:
    write("The staging bucket lives in Seoul.")
    for address in ("/search/?q=bucket&kind=note", "/memories/?kind=note", "/facts/?tag=infra"):
        assert 'class="asof"' not in reader.get(address).content.decode(), address
        page = reader.get(f"{address}&as_of=2020-01-01T09:00").content.decode()
        assert "You are looking at <b>1 Jan 2020, 09:00</b>: what was believed then." in page, address
        back = re.search(r'<a href="(\?[^"]*)" data-now>Back to now</a>', page)
        assert back is not None and f"?{address.split('?')[1]}" == back[1].replace("&amp;", "&"), address


def test_a_list_of_the_past_has_the_words_of_then_and_offers_no_change(
    curator: Client, space: spaces.Space, write: Write
) -> None:
    fact = write("The wifi password is kestrel.", kind=Kind.FACT)
    then = (space.clock() + timedelta(milliseconds=1)).isoformat()
    time.sleep(0.01)
    review.edit(space, fact.id, {"text": "The wifi password is osprey."}, actor=ATLAS)
    for address in ("/facts/", "/memories/"):
        page = curator.get(address, {"as_of": then}).content.decode()
        assert "kestrel" in page and "osprey" not in page, address
        assert "data-edit" not in page and "data-pick-all" not in page and "Editing is off." in page, address
    assert "kestrel" in curator.get("/search/", {"q": "wifi password", "as_of": then}).content.decode()


def test_looking_at_a_result_in_the_browser_is_no_recall(reader: Client, space: spaces.Space, write: Write) -> None:
    memory = write("The staging bucket lives in Seoul.")
    reader.get("/search/?q=bucket")
    assert usage.get_many(space.db, [memory.id]) == {}


def test_what_was_not_compared_by_meaning_is_not_said_to_have_none(
    reader: Client, space: spaces.Space, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("Zebras graze.")
    offer, untrue = "Search by meaning only", "shares a word or a meaning"
    monkeypatch.setattr(type(space.encoder.get(0)), "languages", frozenset({"en"}))
    page = reader.get("/search/", {"q": "전화번호"}).content.decode()
    assert "Meanings were not compared." in page
    assert offer not in page and untrue not in page
    page = reader.get("/search/", {"q": "zzzqqq", "strategy": "keyword"}).content.decode()
    assert offer in page and untrue in page


def test_a_question_in_markup_stays_a_question(reader: Client, write: Write) -> None:
    write("Something.")
    page = reader.get("/search/", {"q": '"><script>alert(1)</script>', "strategy": "keyword"}).content.decode()
    assert "<script>alert" not in page


def test_what_cannot_be_asked_is_told(reader: Client, space: spaces.Space) -> None:
    for address, words in (
        ("/search/?q=x&strategy=magic", "There is no strategy"),
        ("/search/?q=x&top=9000", "1 to 30 results"),
        ("/search/?q=x&kind=blue", "is not a kind"),
        ("/search/?q=" + "x" * 8001, "8,000"),
    ):
        answer = reader.get(address)
        assert answer.status_code in (413, 422), address
        assert words in answer.content.decode(), address


def test_before_the_first_question_the_page_says_what_to_ask(reader: Client, space: spaces.Space) -> None:
    assert "Ask as an agent would." in reader.get("/search/").content.decode()
    assert "This space holds no memories yet." in reader.get("/search/?q=anything").content.decode()


def said(space: spaces.Space, text: str) -> tuple[str, str]:
    """Ids of a turn and of the fact that was learned from it."""
    sessions.open_session(space.db, sessions.Session("standup", space.clock()))
    (turn,) = append_turns(space, "standup", [NewTurn(text, speaker="Mina")], actor=ATLAS)
    read_turns(space, reader=reader_of("rules", model=None, worth=2.5), actor=ATLAS)
    (fact,) = memories.of_turns(space.db, [turn.id])
    return turn.id, fact.id


def test_a_fact_and_what_was_said_are_one_hit(reader: Client, space: spaces.Space) -> None:
    turn, fact = said(space, "I keep the spare keys in a blue teapot.")
    assert len(hits(reader, "/search/?q=blue+teapot")) == 1
    page = reader.get("/search/?q=blue+teapot").content.decode()
    assert page.count("<mark>teapot</mark>") >= 2
    assert 'class="said' in page or 'class="learned"' in page
    assert hits(reader, "/search/?q=blue+teapot&kind=turn") == [turn]
    assert hits(reader, "/search/?q=blue+teapot&kind=fact") == [fact]


def test_what_is_not_likely_to_answer_says_so(reader: Client, write: Write, space: spaces.Space) -> None:
    write("The staging bucket lives in Seoul.")
    told = "Nothing here is likely to answer"
    assert told not in reader.get("/search/?q=staging+bucket").content.decode()
    row = Space.objects.get(name=space.name)
    set_settings(row, {"relevance_floor": 1.0})
    try:
        assert hits(reader, "/search/?q=staging+bucket")
        assert told in reader.get("/search/?q=staging+bucket").content.decode()
    finally:
        set_settings(row, {})


def test_the_page_of_a_turn_leads_to_its_session_and_offers_no_edit(curator: Client, space: spaces.Space) -> None:
    turn, fact = said(space, "I keep the spare keys in a blue teapot.")
    page = curator.get(f"/memories/{turn}/").content.decode()
    assert "Learned from it" in page and f"/memories/{fact}/" in page
    assert "Open the session" in page and "standup, turn 1" in page
    assert "data-edit" not in page and ">Confirm<" not in page and "<h2>Trust</h2>" not in page
    assert ">Delete<" in page and ">Purge<" in page


def test_a_question_shows_its_reply(reader: Client, space: spaces.Space) -> None:
    sessions.open_session(space.db, sessions.Session("quay", space.clock()))
    new = [NewTurn("Which berth has the heron?", speaker="Mina"), NewTurn("The <b>ninth</b> berth.", speaker="Ben")]
    asked, reply = append_turns(space, "quay", new, actor=ATLAS)
    page = reader.get("/search/?q=which+berth").content.decode()
    shown = {key: page.split(f'data-memory="{key}"')[1].split("</article>")[0] for key in (asked.id, reply.id)}
    assert "Reply: The &lt;b&gt;ninth&lt;/b&gt; <mark>berth</mark>." in shown[asked.id]
    assert "Reply:" not in shown[reply.id]
