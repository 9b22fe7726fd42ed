from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World
from tests.browser.test_accessibility import violations
from tests.sampling import every

pytestmark = pytest.mark.browser
Open = Callable[..., Page]

ASKED = "/search/compare/?q=where+does+the+staging+bucket+live&column=hybrid&column=rrf&column=keyword"
MORE = (
    "Buckets are emptied on Monday.",
    "Alice lives in Seoul with her staging rig.",
    "The bucket of the staging environment is encrypted.",
    "A live stage is where the band plays.",
    "Where storage is kept for staging: Globex.",
)


@pytest.fixture
def lab(open_page: Open, world: World) -> Page:
    world.api.post("/memories/batch", json={"items": [{"text": text, "kind": "note"} for text in MORE]})
    return open_page(ASKED)


def order(page: Page, n: int) -> list[str]:
    return [hit.get_attribute("data-memory") or "" for hit in page.locator(f"#lane-{n} [data-memory]").all()]


def scores(page: Page, n: int) -> list[str]:
    return page.locator(f"#lane-{n} .formula b").all_inner_texts()


def dial(page: Page, n: int, name: str, value: str) -> None:
    weigh = page.locator(f"#lane-{n} .weigh")
    if weigh.get_attribute("open") is None:
        weigh.locator("summary").click()
    weigh.locator(f"input[name={name}]").fill(value)


@pytest.mark.parametrize(
    ("lane", "name", "value", "plan", "rises"),
    every(
        3,
        [
            (0, "keyword", "0.1", "hybrid;keyword=0.1", True),
            (0, "vector", "0.2", "hybrid;vector=0.2", False),
            (1, "keyword", "0.1", "rrf;keyword=0.1", True),
            (1, "k", "1", "rrf;k=1", False),
        ],
    ),
)
def test_a_dial_ranks_at_once_as_the_server_does_a_moment_later(
    lab: Page, lane: int, name: str, value: str, plan: str, rises: bool
) -> None:
    lab.goto(f"{lab.url}&top=4")
    before, held = scores(lab, lane), order(lab, lane)
    dial(lab, lane, name, value)
    if rises:  # how many do hangs on memories of equal sums, which stand by their random ids
        assert set(order(lab, lane)) - set(held), "what was not shown comes into sight"
    assert all(words.strip() for words in lab.locator(f"#lane-{lane} .words").all_inner_texts())
    at_once, sums = order(lab, lane), scores(lab, lane)
    assert sums != before
    assert plan not in parse_qs(urlsplit(lab.url).query)["column"]
    with lab.expect_response("**/search/compare/**"):
        pass
    expect(lab.locator(f"#told-{lane} code")).to_have_text(plan)
    assert parse_qs(urlsplit(lab.url).query)["column"][lane] == plan
    assert order(lab, lane) == at_once
    assert [float(one) for one in scores(lab, lane)] == pytest.approx([float(one) for one in sums], abs=2e-5)
    assert lab.locator(f"#lane-{lane} .weigh").get_attribute("open") is not None  # the dials stay under the hand
    shared = lab.url
    lab.goto(shared)
    assert order(lab, lane) == at_once


@pytest.mark.long
def test_factors_are_switched_on_and_everything_goes_back(lab: Page) -> None:
    first = scores(lab, 0)
    lab.locator("#lane-0 .weigh summary").click()
    lab.locator("#lane-0 .weigh").get_by_label("trust").check()
    expect(lab.locator("#lane-0 .formula").first).to_contain_text("× trust")
    lab.wait_for_url("**factors%3Dtrust%2Bfeedback**")
    lab.get_by_role("button", name="Reset to hybrid").click()
    lab.wait_for_url("**column=hybrid&**")
    expect(lab.locator("#plan-0")).to_have_value("hybrid")
    assert scores(lab, 0) == first


@pytest.mark.long
def test_going_back_brings_the_plan_before(lab: Page) -> None:
    first = scores(lab, 0)
    dial(lab, 0, "keyword", "2")
    expect(lab.locator("#told-0 code")).to_have_text("hybrid;keyword=2")
    lab.go_back()
    expect(lab.locator("#plan-0")).to_have_value("hybrid")
    expect(lab.locator("#told-0 code")).to_have_count(0)
    assert scores(lab, 0) == first
    dial(lab, 0, "keyword", "0.3")
    expect(lab.locator("#told-0 code")).to_have_text("hybrid;keyword=0.3")
    assert lab.locator("#lab .bumps path").count() > 0


@pytest.mark.long
def test_marks_are_measured_at_once_and_stand_in_the_address(lab: Page) -> None:
    expect(lab.locator("[data-figures]")).to_be_hidden()
    lab.locator("#lane-1 .tick").nth(1).click()
    lab.locator("h1").click()
    lab.keyboard.press("j")
    lab.keyboard.press("m")
    figures = lab.locator("#measured td").all_inner_texts()
    marked = parse_qs(urlsplit(lab.url).query)["rel"]
    assert marked == list(dict.fromkeys([order(lab, 1)[1], order(lab, 0)[0]]))
    assert lab.locator('#lane-0 .tick[aria-pressed="true"]').count() == len(marked)
    lab.reload()
    assert lab.locator("#measured td").all_inner_texts() == figures  # the server's, by domain/ranking.py
    assert float(figures[2]) == 1.0
    # A new question, and one more column, keep the marks.
    assert all(
        f"rel={key}" in (lab.get_by_role("link", name="Add a column").get_attribute("href") or "") for key in marked
    )


