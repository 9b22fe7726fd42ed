"""Consolidate in a real browser: sentences swapped by hand and by keys, written, rolled back, undone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World
from tests.browser.test_accessibility import violations

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
LOG = """# {day}

## H100
Decided: the H100 runs at night from {day} on. Fixed the queue of the H100. Learned how the H100 bills its hours.
The H100 was slow in the morning. Somebody painted the door of the rack next to the H100.

## 회고
막힌 것: 서울 계약은 30일 전에는 해지할 수 없다. 이번 회고는 짧았다. 다음 회고는 금요일이다. 결정은 글로 남긴다.
"""


@pytest.fixture
def logs(world: World, tmp_path: Path) -> list[str]:
    days = ["2026-01-12", "2026-01-13", "2026-01-14"]
    for day in days:
        sent = {"upload": (f"{day}.md", LOG.format(day=day).encode())}
        answer = world.api.post("/ingest", files=sent)
        assert answer.status_code == 202, answer.text
        key = answer.json()["job"]["id"]
        for _ in range(200):
            job = world.api.get(f"/jobs/{key}").json()
            if job["status"] not in ("queued", "running"):
                break
        assert job["status"] == "done", job
    return days


@pytest.mark.long
def test_a_sentence_is_swapped_and_the_sums_follow(open_page: Open, logs: list[str]) -> None:
    page = open_page("/consolidate/")
    first = page.locator(".fold").first
    before = first.locator(".sentence:not(.left)").count()
    first.locator(".sentence:not(.left) input[type=checkbox]").first.uncheck()
    expect(first.locator("h2 .tag", has_text="edited by hand")).to_be_visible()
    expect(first.locator(".sentence:not(.left)")).to_have_count(before - 1)
    expect(first.locator(".sentence.left .why", has_text=re.compile("dropped by hand|손으로 뺐다"))).to_be_visible()
    page.reload()
    expect(page.locator(".fold").first.locator(".sentence:not(.left)")).to_have_count(before - 1)
    page.locator(".fold").first.get_by_role("button", name="the ranker’s choice").click()
    expect(page.locator(".fold").first.locator(".sentence:not(.left)")).to_have_count(before)


def test_keys_walk_pick_and_write(open_page: Open, logs: list[str]) -> None:
    page = open_page("/")
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.wait_for_url("**/consolidate/")
    digests = page.locator(".fold").count()
    page.keyboard.press("j")
    expect(page.locator(".fold > header.at")).to_have_count(1)
    page.keyboard.press("x")
    expect(page.locator("#buttons")).to_contain_text(f"Only the {digests - 1} selected")
    expect(page.locator("#sums")).to_contain_text(f"with the {digests - 1} selected")
    page.keyboard.press("x")
    expect(page.locator("#sums")).not_to_contain_text("selected")
    page.keyboard.press("j")
    at = page.locator(".sentence.at")
    expect(at).to_have_count(1)
    place = at.get_attribute("id")
    page.keyboard.press("x")
    expect(page.locator(".fold h2 .tag", has_text="edited by hand")).to_have_count(1)
    expect(page.locator(f"#{place}.at")).to_have_count(1)  # one stays where one was
    page.keyboard.press("w")
    expect(page.locator("#working h2")).to_contain_text(re.compile(r"\d+ digests?\s+written"), timeout=20_000)
    expect(page.locator(".empty")).to_be_visible()


@pytest.mark.long
def test_a_run_is_rolled_back_after_a_look_and_that_is_undone(open_page: Open, logs: list[str], world: World) -> None:
    page = open_page("/consolidate/")
    many = page.locator(".fold").count()
    page.get_by_role("button", name=re.compile("^Write")).click()
    expect(page.locator("#working h2")).to_contain_text(f"{many} digest", timeout=20_000)
    page.get_by_role("button", name=re.compile("^Roll back")).first.click()
    box = page.locator("[popover]:popover-open")
    expect(box).to_contain_text("restored")
    box.get_by_role("button", name="Cancel").click()
    expect(page.locator("[popover]:popover-open")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Roll back")).first.click()
    box.get_by_role("button", name="Roll back").click()
    expect(page.locator(".toast")).to_contain_text("Rolled back")
    expect(page.locator(".fold")).to_have_count(many)
    expect(page.locator(".fold h2 .tag", has_text="rolled back")).to_have_count(many)
    page.keyboard.press("u")
    expect(page.locator(".fold")).to_have_count(0)


@pytest.mark.long
def test_the_pages_fit_and_are_clean(open_page: Open, logs: list[str], world: World) -> None:
    said = {"used": True, "query": "배포는 언제 멈추나? " + "a long question " * 12}
    world.api.post(f"/memories/{world.ids[0]}/feedback", json=said)
    world.api.post(f"/memories/{world.ids[2]}/feedback", json={"used": False})
    for address in (
        "/consolidate/", "/consolidate/?days=30000", "/consolidate/runs/", "/consolidate/marks/", "/feedback/",
        "/settings/heartbeat/",
    ):  # fmt: skip
        page = open_page(address)
        for width in (1600, 360):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (address, width)
            found = violations(page)
            assert found == [], (address, width, found)


@pytest.mark.long
def test_an_act_is_given_a_time_and_begun_at_once(open_page: Open, world: World) -> None:
    page = open_page("/settings/heartbeat/", timezone_id="Asia/Seoul")
    line = page.locator("#beat-consolidate")
    expect(line.locator("input[type=time]")).to_be_visible()
    line.get_by_role("switch").check()
    expect(page.locator(".toast")).to_contain_text("once a day, at 03:00 Asia/Seoul")
    expect(page.locator("#beat-consolidate .zone")).to_be_visible()
    page.locator("#beat-consolidate select").select_option("360")
    expect(page.locator("#beat-consolidate input[type=time]")).to_be_hidden()
    page.locator("#beat-index").get_by_role("button", name="Run now").click()
    expect(page.locator("#beat-index .went")).to_contain_text("on disk.", timeout=20_000)
    shown = next(one for one in world.api.get("/heartbeat").json()["items"] if one["act"] == "consolidate")
    assert (shown["on"], shown["every_minutes"]) == (True, 360)


@pytest.mark.long
def test_what_was_said_is_reset_and_given_back(open_page: Open, world: World) -> None:
    for key in world.ids[:2]:
        world.api.post(f"/memories/{key}/feedback", json={"used": True, "query": "when do deploys stop?"})
    page = open_page("/feedback/")
    expect(page.locator("tr[data-item]")).to_have_count(2)
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.locator("[data-bulk]").get_by_role("button", name="Reset").click()
    expect(page.locator("tr[data-item]")).to_have_count(1)
    page.keyboard.press("u")
    expect(page.locator("tr[data-item]")).to_have_count(2)
