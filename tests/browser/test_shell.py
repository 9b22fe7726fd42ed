from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World
from tests.sampling import sample

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def test_the_slash_key_goes_to_search_and_enter_asks(open_page: Open) -> None:
    page = open_page()
    page.keyboard.press("/")
    expect(page.locator("#palette-q")).to_be_focused()
    page.keyboard.type("bucket")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=bucket")
    expect(page.locator(".hit").first).to_contain_text("bucket")


def test_the_question_mark_shows_the_keys_and_escape_hides_them(open_page: Open) -> None:
    page = open_page()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_g_and_a_letter_go_to_a_page(open_page: Open) -> None:
    page = open_page()
    page.keyboard.press("g")
    page.keyboard.press("m")
    page.wait_for_url("**/memories/")
    expect(page.locator(".rail [aria-current=page]")).to_contain_text("Memories")


def test_the_theme_is_switched_and_remembered(open_page: Open) -> None:
    page = open_page(color_scheme="light")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Switch light and dark").click()
    assert page.evaluate(paper) != light
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.evaluate(paper) != light


@pytest.mark.long
def test_the_space_switcher_names_the_space_one_is_in(open_page: Open) -> None:
    page = open_page()
    page.locator(".rail .space").click()
    expect(page.locator("#spaces [aria-current=true]")).to_be_visible()
    other = page.locator("#spaces a[href*='space=']:not([aria-current])").first
    name = other.locator("span").inner_text().splitlines()[0]
    other.click()
    expect(page.locator(".rail .space b")).to_have_text(name)


def test_on_a_phone_the_dock_takes_the_place_of_the_rail(open_page: Open) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, has_touch=True)
    expect(page.locator(".rail")).to_be_hidden()
    expect(page.locator(".dock")).to_be_visible()
    page.get_by_role("button", name="More").tap()
    page.locator("#more a", has_text="Ingest").tap()
    page.wait_for_url("**/ingest/")
    page.get_by_role("navigation", name="Ingest").get_by_role("link", name="Jobs").tap()
    page.wait_for_url("**/jobs/")


@pytest.mark.parametrize("width", sample([360, 390, 768, 1024, 1600], 360))
def test_no_page_is_wider_than_its_window(open_page: Open, world: World, width: int) -> None:
    page = open_page(viewport={"width": width, "height": 800})
    for address in (
        "/",
        "/memories/",
        "/search/?q=deploys",
        "/ingest/",
        "/jobs/",
        "/settings/",
        "/settings/people/",
        "/settings/keys/",
    ):
        page.goto(world.url + address)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address


def test_times_are_told_in_the_browsers_own_zone(open_page: Open) -> None:
    page = open_page(timezone_id="Pacific/Kiritimati")
    page.reload()
    there = datetime.now(ZoneInfo("Pacific/Kiritimati"))
    expect(page.locator(".head .meta").first).to_contain_text(f"{there.day} {there:%b %Y}, {there:%H:}")
