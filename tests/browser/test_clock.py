"""The clock by keyboard: opened, scrubbed, left; and what a page of the past lets nobody do."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World
from tests.browser.test_accessibility import violations

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LONG_AGO = "as_of=2020-01-01T00:00Z"


@pytest.fixture
def old(world: World) -> datetime:
    """The day of a memory from before all others: the space has lived for two months."""
    day = datetime.now(UTC).replace(hour=9, minute=0, second=0, microsecond=0) - timedelta(days=60)
    sent = {"text": "The kite flew over Mapo.", "kind": "fact", "occurred_at": day.isoformat()}
    assert world.api.post("/memories", json=sent).status_code == 201
    return day


def open_clock(page: Page) -> None:
    page.locator("main").press("t")
    expect(page.locator("#clock")).to_be_visible()


def test_t_opens_it_with_the_focus_inside_and_escape_gives_it_back(open_page: Open, old: datetime) -> None:
    page = open_page("/facts/")
    open_clock(page)
    expect(page.locator("#clock-at")).to_be_focused()
    page.keyboard.type("t")  # what is typed in it is no key of the page
    expect(page.locator("#clock")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#clock")).to_be_hidden()
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_url("**/tree/")


def test_the_arrows_scrub_day_by_day_and_the_clock_stays_in_hand(open_page: Open, old: datetime) -> None:
    page = open_page("/facts/?q=kite")
    open_clock(page)
    slider = page.locator("#clock-step")
    expect(slider).to_have_attribute("aria-valuetext", "Now")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(r"/facts/\?q=kite&as_of=20[\d-]+T[\d:%A]+Z"))
    expect(page.locator(".asof")).to_contain_text("You are looking at")
    expect(page.locator("#clock")).to_be_visible()
    expect(slider).to_be_focused()
    left = int(slider.input_value())
    assert left == int(slider.get_attribute("max") or 0) - 1
    expect(page.locator("tr[data-item]")).to_have_count(1)  # the kite is older than that
    page.keyboard.press("End")
    expect(page).not_to_have_url(re.compile("as_of"))
    expect(page.locator(".asof")).to_have_count(0)
    expect(page.locator("#clock-button .told")).to_have_text("Now")


def test_a_time_that_is_typed_is_gone_to_as_an_instant_and_what_was_true_can_be_asked(
    open_page: Open, old: datetime
) -> None:
    page = open_page("/")
    open_clock(page)
    page.locator("#clock-at").fill(f"{old + timedelta(days=1):%Y-%m-%dT12:00}")
    page.get_by_role("radio", name="What was true then").check()
    page.get_by_role("button", name="Go there").click()
    page.wait_for_url(re.compile(r"/\?as_of=[^&]*Z&as_of_by=valid$"))
    expect(page.locator(".asof")).to_contain_text("what was true then")
    expect(page.get_by_role("button", name="Write a memory")).to_have_count(0)
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Facts").click()
    page.wait_for_url(re.compile(r"/facts/\?as_of=.*as_of_by=valid"))
    page.keyboard.press("g")
    page.keyboard.press("m")
    page.wait_for_url(re.compile(r"/memories/\?as_of=.*as_of_by=valid"))
    page.locator(".asof").get_by_role("link", name="Back to now").click()
    page.wait_for_url("**/memories/*")
    assert "as_of" not in page.url


def test_nothing_is_written_from_a_page_of_the_past(open_page: Open, world: World, old: datetime) -> None:
    page = open_page(f"/settings/?{LONG_AGO}")
    expect(page.locator(".asof")).to_contain_text("This page shows the present.")
    writing = page.locator("main form[method=post] :is(button, input:not([type=hidden]), select, textarea)")
    assert writing.count() > 3
    assert all(control.is_disabled() for control in writing.all())
    answer = page.evaluate(
        """async (address) => {
            const headers = JSON.parse(document.body.getAttribute("hx-headers"));
            return (await fetch(address, { method: "POST", headers })).status;
        }""",
        f"/memories/{world.ids[0]}/archive/",
    )
    assert answer == 409
    assert world.api.get(f"/memories/{world.ids[0]}").json()["state"] == "held"


def test_the_palette_sets_it_and_leads_back(open_page: Open, world: World) -> None:
    page = open_page("/memories/")
    page.keyboard.press("Control+k")
    page.keyboard.type("as of")
    page.locator("#palette [role=option]", has_text="Look at the past").click()
    expect(page.locator("#clock-at")).to_be_focused()
    page.goto(f"{world.url}/memories/?{LONG_AGO}")
    page.keyboard.press("Control+k")
    page.keyboard.type("back to now")
    page.locator("#palette [role=option]", has_text="Back to now").click()
    page.wait_for_url(lambda url: "as_of" not in url)


def test_the_graphs_time_line_is_the_same_clock(open_page: Open, world: World, old: datetime) -> None:
    atom = "(uses :subject Alice :object Python)"
    assert world.api.post("/memories", json={"atoms": atom, "occurred_at": old.isoformat()}).status_code == 201
    page = open_page("/graph/")
    page.locator("#when").press("Home")
    expect(page.locator(".asof")).to_contain_text("You are looking at")
    expect(page.locator("#clock-button .told")).not_to_have_text("Now")
    facts = page.get_by_role("navigation", name="Pages").get_by_role("link", name="Facts")
    expect(facts).to_have_attribute("href", re.compile("as_of="))
    page.locator("#now").click()
    expect(page.locator(".asof")).to_have_count(0)
    expect(facts).to_have_attribute("href", re.compile(r"/facts/$"))


def test_on_a_phone_it_is_a_sheet_within_reach(open_page: Open, old: datetime) -> None:
    page = open_page(f"/facts/?{LONG_AGO}", viewport={"width": 390, "height": 844}, has_touch=True)
    page.locator("#clock-button").tap()
    expect(page.locator("#clock")).to_be_visible()
    box = page.locator("#clock").bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] + box["height"] <= 844
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []
