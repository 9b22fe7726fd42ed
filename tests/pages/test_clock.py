"""The clock of the pages: every page of the past says so, its links stay there, and nothing is written from it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from memoryapp import review, spaces
from memoryapp.domain.errors import BadInput
from memoryapp.domain.filters import AsOfBy
from memoryapp.domain.memory import Kind, Memory
from memoryapp.interfaces.pages.carry import carried, carry
from memoryapp.interfaces.pages.clock import PageClock, clock_of, is_set_in, life_of
from memoryapp.store import memories
from tests.pages.conftest import ATLAS

Write = Callable[..., Memory]
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
LAST_WEEK = PageClock(datetime(2026, 11, 14, 9, 30, tzinfo=UTC))
FOLLOWING = (
    "/", "/facts/", "/memories/", "/entities/", "/graph/", "/tree/", "/episodes/", "/audit/", "/search/?q=heron",
    "/search/compare/?q=heron", "/context/?m=heron",
)  # fmt: skip
PRESENT = (
    "/conflicts/", "/inbox/", "/sessions/", "/summaries/", "/ingest/", "/jobs/", "/consolidate/", "/preview/",
    "/traces/", "/feedback/", "/search/golden/", "/search/profiles/", "/benchmarks/", "/settings/", "/settings/health/",
    "/settings/spaces/", "/settings/people/", "/settings/keys/", "/settings/backups/", "/settings/me/",
)  # fmt: skip


def shown(client: Client, address: str, **asked: str) -> str:
    return client.get(address, asked).content.decode() if asked else client.get(address).content.decode()


def at(address: str, when: datetime, **more: str) -> str:
    query = PageClock(when, AsOfBy(more.pop("by", "recorded"))).query
    return f"{address}{'&' if '?' in address else '?'}{query}"


@pytest.fixture
def then(space: spaces.Space, write: Write) -> datetime:
    """An instant before which a heron was learned, and after which it was reworded and an owl came."""
    fact = write("The heron stands in the reeds.", kind=Kind.FACT)
    moment = space.clock()
    time.sleep(0.01)
    review.edit(space, fact.id, {"text": "The heron stands on the roof."}, actor=ATLAS)
    write("The owl sleeps in the barn.", kind=Kind.FACT)
    return moment


# ── what an address says


def test_an_address_sets_the_clock_in_the_readers_zone_and_says_it_in_utc() -> None:
    clock = clock_of(QueryDict("as_of=2026-11-14T09:30"), now=NOW)
    assert clock == LAST_WEEK and clock.query == "as_of=2026-11-14T09:30Z"
    valid = clock_of(QueryDict("as_of=2026-11-14T09:30:01.5Z&as_of_by=valid"), now=NOW)
    assert valid is not None and valid.valid
    assert clock_of(QueryDict(valid.query), now=NOW) == valid
    assert clock_of(QueryDict("q=heron"), now=NOW) is None


@pytest.mark.parametrize(
    ("asked", "field", "told"),
    [
        ("as_of=yesterday", "as_of", "is not a date"),
        ("as_of=2026-11-22", "as_of", "22 Nov 2026, 00:00 is still to come"),
        ("as_of=0004-01-01", "as_of", "after the year 1900"),
        ("as_of=2026-11-01&as_of_by=hearsay", "as_of_by", "“hearsay” is not a reading"),
    ],
)
def test_what_is_no_past_instant_is_refused(asked: str, field: str, told: str) -> None:
    with pytest.raises(BadInput, match=re.escape(told)) as refused:
        clock_of(QueryDict(asked), now=NOW)
    assert refused.value.field == field


def test_an_address_tells_whether_it_is_one_of_the_past() -> None:
    assert is_set_in("/facts/?q=x&as_of=2026-11-14")
    assert not is_set_in("/facts/?as_of=") and not is_set_in("/facts/?q=as_of") and not is_set_in("")


# ── what a page of the past is made of


@pytest.mark.parametrize(
    ("address", "leads"),
    [
        ("/facts/", "/facts/?as_of=2026-11-14T09:30Z"),
        ("/facts/?q=a&amp;sort=trust", "/facts/?q=a&amp;sort=trust&amp;as_of=2026-11-14T09:30Z"),
        ("?q=%22", "?q=%22&amp;as_of=2026-11-14T09:30Z"),
        ("/memories/1/#layers", "/memories/1/?as_of=2026-11-14T09:30Z#layers"),
        ("/facts/?as_of=2026-11-01", "/facts/?as_of=2026-11-01"),
        ("/static/css/base.css", "/static/css/base.css"),
        ("/api/docs", "/api/docs"),
        ("https://example.org/", "https://example.org/"),
        ("//example.org/", "//example.org/"),
        ("#main", "#main"),
        ("mailto:a@b", "mailto:a@b"),
    ],
)
def test_an_address_of_a_page_takes_the_clock_along(address: str, leads: str) -> None:
    assert carried(address, LAST_WEEK) == leads


def test_links_and_questions_take_it_along_and_what_writes_is_off() -> None:
    html = """
    <a href="/facts/" title="a > b">Facts</a> <a href="?q=x" data-now>Now</a>
    <button hx-get="/row/">Open</button> <button hx-post="/row/">Save</button> <li hx-get="/more/"></li>
    <form action="/search/"><input name="q"><button>Ask</button></form>
    <form action="/x/"><input type="hidden" name="as_of" value="2026-11-01"></form>
    <form method="post" action="/run/"><input type="hidden" name="a"><input name="b"><button disabled>Go</button>
    <select name="c"></select><textarea name="d"></textarea></form><input name="outside">
    <form hx-post="/save/"><button class="btn">Save</button></form>
    <form method="post" action="/logout/" data-now><button>Sign out</button></form>
    """
    made = carry(html, LAST_WEEK)
    clock = "as_of=2026-11-14T09:30Z"
    hidden = '<input type="hidden" name="as_of" value="2026-11-14T09:30Z">'
    assert f'<a href="/facts/?{clock}" title="a > b">' in made and '<a href="?q=x" data-now>' in made
    assert f'<button hx-get="/row/?{clock}">' in made and f'<li hx-get="/more/?{clock}">' in made
    assert '<button hx-post="/row/" disabled>' in made and '<button class="btn" disabled>Save' in made
    assert f'<form action="/search/">{hidden}' in made and f'<form action="/x/">{hidden}' not in made
    assert '<input type="hidden" name="a">' in made and '<input name="b" disabled>' in made
    assert "<button disabled>Go" in made and '<select name="c" disabled>' in made
    assert '<textarea name="d" disabled>' in made and '<input name="outside">' in made
    assert "<button>Sign out" in made and "<button>Ask" in made


def test_every_page_that_has_a_past_says_which_instant_it_shows(admin: Client, then: datetime) -> None:
    for address in FOLLOWING:
        page = shown(admin, at(address, then))
        assert "what was believed then." in page and "Editing is off." in page, address
        check_nothing_writes(page)
        check_links(page)


def test_every_other_page_says_that_it_shows_the_present(admin: Client, then: datetime) -> None:
    for address in PRESENT:
        page = shown(admin, at(address, then))
        assert "<b>This page shows the present.</b>" in page and "editing is off." in page, address
        check_nothing_writes(page)
        check_links(page)


def check_nothing_writes(page: str) -> None:
    for control in re.findall(r"<(?:button|input|select|textarea)\b[^>]*\shx-(?:post|put|patch|delete)=[^>]*>", page):
        assert " disabled" in control, control
    for head, inside in re.findall(r'(<form\b[^>]*(?:method="post"|hx-post=)[^>]*>)(.*?)</form>', page, re.DOTALL):
        if "/logout/" not in head:
            for control in re.findall(r"<(?:button|input|select|textarea)\b[^>]*>", inside):
                assert " disabled" in control or 'type="hidden"' in control, (head, control)


def check_links(page: str) -> None:
    leads = re.findall(r'<a\b(?![^>]*\sdata-now)[^>]*\shref="([/?][^"]*)"', page)
    lost = [one for one in leads if "as_of=" not in one and not one.startswith(("/api/", "/static/"))]
    assert len(leads) > 10 and not lost, lost


def test_now_every_page_has_the_clock_and_no_banner(reader: Client, then: datetime) -> None:
    page = shown(reader, "/facts/")
    assert 'popovertarget="clock"' in page and 'class="asof"' not in page and 'name="as_of"' in page
    assert not [one for one in re.findall(r'<a\b(?![^>]*\sdata-now)[^>]*\shref="([^"]*)"', page) if "as_of=" in one]


def test_the_way_back_leaves_all_else_of_the_address(reader: Client, then: datetime) -> None:
    page = shown(reader, at("/facts/?q=heron&sort=learned", then))
    back = re.findall(r'<a[^>]*href="(\?[^"]*)" data-now>Back to now</a>', page)
    assert {unescape(one) for one in back} == {"?q=heron&sort=learned"}


# ── what they show


def test_lists_search_home_and_a_memory_are_of_that_instant(
    curator: Client, space: spaces.Space, then: datetime
) -> None:
    for address in ("/facts/", "/memories/", "/search/?q=heron&strategy=keyword"):
        page = shown(curator, at(address, then))
        assert "in the reeds" in page and "on the roof" not in page and "owl" not in page, address
    home = shown(curator, at("/", then))
    assert "in the reeds" in home and "owl" not in home and "on the roof" not in home
    assert "Conflicts waiting" not in home and 'id="running"' not in home
    (heron,) = [one for one in memories.scan(space.db) if "heron" in one.text]
    one = shown(curator, at(f"/memories/{heron.id}/", then))
    assert "in the reeds" in one and "on the roof" not in one and "data-edit" not in one and "Purge" not in one
    assert "on the roof" in shown(curator, f"/memories/{heron.id}/")


def test_the_counts_of_the_side_bar_are_of_that_instant(reader: Client, then: datetime) -> None:
    def facts(page: str) -> str:
        found = re.search(r'href="/facts/[^"]*"[^>]*>.*?<span class="n">(\d+)</span>', page, re.DOTALL)
        assert found is not None
        return found[1]

    assert facts(shown(reader, "/facts/")) == "2"
    assert facts(shown(reader, at("/facts/", then))) == "1"


def test_ages_count_from_that_instant(reader: Client, space: spaces.Space, write: Write) -> None:
    now = space.clock()
    write("The heron stands in the reeds.", occurred_at=now - timedelta(days=9, hours=2))
    then = now - timedelta(days=5, hours=1)
    assert re.search(r"<time[^>]*>in 5 d</time>", shown(reader, at("/memories/", then)))  # it was learned today
    assert re.search(r"<time[^>]*>4 d</time>", shown(reader, at("/memories/?sort=confirmed", then)))


def test_a_memory_that_nobody_knew_yet_says_since_when_it_is_known(
    reader: Client, space: spaces.Space, then: datetime
) -> None:
    (owl,) = [one for one in memories.scan(space.db) if "owl" in one.text]
    answer = reader.get(at(f"/memories/{owl.id}/", then))
    page = answer.content.decode()
    assert answer.status_code == 404 and "Nobody knew it yet." in page and "owl" not in page
    assert f'href="/memories/{owl.id}/" data-now' in page


def test_before_the_first_memory_nothing_was_known(reader: Client, then: datetime) -> None:
    early = then - timedelta(days=800)
    home = shown(reader, at("/", early))
    assert "Nothing was known yet." in home and "First steps" not in home
    for address in FOLLOWING:
        page = reader.get(at(address, early))
        assert page.status_code == 200 and "heron stands" not in page.content.decode(), address


def test_what_was_true_then_is_told_as_it_is_known_today(reader: Client, space: spaces.Space, write: Write) -> None:
    now = space.clock()
    write("Mina lives in Busan.", kind=Kind.FACT, valid_from=now - timedelta(days=60))
    write(
        "Mina lived in Seoul.", kind=Kind.FACT, valid_from=now - timedelta(days=900), valid_to=now - timedelta(days=60)
    )
    month = now - timedelta(days=30)
    for address in ("/facts/", "/search/?q=Mina&strategy=keyword", "/memories/"):
        believed, true = shown(reader, at(address, month)), shown(reader, at(address, month, by="valid"))
        assert "Busan" not in believed and "Busan" in true and "Seoul" not in true, address
        assert "what was true then, as it is known today." in true
        assert "as_of_by=valid" in "".join(re.findall(r'href="(/graph/[^"]*)"', true)), address
    assert "What was true then cannot be told on this page." in shown(reader, at("/graph/", month, by="valid"))


# ── what is typed, and what is sent


@pytest.mark.parametrize("typed", ["2999-01-01T00:00", "the day before"])
def test_a_time_that_cannot_be_shown_is_told_beside_its_field(reader: Client, then: datetime, typed: str) -> None:
    answer = reader.get("/facts/", {"as_of": typed, "q": "heron"})
    page = answer.content.decode()
    assert answer.status_code == 422
    field = re.search(r'<input id="clock-at"[^>]*>', page)
    assert field is not None and f'value="{typed}"' in field[0] and 'aria-describedby="clock-problem"' in field[0]
    told = re.search(r'<span class="wrong" id="clock-problem" role="alert">(.*?)</span>', page)
    assert told is not None and ("still to come" in told[1] or "is not a date" in told[1])
    assert '<input type="hidden" name="q" value="heron">' in page and page.count('id="clock-at"') == 1


def test_what_is_sent_from_a_page_of_the_past_changes_nothing(
    curator: Client, space: spaces.Space, then: datetime
) -> None:
    (owl,) = [one for one in memories.scan(space.db) if "owl" in one.text]
    root = "http://testserver"
    sent: dict[str, Any] = {"path": f"/memories/{owl.id}/archive/", "data": {}}
    for headers in (
        {"HX-Request": "true", "HX-Current-URL": root + at("/facts/", then)},
        {"Referer": root + at("/settings/", then)},
    ):
        answer = curator.post(**sent, headers=headers)
        assert answer.status_code == 409 and "You are looking at the past. Nothing was changed." in (
            answer.headers.get("HX-Trigger", "") + answer.content.decode()
        )
    assert memories.get(space.db, owl.id).state == "held"
    answer = curator.post(**sent, headers={"HX-Request": "true", "HX-Current-URL": f"{root}/facts/"})
    assert answer.status_code == 200 and memories.get(space.db, owl.id).state == "archived"


def test_going_on_from_a_page_that_only_leads_on_keeps_the_instant(reader: Client, then: datetime) -> None:
    answer = reader.get("/graph/find/", {"q": "nobody at all", **PageClock(then).parameters})
    assert answer.status_code == 302 and "as_of=" in answer["Location"]


# ── what it is set with


def test_it_offers_days_of_the_life_of_the_space_and_its_history(
    reader: Client, space: spaces.Space, write: Write
) -> None:
    now = space.clock()
    for days in (1, 9, 9, 20):
        write(f"Something of {days} days ago, {now.microsecond}.", occurred_at=now - timedelta(days=days, hours=1))
    space.index.refresh()
    life = life_of(space, PageClock(now - timedelta(days=9)), now=now)
    assert life is not None and life.unit == "day" and life.steps in (21, 22) and life.step in range(11, 14)
    assert life.bars.count("M") == 3 and "memories since" in life.told
    page = shown(reader, at("/facts/?q=of", now - timedelta(days=9)))
    offered = re.findall(r'<a href="([^"]*)" data-now title="[^"]*"[^>]*>([^<]*)</a>', page)
    assert [told for _, told in offered][:2] == ["Yesterday", "A week ago"]
    assert not [told for _, told in offered if told == "A month ago"]  # nothing was known then
    assert all(unescape(href).startswith("/facts/?q=of&as_of=") for href, _ in offered)


def test_a_few_from_long_before_all_others_leave_those_their_room(space: spaces.Space, write: Write) -> None:
    now, words = space.clock(), ("heron", "owl", "kite", "crane", "gull", "rook", "swift", "wren")
    for n in range(56):
        text = f"The {words[n % 8]} of day {n} sat on roof {n * 7}."
        write(text, occurred_at=now - timedelta(days=n % 20, hours=1))
    write("The first bird was named.", occurred_at=now - timedelta(days=4000))
    space.index.refresh()
    life = life_of(space, None, now=now)
    assert life is not None and life.steps < 30


def test_an_empty_space_has_a_clock_without_a_history(reader: Client, space: spaces.Space) -> None:
    page = shown(reader, "/facts/")
    assert 'id="clock-at"' in page and 'id="clock-step"' not in page
    assert life_of(space, None, now=space.clock()) is None


def test_the_palette_opens_it_and_leads_back(curator: Client, then: datetime) -> None:
    def offered(**asked: str) -> str:
        return curator.get("/palette/", asked, headers={"HX-Request": "true"}).content.decode()

    assert 'data-does="clock"' in offered(q="look at the past") and 'data-does="now"' not in offered()
    past = PageClock(then).parameters
    assert 'data-does="now"' in offered(**past) and "New fact" not in offered(**past)
    found = offered(q="heron", **past)
    assert "in the reeds" in found and "on the roof" not in found
