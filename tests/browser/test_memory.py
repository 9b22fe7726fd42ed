from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


@pytest.mark.long
def test_an_edit_makes_a_layer_that_can_be_restored(open_page: Open, world: World) -> None:
    page = open_page(f"/memories/{world.ids[0]}/")
    page.keyboard.press("e")
    field = page.get_by_label("Text", exact=True)
    expect(field).to_be_focused()
    field.fill("Deploys stop on Friday at 15:00.")
    page.get_by_label("Reason (optional)").fill("decided in the retro")
    field.press("Control+Enter")
    expect(page.locator("h1.words")).to_have_text("Deploys stop on Friday at 15:00.")
    top = page.locator(".layers > li").first
    expect(top.locator("del")).to_have_text("16:00.")
    expect(top.locator("ins")).to_have_text("15:00.")
    expect(top).to_contain_text("“decided in the retro”")
    page.get_by_role("button", name="Restore").click()
    expect(page.locator("h1.words")).to_have_text("Deploys stop on Friday at 16:00.")


@pytest.mark.long
def test_escape_leaves_an_edit_as_it_was(open_page: Open, world: World) -> None:
    page = open_page(f"/memories/{world.ids[0]}/")
    page.keyboard.press("e")
    page.get_by_label("Text", exact=True).fill("Never kept.")
    page.get_by_label("Text", exact=True).press("Escape")
    expect(page.locator("h1.words")).to_have_text("Deploys stop on Friday at 16:00.")


@pytest.mark.long
def test_acts_are_one_click_and_one_undo(open_page: Open, world: World) -> None:
    page = open_page(f"/memories/{world.ids[0]}/")
    page.get_by_role("button", name="Pin", exact=True).click()
    expect(page.get_by_role("button", name="Pinned")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".note.caution")).to_contain_text("Deleted.")
    page.locator(".toast").filter(has_text="Deleted").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Archive")).to_be_visible()
    assert world.api.get(f"/memories/{world.ids[0]}").json()["state"] == "held"


def test_purge_waits_for_its_word(open_page: Open, world: World) -> None:
    page = open_page(f"/memories/{world.ids[4]}/")
    page.get_by_role("button", name="Purge", exact=True).click()
    last = page.get_by_role("button", name="Purge permanently")
    expect(last).to_be_disabled()
    page.get_by_label("to confirm").fill(world.ids[4][:6])
    expect(last).to_be_enabled()
    last.click()
    expect(page.locator(".receipt")).to_contain_text(f"Purge receipt of {world.ids[4]}")
    assert world.api.get(f"/memories/{world.ids[4]}").status_code == 404
