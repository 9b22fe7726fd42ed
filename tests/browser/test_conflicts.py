"""Deciding with the keyboard: a key a verdict, the next case at once, the focus where it belongs, undo."""

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
PAIRS = (
    ("Minsu lives in Seoul.", "Minsu lives in Busan."),
    ("The staging server has 32 GB of memory.", "The staging server has 64 GB of memory."),
    ("Yuna was born in 1990.", "Yuna was born in 1992."),
    ("The backup starts at 03:00.", "The backup starts at 05:00."),
)


@pytest.fixture
def waiting(world: World) -> int:
    """Facts that clash, said through the API as agents say them; how many conflicts wait."""
    for pair in PAIRS:
        for text in pair:
            answer = world.api.post("/memories", json={"text": text, "kind": "fact", "category": "work"})
            assert answer.status_code in (200, 201), answer.text
    items = world.api.get("/conflicts").json()["items"]
    assert len(items) >= 3, items
    return len(items)


def heading(page: Page) -> str:
    return page.locator("#case").get_attribute("data-case") or ""


def test_a_key_decides_and_the_next_case_has_the_focus(open_page: Open, world: World, waiting: int) -> None:
    page = open_page("/conflicts/")
    first = heading(page)
    expect(page.locator("#rail-conflicts")).to_have_text(str(waiting))
    with page.expect_response(re.compile(rf"/conflicts/{first}/keep/")) as answered:
        page.keyboard.press("a")
    assert answered.value.status == 200
    expect(page.locator("#case")).not_to_have_attribute("data-case", first)
    expect(page.locator("#case-head")).to_be_focused()
    expect(page.locator("#rail-conflicts")).to_have_text(str(waiting - 1))
    expect(page.locator(".toast")).to_contain_text("Kept A")
    expect(page).to_have_url(re.compile(rf"/conflicts/{heading(page)}/"))
    page.keyboard.press("b")
    expect(page.locator("#rail-conflicts")).to_have_text(str(waiting - 2))
    decided = world.api.get("/conflicts", params={"status": "decided"}).json()["items"]
    assert len(decided) == 2


@pytest.mark.parametrize("width", sample([1280, 390], 390))
def test_a_message_lies_over_no_verdict_and_only_the_last_has_an_undo(
    open_page: Open, waiting: int, width: int
) -> None:
    page = open_page("/conflicts/", viewport={"width": width, "height": 844})
    page.keyboard.press("a")
    expect(page.locator(".toast")).to_have_count(1)
    page.keyboard.press("a")
    expect(page.locator(".toast:not(.going)")).to_have_count(1)
    expect(page.locator(".toast [data-undo]")).to_have_count(1)
    covered = page.evaluate(
        """() => [...document.querySelectorAll(".verdicts .btn")].filter((button) => {
            const { left, top, width, height } = button.getBoundingClientRect();
            return document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".toast");
        }).length"""
    )
    assert covered == 0


def test_u_takes_the_last_verdict_back_and_opens_its_case(open_page: Open, waiting: int) -> None:
    page = open_page("/conflicts/")
    first = heading(page)
    page.keyboard.press("b")
    expect(page.locator("#case")).not_to_have_attribute("data-case", first)
    page.keyboard.press("u")
    expect(page.locator("#case")).to_have_attribute("data-case", first)
    expect(page.locator("#case-head")).to_be_focused()
    expect(page.locator(".tabs [aria-current] .n")).to_have_text(str(waiting))
    expect(page.locator("#rail-conflicts")).to_have_text(str(waiting))


@pytest.mark.long
def test_j_and_k_walk_the_queue_and_x_picks(open_page: Open, waiting: int) -> None:
    page = open_page("/conflicts/")
    first = heading(page)
    page.keyboard.press("j")
    expect(page.locator("#case")).not_to_have_attribute("data-case", first)
    page.keyboard.press("x")
    expect(page.locator("[data-bulk-count]")).to_have_text("1 selected")
    page.keyboard.press("k")
    expect(page.locator("#case")).to_have_attribute("data-case", first)
    page.keyboard.press("x")
    expect(page.locator("[data-bulk-count]")).to_have_text("2 selected")
    expect(page.locator(".queue li.at a")).to_have_attribute("aria-current", "true")


@pytest.mark.long
def test_merge_opens_with_words_to_begin_from(open_page: Open, world: World, waiting: int) -> None:
    page = open_page("/conflicts/")
    page.keyboard.press("m")
    field = page.locator("#merge-text")
    expect(field).to_be_focused()
    assert field.input_value()
    field.fill("Both of it, in one sentence.")
    field.press("Control+Enter")
    expect(page.locator(".toast")).to_contain_text("Merged: “Both of it, in one sentence.”")
    texts = {item["text"] for item in world.api.get("/memories?kinds=fact").json()["items"]}
    assert "Both of it, in one sentence." in texts


@pytest.mark.long
def test_keys_are_letters_while_one_writes(open_page: Open, waiting: int) -> None:
    page = open_page("/conflicts/")
    first = heading(page)
    page.keyboard.press("r")
    expect(page.locator("#why-told")).to_be_focused()
    page.keyboard.type("abnormal")
    expect(page.locator("#why-told")).to_have_value("abnormal")
    page.keyboard.press("Escape")
    page.keyboard.press("S")
    expect(page.locator("#scope-a")).to_be_focused()
    page.keyboard.type("an")
    page.keyboard.press("Escape")
    expect(page.locator("#scope")).to_be_hidden()
    assert heading(page) == first


