"""Keys that work on every page: what a sequence means, and that they can be switched off."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def test_the_second_key_of_going_somewhere_does_nothing_else(open_page: Open, world: World) -> None:
    """On the page of pairs “m” merges, and “g m” goes to the memories."""
    page = open_page("/entities/?view=pairs")
    page.evaluate(
        """() => {
            const button = Object.assign(document.createElement("button"), { textContent: "Merge" });
            button.dataset.act = "m";
            button.addEventListener("click", () => sessionStorage.setItem("merged", "yes"));
            const pair = Object.assign(document.createElement("div"), { className: "at" });
            pair.dataset.pair = "one";
            pair.append(button);
            document.querySelector("#main").append(pair);
        }"""
    )
    page.keyboard.press("g")
    page.keyboard.press("m")
    page.wait_for_url("**/memories/")
    assert page.evaluate("sessionStorage.getItem('merged')") is None


@pytest.mark.long
def test_single_letters_can_be_switched_off_for_good(open_page: Open, world: World) -> None:
    page = open_page("/facts/")
    page.keyboard.press("?")
    switch = page.get_by_role("switch", name="Enable single-key shortcuts")
    expect(switch).to_be_checked()
    switch.uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator("#palette")).to_be_hidden()
    page.reload()
    page.locator("main").press("?")
    expect(page.locator("#keys")).to_be_hidden()
    page.get_by_role("button", name="Keyboard help").click()
    expect(switch).not_to_be_checked()
    switch.check()
    page.keyboard.press("Escape")
    page.locator("main").press("/")
    expect(page.locator("#palette-q")).to_be_focused()


def test_a_popover_takes_the_focus_and_the_keys_of_the_page_rest(open_page: Open, world: World) -> None:
    page = open_page("/facts/")
    for chip in page.locator("button.chip.add[popovertarget]").all()[:4]:
        name = chip.get_attribute("popovertarget")
        chip.click()
        pop = page.locator(f"#{name}")
        expect(pop).to_be_visible()
        assert pop.evaluate("pop => pop.contains(document.activeElement)"), name
        page.keyboard.type("Django go")
        assert page.url.endswith("/facts/"), "typed words are no shortcuts"
        page.keyboard.press("Escape")
        expect(pop).to_be_hidden()
        assert chip.evaluate("chip => chip === document.activeElement"), name
