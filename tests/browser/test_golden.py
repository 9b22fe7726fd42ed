"""Golden queries in a browser: one is added by ticking what should be found, all are run, the figures are there."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_accessibility import violations

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def test_a_question_is_kept_with_what_should_be_found_and_asked_again(open_page: Open) -> None:
    page = open_page("/search/golden/")
    page.get_by_role("button", name="Add one").click()
    page.get_by_label("Question").fill("Where is the staging bucket?")
    page.get_by_role("button", name="Find memories to select").click()
    page.locator("#offered").get_by_text("The staging bucket lives in").click()
    assert violations(page) == []
    page.get_by_role("button", name="Create").click()
    expect(page.locator(".toast")).to_contain_text("Created a golden query for 1 memory.")
    row = page.locator(".goldens tbody tr")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("The staging bucket lives in ap-northeast-2.")

    row.get_by_role("button", name="Delete").click()
    expect(page.locator(".empty")).to_contain_text("No golden queries yet.")
    page.locator(".toast button").click()
    expect(page.locator(".goldens tbody tr")).to_have_count(1)

    page.get_by_role("button", name="Run all").click()
    page.locator("#golden input[value=keyword]").check()
    page.locator("#golden").get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**job=*")
    expect(page.locator("#running-golden h2")).to_have_text("Done", timeout=30_000)
    expect(page.locator(".figures tbody tr")).to_have_count(2)
    assert violations(page) == []

    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.locator(".over-time svg")).to_have_count(4)
    assert violations(page) == []
    page.locator(".figures tbody a").first.click()
    page.wait_for_url(re.compile(r"/runs/[0-9a-f]{16}/$"))
    expect(page.locator(".outcomes tbody tr")).to_contain_text("Where is the staging bucket?")
    assert violations(page) == []


@pytest.mark.long
def test_a_profile_is_made_refused_and_undone(open_page: Open) -> None:
    page = open_page("/search/profiles/")
    page.get_by_role("button", name="New profile").click()
    page.get_by_label("Name").fill("careful")
    page.get_by_label("Plan").fill("hybrid;speed=2")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#profile [role=alert]")).to_contain_text("no “speed” to change")
    assert violations(page) == []
    page.get_by_label("Plan").fill("hybrid;vector=2")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".plans tbody tr")).to_contain_text("hybrid with vector 2")
    assert violations(page) == []
    page.keyboard.press("u")
    expect(page.locator(".empty")).to_contain_text("No profiles yet.")


@pytest.mark.long
def test_the_benchmarks_keep_nobody_out(open_page: Open) -> None:
    page = open_page("/benchmarks/")
    expect(page.get_by_role("heading", name="Finding")).to_be_visible()
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert violations(page) == []