@pytest.mark.long
def test_a_case_is_put_off_with_two_keys(open_page: Open, waiting: int) -> None:
    page = open_page("/conflicts/")
    first = heading(page)
    page.keyboard.press("z")
    expect(page.locator("#sleep")).to_be_visible()
    page.keyboard.press("2")
    expect(page.locator("#case")).not_to_have_attribute("data-case", first)
    expect(page.locator(".toast")).to_contain_text("Snoozed until")


@pytest.mark.long
def test_a_merge_that_is_refused_leaves_whoever_types_it_in_its_words(open_page: Open, waiting: int) -> None:
    page = open_page("/conflicts/")
    page.keyboard.press("m")
    page.locator("#merge-text").fill("  ")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".toast")).to_contain_text("The text is empty.")
    expect(page.locator("#merge-text")).to_be_focused()


@pytest.mark.long
def test_what_changes_follows_the_verdict_one_looks_at(open_page: Open, waiting: int) -> None:
    page = open_page("/conflicts/")
    page.locator("tr.o-neither").wait_for()
    before = page.locator("tr.o-neither").evaluate("row => getComputedStyle(row).backgroundColor")
    page.locator("[data-outcome=neither]").hover()
    page.wait_for_function(
        "was => getComputedStyle(document.querySelector('tr.o-neither')).backgroundColor !== was", arg=before
    )


@pytest.mark.long
def test_picked_proposals_are_listed_and_accepted_together(open_page: Open, waiting: int) -> None:
    page = open_page("/conflicts/")
    for box in page.locator(".queue input[name=ids]").all()[:2]:
        box.check()
    page.locator("[data-bulk]").get_by_role("button", name="Accept their proposals").click()
    dialog = page.locator("#accept")
    expect(dialog).to_contain_text("Accept 2 proposals?")
    dialog.get_by_role("button", name="Accept 2").click()
    expect(dialog).to_be_hidden()
    expect(page.locator(".toast")).to_contain_text("2 proposals accepted.")
    expect(page.locator("#rail-conflicts")).to_have_text(str(waiting - 2))


@pytest.mark.long
def test_facts_tell_why_when_one_rests_on_their_trust(open_page: Open, waiting: int) -> None:
    page = open_page("/facts/")
    bar = page.locator("button.trust").first
    bar.hover()
    expect(page.locator("#why .formula")).to_be_visible()
    page.mouse.move(4, 4)
    expect(page.locator("#why")).to_be_hidden()
    bar.click()
    expect(page.locator("#why")).to_be_visible()


@pytest.mark.long
def test_why_goes_along_with_the_row_that_it_stood_beside(open_page: Open, waiting: int) -> None:
    page = open_page("/facts/")
    page.locator("button.trust").first.hover()
    expect(page.locator("#why .formula")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("e")
    expect(page.locator("tr.editing")).to_be_visible()
    expect(page.locator("#why")).to_be_hidden()


@pytest.mark.long
def test_the_trust_of_both_sides_is_drawn_on_one_scale(open_page: Open, waiting: int) -> None:
    page = open_page("/conflicts/")
    widths = page.locator(".versus .waterfall .sum rect.track").evaluate_all(
        "bars => bars.map(bar => Math.round(bar.getBoundingClientRect().width))"
    )
    assert len(widths) == 2 and widths[0] == widths[1] > 40


@pytest.mark.long
def test_a_fact_leads_to_its_case_and_back_to_its_page(open_page: Open, waiting: int) -> None:
    page = open_page("/facts/?only=disputed")
    page.locator("tr[data-item] a[data-open]").first.click()
    page.get_by_role("link", name="Review", exact=True).click()
    page.wait_for_url(re.compile(r"/conflicts/[0-9a-f]{16}/"))
    page.get_by_role("link", name="Open A as a memory").click()
    page.wait_for_url(re.compile(r"/memories/[0-9a-f]{16}/"))


@pytest.mark.long
def test_the_pages_of_judging_keep_nobody_out(open_page: Open, world: World, waiting: int) -> None:
    page = open_page()
    wrong = {}
    for address in ("/conflicts/", "/conflicts/?tab=decided", "/facts/", "/facts/?category=identity", "/audit/"):
        page.goto(world.url + address)
        if found := violations(page):
            wrong[address] = found
    page.goto(f"{world.url}/conflicts/")
    for key in ("m", "S", "z", "?"):
        page.keyboard.press(key)
        if found := violations(page):
            wrong[f"key {key}"] = found
        page.keyboard.press("Escape")
    assert wrong == {}


@pytest.mark.long
def test_a_phone_shows_one_case_at_a_time(open_page: Open, world: World, waiting: int) -> None:
    page = open_page("/conflicts/", viewport={"width": 360, "height": 780}, has_touch=True)
    expect(page.locator(".queue")).to_be_hidden()
    expect(page.locator(".stepper")).to_contain_text(f"1 of {waiting}")
    first = heading(page)
    page.get_by_role("link", name="Next →").click()
    expect(page.locator("#case")).not_to_have_attribute("data-case", first)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page) == []
