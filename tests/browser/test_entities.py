"""Entities by hand and by key: pairs decided one after another, an edit in place, relations refused and held again."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import World
from tests.browser.test_accessibility import violations

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
SAID = (
    "Adam uses Terraform.",
    "Mina uses Terraform.",
    "Jiwon uses Terrafrom.",
    "Adam works at Hangang Labs.",
    "Mina works at Hangang Labs.",
    "SurrealDB is a database.",
    "Jiwon uses Kubernetes.",
    "Adam uses Kubernetes.",
    "Mina uses Kubernets.",
)
WAITS = 60.0


@pytest.fixture
def named(world: World) -> dict[str, str]:
    """Entities by name, read out of notes by the job as it would be by itself."""
    answer = world.api.post("/memories/batch", json={"items": [{"text": text, "kind": "note"} for text in SAID]})
    assert answer.status_code == 200, answer.text
    job = world.api.post("/heartbeat/graph/run").json()["job"]["id"]
    until = time.monotonic() + WAITS
    while world.api.get(f"/jobs/{job}").json()["status"] in ("queued", "running") and time.monotonic() < until:
        time.sleep(0.03)
    items = world.api.get("/entities", params={"limit": 100}).json()["items"]
    found = {one["name"]: one["id"] for one in items}
    assert {"Adam", "Mina", "Terraform", "Hangang Labs"} <= found.keys(), found
    return found


def pairs(page: Page) -> list[str]:
    found: list[str] = page.locator("[data-pair]").evaluate_all("all => all.map(one => one.dataset.pair)")
    return found


def caught(page: Page, held: list[Route]) -> Route:
    """The request that the page has just sent; it is caught a moment after the click."""
    until = time.monotonic() + WAITS
    while not held and time.monotonic() < until:
        page.wait_for_timeout(20)
    return held.pop()


def test_pairs_are_decided_with_keys_one_after_the_other(open_page: Open, world: World, named: dict[str, str]) -> None:
    page = open_page("/entities/?tab=alike")
    waiting = pairs(page)
    assert len(waiting) >= 2
    expect(page.locator(".pair.at")).to_have_attribute("data-pair", waiting[0])
    page.keyboard.press("j")
    expect(page.locator(".pair.at")).to_have_attribute("data-pair", waiting[1])
    page.keyboard.press("n")
    expect(page.locator(".toast")).to_contain_text("stay separate.")
    expect(page.locator("[data-pair]")).to_have_count(len(waiting) - 1)
    expect(page.locator(".pair.at")).to_have_count(1 if len(waiting) > 1 else 0)
    page.keyboard.press("u")
    expect(page.locator("[data-pair]")).to_have_count(len(waiting))
    page.keyboard.press("m")
    expect(page.locator(".toast").last).to_contain_text("Merged")
    expect(page.locator("[data-pair]")).to_have_count(len(waiting) - 1)
    expect(page.locator(".tabs [aria-current] .n")).to_have_text(str(len(waiting) - 1))
    page.keyboard.press("u")
    expect(page.locator(".tabs [aria-current] .n")).to_have_text(str(len(waiting)))


@pytest.mark.long
def test_a_merge_is_looked_at_before_it_is_made(open_page: Open, world: World, named: dict[str, str]) -> None:
    page = open_page(f"/entities/{named['Terraform']}/")
    page.keyboard.press("m")
    page.locator("#merge-name").fill("Hangang Labs")
    page.keyboard.press("Enter")
    expect(page.locator("#merge-told")).to_contain_text("Two names become one")
    page.locator("#merge-told").get_by_label("Hangang Labs").check()
    page.locator("#merge-told").get_by_role("button", name="Merge into Hangang Labs").click()
    expect(page).to_have_url(re.compile(rf"/entities/{named['Hangang Labs']}/$"))
    expect(page.locator(".toast")).to_contain_text("Merged Terraform into Hangang Labs.")
    page.get_by_role("button", name="Unmerge").click()
    expect(page.locator(".toast").last).to_contain_text("Terraform was unmerged.")
    expect(page.get_by_role("button", name="Unmerge")).to_have_count(0)


@pytest.mark.long
def test_an_edit_opens_in_place_and_says_there_what_is_wrong(
    open_page: Open, world: World, named: dict[str, str]
) -> None:
    page = open_page(f"/entities/{named['Terraform']}/")
    page.keyboard.press("e")
    expect(page.locator("#edit-name")).to_be_focused()
    page.locator("#edit-name").fill("Mina")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#edit-said")).to_contain_text("Mina is already a name of another entity.")
    expect(page.locator("#edit-name")).to_have_value("Mina")
    page.locator("#edit-name").fill("Terraform 2")
    page.locator("#edit-aliases").fill("tf\nthe plan")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("h1.own")).to_have_text("Terraform 2")
    expect(page.locator(".called")).to_contain_text("the plan")
    expect(page).to_have_title(re.compile("Terraform 2"))
    page.keyboard.press("e")
    page.locator("#edit-name").fill("nothing of it")
    page.keyboard.press("Escape")
    expect(page.locator("h1.own")).to_have_text("Terraform 2")
    page.keyboard.press("u")
    expect(page.locator("h1.own")).to_have_text("Terraform")


@pytest.mark.long
def test_a_relation_is_corrected_refused_and_held_again(open_page: Open, world: World, named: dict[str, str]) -> None:
    page = open_page(f"/entities/{named['Adam']}/")
    uses = page.locator("tbody", has=page.locator("th", has_text="uses"))
    expect(uses).to_contain_text("Terraform")
    uses.get_by_role("button", name="More of: uses, Terraform").click()
    expect(page.locator("#tie h2")).to_have_text("Adam uses Terraform")
    page.locator("#tie-type").fill("depends on")
    page.locator("#tie").get_by_role("button", name="Save").click()
    expect(page.locator("#tie")).not_to_be_visible()
    other = page.locator("tbody", has=page.locator("th", has_text="depends on"))
    expect(other).to_contain_text("Terraform")
    other.locator(".c-more button").click()
    page.locator("#tie").get_by_role("button", name="Reject").click()
    expect(other).to_have_count(0)
    page.get_by_text("1 rejected relation").click()
    page.locator("#relations").get_by_role("button", name="Restore").click()
    expect(other).to_contain_text("Terraform")


@pytest.mark.long
def test_a_popover_holds_nothing_of_what_it_held_before_until_its_answer_is_there(
    open_page: Open, world: World, named: dict[str, str]
) -> None:
    page = open_page(f"/entities/{named['Adam']}/")
    tie, more = page.locator("#tie"), page.get_by_role("button", name=re.compile("^More of"))
    more.first.click()
    expect(tie.get_by_role("button", name="Reject")).to_be_visible()
    page.keyboard.press("Escape")
    held: list[Route] = []
    page.route("**/relations/**", lambda route: held.append(route))
    more.last.click()
    expect(tie).to_have_text("Reading…")
    caught(page, held).continue_()
    expect(tie.get_by_role("button", name="Reject")).to_be_visible()
    page.keyboard.press("Escape")
    more.first.click()
    expect(tie).to_have_text("Reading…")
    caught(page, held).fulfill(status=404, body="gone")
    expect(tie).not_to_be_visible()
    expect(page.locator(".toast")).to_contain_text("That did not work (404).")


@pytest.mark.long
def test_an_entity_is_put_under_another_that_is_suggested(open_page: Open, world: World, named: dict[str, str]) -> None:
    page = open_page(f"/entities/{named['Terraform']}/")
    page.get_by_role("button", name="Set parent…").click()
    page.locator("#under-name").press_sequentially("datab")
    expect(page.locator("#under-names option")).to_have_attribute("value", "database")
    page.locator("#under-name").fill("database")
    page.keyboard.press("Enter")
    expect(page.locator("#hierarchy")).to_contain_text("database")
    page.get_by_role("button", name="Remove it from under database").click()
    expect(page.locator("#hierarchy")).not_to_contain_text("database")


@pytest.mark.long
def test_picked_entities_are_merged_and_typed(open_page: Open, world: World, named: dict[str, str]) -> None:
    page = open_page("/entities/")
    for name in ("Adam", "Mina"):
        page.locator(f"#e-{named[name]} input[name=ids]").check()
    expect(page.locator("[data-bulk-count]")).to_have_text("2 selected")
    page.get_by_role("button", name="Set type").click()
    page.locator("#type-name").fill("colleague")
    page.get_by_role("button", name="Set the type").click()
    expect(page.locator(f"#e-{named['Adam']}")).to_contain_text("colleague")
    for name in ("Adam", "Mina"):
        page.locator(f"#e-{named[name]} input[name=ids]").check()
    page.get_by_role("button", name="Merge…").click()
    expect(page.locator("#merge")).to_contain_text("Two names become one")
    page.locator("#merge").get_by_role("button", name=re.compile("Merge into")).click()
    expect(page.locator(".toast").last).to_contain_text("Merged")
    expect(page.locator(f"#e-{named['Adam']}, #e-{named['Mina']}")).to_have_count(1)


@pytest.mark.long
def test_the_pages_keep_nobody_out(open_page: Open, world: World, named: dict[str, str]) -> None:
    wrong: dict[str, list[str]] = {}
    tabs = ["", "?tab=alike", "?tab=once", "?tab=nowhere", "?q=zzz"]
    pages = [f"{named['Terraform']}/", f"{named['Adam']}/?as_of=2020-01-01"]
    addresses = [f"/entities/{one}" for one in (*tabs, *pages)]
    for options in ({}, {"viewport": {"width": 390, "height": 844}, "has_touch": True}):
        page = open_page(**options)
        for address in addresses:
            page.goto(world.url + address)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
            if found := violations(page):
                wrong[address] = found
    assert wrong == {}


@pytest.mark.long
def test_open_popovers_and_the_edit_are_clean_too(open_page: Open, world: World, named: dict[str, str]) -> None:
    page = open_page(f"/entities/{named['Terraform']}/")
    page.locator(".c-more button").first.click()
    page.locator("#tie h2").wait_for()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add one…").click()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    page.locator("#edit-name").wait_for()
    assert violations(page) == []
    page.goto(f"{world.url}/entities/?tab=alike")
    page.get_by_role("button", name="Compare").first.click()
    page.locator("#merge form").wait_for()
    assert violations(page) == []


@pytest.mark.long
def test_a_double_click_decides_one_pair_and_not_the_next_that_moves_under_it(
    open_page: Open, world: World, named: dict[str, str]
) -> None:
    page = open_page("/entities/?tab=alike")
    before = len(pairs(page))
    assert before >= 2
    box = page.get_by_role("button", name="Merge into").first.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2)
    for nth in (1, 2):
        page.mouse.down(click_count=nth)
        page.mouse.up(click_count=nth)
        expect(page.locator("[data-pair]")).to_have_count(before - 1)
    page.wait_for_timeout(300)  # a second request would have been answered
    expect(page.locator("[data-pair]")).to_have_count(before - 1)
