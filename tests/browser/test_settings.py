"""Settings: the bar that saves, the dots, the search over the advanced ones, the tests of the models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World
from tests.browser.test_accessibility import violations
from tests.samples import REVIEW

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


def settings_of(world: World) -> dict[str, Any]:
    found: dict[str, Any] = world.api.get(f"/spaces/{world.space}").json()["settings"]
    return found


def test_the_bar_says_what_is_saved_and_the_rest_stays(open_page: Open, world: World) -> None:
    page = open_page("/settings/")
    bar = page.get_by_role("region", name="Unsaved changes")
    expect(bar).to_be_hidden()
    page.get_by_label("Conflict policy").select_option("auto")
    expect(bar).to_contain_text("Conflict policy: Ask about every conflict Decide all automatically")
    page.locator("summary", has_text="Search details").click()
    page.locator("#t-rrf_k").fill("30")
    expect(bar).to_contain_text("RRF k: 60 30")
    settings = {**settings_of(world), "neighbours": 5}  # somebody else saves meanwhile
    world.api.patch(f"/spaces/{world.space}", json={"settings": settings}).raise_for_status()
    bar.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("Saved.")
    expect(bar).to_be_hidden()
    expect(page.locator("#t-rrf_k")).to_be_visible()
    assert settings_of(world) == {"conflict_policy": "auto", "neighbours": 5, "rrf_k": 30}
    page.keyboard.press("Escape")
    page.locator(".toast [data-undo]").click()
    expect(page.locator(".toast")).to_contain_text("Undone.")
    assert settings_of(world) == {**REVIEW, "neighbours": 5}


@pytest.mark.long
def test_a_dot_marks_what_differs_and_reset_takes_it_back(open_page: Open, world: World) -> None:
    world.api.patch(f"/spaces/{world.space}", json={"settings": {"rrf_k": 30, "bm25_b": 0.5}}).raise_for_status()
    page = open_page("/settings/")
    group = page.locator("details", has_text="Search details")
    expect(group.locator("[data-changed]")).to_have_text("2 changed")
    group.locator("summary").click()
    field = group.locator("[data-setting]", has=page.locator("#t-rrf_k"))
    expect(field).to_contain_text("Default: 60.")
    field.get_by_role("button", name="Reset RRF k to 60").click()
    expect(page.locator("#t-rrf_k")).to_have_value("60")
    expect(group.locator("[data-changed]")).to_have_text("1 changed")
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("#t-rrf_k")).to_have_value("30")
    assert len(settings_of(world)) == 2
    page.get_by_role("button", name="Reset all").click()
    expect(page.locator(".toast")).to_contain_text("2 settings reset.")
    expect(page.get_by_role("button", name="Reset all")).to_have_count(0)
    assert settings_of(world) == {}


@pytest.mark.long
def test_the_search_finds_by_name_and_help(open_page: Open) -> None:
    page = open_page("/settings/")
    page.get_by_label("Find a setting").fill("cosine names")
    page.get_by_label("Find a setting").fill("half-life")
    expect(page.locator("#t-recency_days")).to_be_visible()
    expect(page.locator("#t-rrf_k")).to_be_hidden()
    expect(page.locator("[data-told]")).to_have_text("1 advanced setting. Under General: Trust half-life.")
    page.get_by_label("Find a setting").press("Enter")
    expect(page.locator(".toast")).to_have_count(0)
    page.get_by_label("Find a setting").fill("no such thing")
    expect(page.locator("[data-told]")).to_have_text("No advanced settings.")
    page.get_by_label("Find a setting").fill("")
    expect(page.locator("#advanced summary")).to_have_count(8)
    expect(page.locator("#t-recency_days")).to_be_hidden()
    page.get_by_role("link", name="Home").first.click()  # what was searched for is nothing unsaved
    page.wait_for_url("**/")


def test_what_cannot_be_saved_says_so_beside_its_field_and_keeps_what_was_typed(open_page: Open, world: World) -> None:
    page = open_page("/settings/")
    page.locator("summary", has_text="Search details").click()
    page.locator("#t-bm25_b").fill("3")
    page.locator("#t-neighbours").fill("4")
    page.locator("#t-neighbours").press("Control+Enter")
    expect(page.locator("#w-bm25_b")).to_have_text("Enter a number from 0 to 1.")
    expect(page.locator("#t-bm25_b")).to_be_focused()
    expect(page.locator("#t-neighbours")).to_have_value("4")
    assert settings_of(world) == REVIEW
    assert violations(page) == []
    page.locator("#t-bm25_b").fill("0.3")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("Saved.")
    assert settings_of(world) == {**REVIEW, "bm25_b": 0.3, "neighbours": 4}


def test_unsaved_typing_outlives_a_reload(open_page: Open, world: World) -> None:
    page = open_page("/settings/")
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("summary", has_text="Search details").click()
    page.locator("#t-rrf_k").fill("30")
    page.reload()
    expect(page.get_by_role("region", name="Unsaved changes")).to_contain_text("RRF k: 60 30")
    expect(page.locator(".note.draft")).to_contain_text("What you typed here was restored.")
    page.get_by_role("button", name="Discard").last.click()
    expect(page.get_by_role("region", name="Unsaved changes")).to_be_hidden()
    page.reload()
    expect(page.locator(".note.draft")).to_have_count(0)
    assert settings_of(world) == REVIEW


@pytest.mark.long
def test_the_encoder_is_tested_where_one_stands(open_page: Open) -> None:
    page = open_page("/settings/")
    page.get_by_label("Title").fill("Half typed")
    page.get_by_role("button", name="Test the encoder").click()
    expect(page.locator("#encoder")).to_contain_text("texts a second", timeout=60_000)
    expect(page.get_by_label("Title")).to_have_value("Half typed")


@pytest.mark.long
def test_a_link_to_a_setting_opens_its_group(open_page: Open) -> None:
    page = open_page("/settings/#t-rrf_k")
    expect(page.locator("#t-rrf_k")).to_be_visible()
