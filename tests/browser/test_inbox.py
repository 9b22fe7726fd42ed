"""The inbox by keyboard and by touch: a key an act, the next fact at hand, in bulk, edited in place, undone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World
from tests.browser.test_accessibility import violations
from tests.sampling import sample

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
FACTS = 5
ANSWER = re.compile(r"/inbox/")


@pytest.fixture
def waiting(world: World) -> list[str]:
    """Ids of facts that an agent wrote, in the order of the inbox: what the tests' own key posts has been seen."""
    key = world.api.post("/keys", json={"name": "scout", "agent": "scout", "role": "writer", "space": world.space})
    assert key.status_code == 201, key.text
    headers = {"Authorization": f"Bearer {key.json()['key']}"}
    for n in range(FACTS):
        said = {"text": f"The heron number {n} stands in the reeds.", "kind": "fact", "ref": f"heron-{n}"}
        answer = world.api.post("/memories", json=said, headers=headers)
        assert answer.status_code in (200, 201), answer.text
    items = world.api.get("/inbox").json()["items"]
    return [item["fact"]["id"] for item in items if item["agent"] == "scout"]


def present(page: Page) -> str:
    return (page.locator("#list [data-item].at").get_attribute("id") or "").removeprefix("f-")


def press(page: Page, key: str) -> None:
    """Presses a key whose act is answered by the server."""
    with page.expect_response(ANSWER):
        page.keyboard.press(key)


def test_a_key_accepts_or_drops_and_the_next_fact_is_at_hand(open_page: Open, world: World, waiting: list[str]) -> None:
    page = open_page("/inbox/?agent=scout")
    total = world.api.get("/inbox").json()["total"]
    expect(page.locator("#rail-inbox")).to_have_text(str(total))
    assert present(page) == waiting[0]
    page.keyboard.press("j")
    assert present(page) == waiting[1]
    press(page, "a")
    expect(page.locator(f"#f-{waiting[1]}")).to_have_count(0)
    assert present(page) == waiting[2]
    expect(page.locator(f"#f-{waiting[2]} [data-open]")).to_be_focused()
    expect(page.locator("#rail-inbox")).to_have_text(str(total - 1))
    press(page, "d")
    expect(page.locator(f"#f-{waiting[2]}")).to_have_count(0)
    expect(page.locator(".toast:not(.going)")).to_contain_text("dropped.")
    assert world.api.get(f"/memories/{waiting[1]}").json()["reinforced_at"]
    assert world.api.get(f"/memories/{waiting[2]}").json()["state"] == "deleted"
    page.keyboard.press("u")
    expect(page.locator(f"#f-{waiting[2]}")).to_be_visible()
    page.keyboard.press("k")
    assert present(page) == waiting[0]


@pytest.mark.long
def test_n_learns_nothing_like_it_again_and_settings_take_it_back(
    open_page: Open, world: World, waiting: list[str]
) -> None:
    page = open_page("/inbox/?agent=scout")
    press(page, "n")
    expect(page.locator(".toast")).to_contain_text("are no longer learned.")
    (one,) = world.api.get("/exclusions").json()["items"]
    assert one["id"] == waiting[0]
    page = open_page("/settings/")
    line = page.locator("#exclusions li")
    line.get_by_label("Likeness").fill("0.9")
    line.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("Saved.")
    assert world.api.get("/exclusions").json()["items"][0]["likeness"] == 0.9
    assert violations(page) == []
    page.locator("#exclusions").get_by_role("button", name="Remove").click()
    expect(page.locator("#exclusions")).to_contain_text("Nothing is excluded.")
    assert world.api.get("/exclusions").json()["items"] == []


@pytest.mark.long
def test_e_edits_in_place_escape_leaves_it_and_enter_saves(open_page: Open, world: World, waiting: list[str]) -> None:
    page = open_page("/inbox/?agent=scout")
    page.keyboard.press("j")
    press(page, "e")
    field = page.locator("#list textarea")
    expect(field).to_be_focused()
    press(page, "Escape")
    expect(field).to_have_count(0)
    assert present(page) == waiting[1]
    press(page, "e")
    field.fill(" ")
    press(page, "Enter")
    expect(page.locator(f"#f-{waiting[1]} [role=alert]")).to_be_visible()
    field.fill("The heron sleeps.")
    press(page, "Enter")
    expect(page.locator(f"#f-{waiting[1]}")).to_have_count(0)
    assert world.api.get(f"/memories/{waiting[1]}").json()["text"] == "The heron sleeps."


@pytest.mark.long
def test_what_is_selected_goes_together_and_what_is_not_stays(
    open_page: Open, world: World, waiting: list[str]
) -> None:
    page = open_page("/inbox/?agent=scout")
    bar = page.locator("[data-bulk]")
    expect(bar).to_be_hidden()
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(bar).to_contain_text("2 selected")
    with page.expect_response(ANSWER):
        bar.get_by_role("button", name="Accept").click()
    expect(page.locator("#list [data-item]")).to_have_count(len(waiting) - 2)
    expect(page.locator(".toast")).to_contain_text("2 facts accepted.")
    with page.expect_response(ANSWER):
        page.get_by_role("button", name="Mark all as seen").click()
    expect(page.locator("#list")).to_contain_text("Nothing waits here.")
    page.keyboard.press("u")
    expect(page.locator("#list [data-item]")).to_have_count(len(waiting) - 2)


@pytest.mark.parametrize("width", sample([1280, 390], 390))
def test_it_fits_is_accessible_in_both_schemes_and_works_by_touch(
    open_page: Open, waiting: list[str], width: int
) -> None:
    page = open_page("/inbox/?agent=scout", viewport={"width": width, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    press(page, "e")
    assert violations(page) == []
    press(page, "Escape")
    row = page.locator(f"#f-{waiting[3]}")
    with page.expect_response(ANSWER):
        row.get_by_role("button", name="Accept").click()
    expect(row).to_have_count(0)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("Never like this again")


@pytest.mark.long
def test_an_empty_inbox_is_accessible_and_says_what_comes_here(open_page: Open, world: World) -> None:
    world.api.post("/inbox/accept", json={"all": True})
    page = open_page("/inbox/")
    expect(page.locator("#list")).to_contain_text("Nothing to look at.")
    expect(page.locator("#rail-inbox")).to_be_hidden()
    page.keyboard.press("a")  # does nothing
    assert violations(page) == []