@pytest.mark.long
def test_the_same_memory_lights_up_in_every_column_and_lines_join_it(lab: Page) -> None:
    key = order(lab, 1)[0]
    lab.locator("#lane-1 .hit").first.hover()
    lit = lab.locator(".hit.lit").evaluate_all("hits => hits.map(hit => hit.dataset.memory)")
    assert lit == [key] * sum(key in order(lab, n) for n in range(3)) and len(lit) > 1
    lines = lab.locator("#lab .bumps path")
    expected = len({*order(lab, 0), *order(lab, 1)}) + len({*order(lab, 1), *order(lab, 2)})
    assert lines.count() == expected
    assert lab.locator(f'#lab path.lit[data-line="{key}"]').count() == 2
    # A line ends at the height of its result, also after the window was made narrower.
    for width in (1280, 1240):
        lab.set_viewport_size({"width": width, "height": 900})
        lab.wait_for_timeout(100)
        apart = lab.evaluate(
            """key => { const gap = document.querySelector("#lab .bumps"), box = gap.getBoundingClientRect();
                const hit = document.querySelector(`#lane-0 [data-memory="${key}"]`).getBoundingClientRect();
                const [, y] = gap.querySelector(`path[data-line="${key}"]`).getAttribute("d").match(/^M2 (-?[\\d.]+)/);
                return Math.abs(box.top + Number(y) - hit.top - hit.height / 2); }""",
            key,
        )
        assert apart < 1.5


@pytest.mark.long
def test_on_a_phone_the_columns_are_swiped_and_moves_are_words(open_page: Open, lab: Page) -> None:
    page = open_page(ASKED, viewport={"width": 390, "height": 844})
    expect(page.locator("#lab .bumps").first).to_be_hidden()
    expect(page.locator("#lane-1 .beside").first).to_contain_text(re.compile("in hybrid"))
    page.locator("#lane-1 .beside").first.scroll_into_view_if_needed()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.get_by_role("navigation", name="Columns").get_by_role("link", name="keyword").click()
    page.wait_for_timeout(300)
    box = page.locator("#lane-2").bounding_box()
    assert box is not None and 0 <= box["x"] < 100
    page.evaluate("scrollTo(0, 0)")  # what the bar at the top half covers is too small a target
    assert violations(page) == []


@pytest.mark.long
def test_what_was_expected_is_explained_in_every_column(lab: Page) -> None:
    field = lab.get_by_label("An id, a reference, or words")
    field.fill("Friday")
    lab.get_by_role("button", name="Explain").click()
    lab.locator("#expected .choices-list a").first.click()
    expect(lab.locator("#expected .expects")).to_have_count(3)
    lab.wait_for_url(re.compile(r"memory=[0-9a-f]{16}"))
    assert parse_qs(urlsplit(lab.url).query)["column"] == ["hybrid", "rrf", "keyword"]
    lab.reload()
    expect(lab.locator("#expected .expects")).to_have_count(3)
    dial(lab, 0, "keyword", "0.5")  # and it is told anew by the plan that was dialled
    expect(lab.locator("#told-0 code")).to_have_text("hybrid;keyword=0.5")
    expect(lab.locator("#expected .expects")).to_have_count(3)


@pytest.mark.long
def test_a_score_opens_to_its_last_digit(lab: Page) -> None:
    dial(lab, 1, "k", "7")
    expect(lab.locator("#told-1 code")).to_have_text("rrf;k=7")
    hit = lab.locator("#lane-1 .hit").nth(2)
    hit.get_by_text("Details").click()
    told = hit.locator(".sum b").inner_text()
    assert f"{float(told):.5f}" == hit.locator(".formula b").inner_text()


def test_a_dialled_plan_is_taken_along_and_saved_as_a_profile(lab: Page, world: World) -> None:
    dial(lab, 1, "k", "7")
    expect(lab.locator("#told-1 code")).to_have_text("rrf;k=7")
    lab.get_by_label("Copy the search of column B").click()
    expect(lab.locator("#copy-curl")).to_contain_text('"strategy": "rrf;k=7"')
    lab.keyboard.press("Escape")
    lab.locator("#lane-1 [data-keep]").click()
    lab.get_by_label("Name", exact=True).fill("near-first")
    lab.locator("#keep").get_by_role("button", name="Save as profile").click()
    expect(lab.locator(".toast").first).to_contain_text("near-first")
    expect(lab.locator("#keep")).to_be_hidden()
    answer = world.api.post("/search", json={"query": "bucket", "strategy": "near-first"})
    assert answer.status_code == 200 and answer.json()["items"]


@pytest.mark.long
def test_marks_become_a_golden_query(lab: Page) -> None:
    lab.get_by_role("button", name="Save as golden query").click()
    expect(lab.locator("#golden").get_by_role("button", name="Save")).to_be_disabled()
    lab.keyboard.press("Escape")
    lab.locator("#lane-0 .tick").first.click()
    lab.get_by_role("button", name="Save as golden query").click()
    lab.locator("#golden").get_by_role("button", name="Save").click()
    expect(lab.locator(".toast").first).to_contain_text("golden query")
    expect(lab.locator("#golden")).to_be_hidden()


@pytest.mark.long
def test_another_strategy_is_chosen_in_the_head_of_a_column(lab: Page) -> None:
    lab.get_by_label("Strategy of column C").select_option("vector")
    lab.wait_for_url("**column=hybrid&column=rrf&column=vector**")
    expect(lab.locator("#lane-2 .formula").first).to_contain_text("cosine")


@pytest.mark.long
def test_the_lab_keeps_nobody_out(open_page: Open, lab: Page) -> None:
    page = open_page(f"{ASKED}&column=nonsense")
    dial(page, 0, "keyword", "2")
    expect(page.locator("#told-0 code")).to_have_text("hybrid;keyword=2")
    page.locator("#lane-0 .tick").first.click()
    page.locator("#lane-0 .exact summary").first.click()
    expect(page.locator(".sum")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    assert violations(page) == []
