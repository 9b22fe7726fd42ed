from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


@pytest.mark.long
def test_a_trust_bar_opens_its_waterfall(open_page: Open) -> None:
    page = open_page("/memories/")
    page.locator("button.trust").first.click()
    expect(page.locator("#why")).to_be_visible()
    expect(page.locator("#why .formula")).to_contain_text("0.90 × 1.00 × 1.00 = 0.90")


def test_rows_are_picked_archived_and_brought_back_by_undo(open_page: Open, world: World) -> None:
    page = open_page("/memories/")
    expect(page.locator("[data-bulk]")).to_be_hidden()
    page.locator("input[name=ids]").nth(0).check()
    page.locator("input[name=ids]").nth(1).check()
    expect(page.locator("[data-bulk-count]")).to_have_text("2 selected")
    page.locator("[data-bulk]").get_by_role("button", name="Archive").click()
    expect(page.locator(".toast")).to_contain_text("2 memories archived.")
    expect(page.locator("tr[data-item]")).to_have_count(3)
    page.keyboard.press("u")
    expect(page.locator("tr[data-item]")).to_have_count(5)
    expect(page.locator(".toast")).to_contain_text("Undone: 2 changes.")
    states = {world.api.get(f"/memories/{key}").json()["state"] for key in world.ids}
    assert states == {"held"}


@pytest.mark.long
def test_pick_all_picks_all_and_shift_picks_a_range(open_page: Open) -> None:
    page = open_page("/memories/")
    page.get_by_label("Select all on this page").check()
    expect(page.locator("[data-bulk-count]")).to_have_text("5 selected")
    page.get_by_role("button", name="Clear").click()
    boxes = page.locator("input[name=ids]")
    boxes.nth(0).click()
    boxes.nth(3).click(modifiers=["Shift"])
    expect(page.locator("[data-bulk-count]")).to_have_text("4 selected")


def test_an_inline_edit_is_saved_by_enter_and_left_by_escape(open_page: Open, world: World) -> None:
    page = open_page("/memories/?q=bucket")
    row = page.locator("tr[data-item]")
    row.hover()
    row.get_by_role("button", name="Edit").click()
    field = page.locator("form[data-line] textarea")
    expect(field).to_be_focused()
    field.fill("Never kept.")
    field.press("Escape")
    expect(page.locator("tr[data-item]")).to_contain_text("ap-northeast-2")
    page.keyboard.press("j")
    page.keyboard.press("e")
    field.fill("The staging bucket lives in Seoul.")
    field.press("Enter")
    expect(page.locator("tr[data-item]")).to_contain_text("lives in Seoul.")
    expect(page.locator(".toast")).to_contain_text("Saved.")
    assert world.api.get(f"/memories/{world.ids[1]}").json()["text"] == "The staging bucket lives in Seoul."


@pytest.mark.long
def test_a_filter_is_added_by_its_chip_and_taken_off_again(open_page: Open) -> None:
    page = open_page("/memories/")
    page.get_by_role("button", name="+ Kind").click()
    page.locator("#add-kind").get_by_label("fact").check()
    page.locator("#add-kind").get_by_role("button", name="Filter").click()
    page.wait_for_url("**/memories/?kind=fact")
    expect(page.locator("tr[data-item]")).to_have_count(3)
    page.locator(".chip.on").click()
    expect(page.locator("tr[data-item]")).to_have_count(5)


@pytest.mark.long
def test_a_memory_is_written_in_the_page_and_opened(open_page: Open) -> None:
    page = open_page("/memories/")
    page.get_by_role("button", name="Write a memory").click()
    page.get_by_label("Text", exact=True).fill("Secrets are read from the environment.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("h1.words")).to_have_text("Secrets are read from the environment.")
    expect(page.locator(".toast")).to_contain_text("Saved.")


@pytest.mark.long
def test_j_and_enter_open_a_memory_without_the_mouse(open_page: Open) -> None:
    page = open_page("/memories/")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    page.keyboard.press("x")
    expect(page.locator("[data-bulk-count]")).to_have_text("1 selected")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/memories/[0-9a-f]{16}/$"))
