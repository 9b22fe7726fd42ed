"""Sessions, episodes, what is given and what would be learned, as a person uses them; and axe on each page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World
from tests.browser.test_accessibility import violations

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
SAID = (
    "I'm allergic to peanuts, so never order from the Thai place.",
    "We decided to move the database to Postgres 16.",
    "저는 부산에 살고 한강연구소에서 일해요. " + "아주긴낱말" * 40,
    "It starts with:\n\n```sh\n./run --data " + "folder/" * 60 + "\n```",
)


@pytest.fixture
def talk(world: World) -> str:
    """A session with something in it; its id."""
    opened = world.api.post("/sessions", json={"name": "월요일 회의", "agent": "atlas"})
    assert opened.status_code == 201, opened.text
    key: str = opened.json()["id"]
    turns = [{"text": text, "speaker": "Mina"} for text in SAID]
    assert world.api.post(f"/sessions/{key}/turns", json={"turns": turns}).status_code == 202
    return key


def test_what_is_said_is_learned_while_one_looks_on(open_page: Open, talk: str) -> None:
    page = open_page(f"/sessions/{talk}/")
    expect(page.get_by_text("Mina is allergic to peanuts")).to_be_visible(timeout=20_000)
    page.get_by_label("Speaker").fill("Mina")
    page.get_by_label("Text", exact=True).fill("I work at Hangang Labs as the operations lead.")
    page.keyboard.press("Control+Enter")
    said = page.locator("#t5")
    expect(said).to_contain_text("I work at Hangang Labs")
    expect(page.get_by_label("Text", exact=True)).to_have_value("")
    expect(said.locator(".lesson")).to_contain_text("Mina works at Hangang Labs", timeout=20_000)
    expect(said.locator("mark")).to_be_visible()
    page.get_by_role("button", name="End session").click()
    expect(page.get_by_role("heading", name="Its episode")).to_be_visible(timeout=20_000)
    expect(page.get_by_label("Text", exact=True)).to_have_count(0)
    page.goto(page.url.split("/sessions/")[0] + "/episodes/")
    story = page.locator("article.episode")
    expect(story).to_contain_text("Postgres 16")
    story.get_by_text("facts learned").click()
    expect(story.get_by_role("link", name="Mina is allergic to peanuts")).to_be_visible()


@pytest.mark.long
def test_a_field_that_was_emptied_by_sending_stands_there_as_if_untouched(open_page: Open, talk: str) -> None:
    page = open_page(f"/sessions/{talk}/")
    field = page.locator("form[data-say] textarea")
    untouched = field.evaluate("one => getComputedStyle(one).borderColor")
    field.fill("I live in Busan.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("form[data-say] textarea")).to_have_value("")
    expect(page.locator("form[data-say] textarea")).to_be_focused()
    field.evaluate("one => one.blur()")
    assert field.evaluate("one => getComputedStyle(one).borderColor") == untouched


@pytest.mark.long
def test_what_an_agent_is_given_follows_the_slider(open_page: Open, world: World) -> None:
    page = open_page("/context/")
    page.get_by_label("Message").fill("When do deploys stop?")
    page.keyboard.press("Control+Enter")
    text = page.locator("#given-text")
    expect(text).to_contain_text("Deploys stop on Friday at 16:00.")
    assert "m=When%20do%20deploys%20stop" in page.url
    slider = page.get_by_label("Budget")
    slider.fill("20")
    expect(page.locator("output")).to_have_text("20 tokens")
    expect(page.get_by_text("The context would be empty.")).to_be_visible()
    assert "budget=20" in page.url
    page.go_back()
    expect(page.locator("#given-text")).to_be_visible()
    expect(page.get_by_label("Message")).to_have_value("When do deploys stop?")


@pytest.mark.long
def test_what_would_be_learned_is_picked_and_kept(open_page: Open, world: World) -> None:
    page = open_page("/preview/")
    page.get_by_label("Text", exact=True).fill("I'm allergic to peanuts. How are you? I live in Busan.")
    page.get_by_label("Speaker").fill("Mina")
    page.get_by_role("button", name="See what would be learned").click()
    expect(page.get_by_role("heading", name="2 facts would be learned")).to_be_visible(timeout=20_000)
    page.get_by_label("Keep fact 2").uncheck()
    assert violations(page) == []
    page.get_by_role("button", name="Save selected").click()
    page.wait_for_url("**/facts/**")
    expect(page.get_by_text("1 saved.")).to_be_visible()
    expect(page.get_by_role("link", name="Mina is allergic to peanuts.")).to_be_visible()
    expect(page.get_by_role("link", name="Mina lives in Busan.")).to_have_count(0)


@pytest.mark.long
def test_the_pages_are_accessible_and_never_scroll_sideways(open_page: Open, world: World, talk: str) -> None:
    page = open_page(f"/sessions/{talk}/")
    expect(page.get_by_text("Mina is allergic to peanuts")).to_be_visible(timeout=20_000)
    world.api.post(f"/sessions/{talk}/end")
    expect(page.get_by_role("heading", name="Its episode")).to_be_visible(timeout=20_000)
    world.api.post("/summaries/refresh", json={"force": True})
    pages = (f"/sessions/{talk}/", "/sessions/", "/episodes/", "/summaries/", "/context/?m=deploys", "/preview/")
    for address in pages:
        page.goto(world.url + address)
        assert violations(page) == [], address
        for width in (360, 1600):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (address, width)
        page.set_viewport_size({"width": 1280, "height": 900})
