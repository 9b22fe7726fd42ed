"""The command palette, by keyboard, by finger, with a slow server, a broken one, and a session that has ended."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import World
from tests.browser.test_accessibility import violations

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def typed(page: Page, text: str) -> None:
    """Opens the palette, types, and waits for the answer to that: until then the list is what was offered before."""
    page.keyboard.press("Control+k")
    expect(page.locator("#palette-q")).to_be_focused()
    page.keyboard.type(text)
    expect(page.locator("#palette [role=option]", has_text=f"Search for “{text}”")).to_be_visible()


def active(page: Page) -> str:
    """The words of the option that aria-activedescendant names."""
    return page.locator(f"#{page.locator('#palette-q').get_attribute('aria-activedescendant')}").inner_text()


def test_a_memory_is_opened_with_the_arrows_and_comes_first_the_next_time(open_page: Open, world: World) -> None:
    page = open_page("/facts/")
    typed(page, "staging bucket")
    assert "Search for" in active(page)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    for _ in page.locator("#palette [role=option]").all():
        if "bucket lives" not in active(page):
            page.keyboard.press("ArrowDown")
    expect(page.locator("#palette [aria-selected=true]")).to_have_count(1)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/memories/{world.ids[1]}/")
    page.keyboard.press("Control+k")
    expect(page.locator("#palette h3").first).to_have_text("Opened lately")
    assert "bucket lives" in active(page)


def test_it_opens_over_what_is_typed_and_escape_leaves_that_as_it_was(open_page: Open) -> None:
    page = open_page("/search/")
    page.locator("#q").fill("half a que")
    page.keyboard.press("Control+k")
    expect(page.locator("#palette")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value("half a que")


@pytest.mark.long
def test_an_act_leads_to_its_form_and_what_the_browser_does_itself_is_done(open_page: Open) -> None:
    page = open_page("/summaries/", color_scheme="light")
    typed(page, "new fact")
    expect(page.locator("#palette [role=option]").first).to_contain_text("New fact")
    page.keyboard.press("Enter")
    page.wait_for_url("**/facts/")
    expect(page.locator("#w-text")).to_be_focused()
    page.keyboard.press("Escape")
    typed(page, "theme")
    expect(page.locator("#palette [role=option]").first).to_contain_text("light and dark")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_enter_before_the_answer_waits_for_it_and_a_slow_one_is_told(open_page: Open) -> None:
    page = open_page("/facts/")

    def slowly(route: Route) -> None:
        time.sleep(0.8)
        route.continue_()

    page.keyboard.press("Control+k")
    expect(page.locator("#palette [role=option]").first).to_be_visible()
    page.route("**/palette/*", slowly)
    page.keyboard.type("bucket")
    page.keyboard.press("Enter")
    expect(page.locator("#palette-list")).to_have_attribute("aria-busy", "true")
    page.wait_for_url("**/search/?q=bucket")


@pytest.mark.parametrize(
    ("answer", "told", "way"),
    [
        (
            {"status": 422, "headers": {"HX-Trigger": '{"toast": {"text": "The store is in use."}}'}},
            "The store is in use.",
            "Open the search page",
        ),
        ({"status": 204, "headers": {"HX-Redirect": "/login/?next=/facts/"}}, "Your session ended.", "Sign in"),
    ],
)
def test_an_error_and_an_ended_session_are_told_with_the_way_out(
    open_page: Open, answer: dict[str, Any], told: str, way: str
) -> None:
    page = open_page("/facts/")
    page.route("**/palette/*", lambda route: route.fulfill(**answer))
    page.keyboard.press("Control+k")
    note = page.locator("#palette .note")
    expect(note).to_contain_text(told)
    expect(note.get_by_role("link", name=way)).to_be_visible()
    page.keyboard.press("Escape")


@pytest.mark.long
def test_on_a_phone_it_fills_the_screen(open_page: Open) -> None:
    page = open_page("/facts/", viewport={"width": 390, "height": 844}, has_touch=True)
    page.locator("[data-palette]").tap()
    expect(page.locator("#palette [role=option]").first).to_be_visible()
    box = page.locator("#palette").bounding_box()
    assert box is not None and (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 844)
    page.get_by_role("button", name="Close").tap()
    expect(page.locator("#palette")).to_be_hidden()


def test_axe_finds_nothing_in_it(open_page: Open) -> None:
    page = open_page("/facts/")
    typed(page, "staging bucket")
    expect(page.locator("#palette [role=option]", has_text="staging bucket lives")).to_be_visible()
    assert violations(page) == []
