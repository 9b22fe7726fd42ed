"""The first run: an empty space led through a folder, its ingest, a question, and an agent that calls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from memoryapp.domain.identity import new_id
from tests.browser.conftest import World
from tests.browser.test_accessibility import violations
from tests.live import Live

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
PHONE = {"width": 390, "height": 844}


def test_an_empty_space_is_led_to_an_agent_that_calls(open_page: Open, live: Live, world: World, roots: Path) -> None:
    notes = roots / f"first-{new_id()[:6]}"
    notes.mkdir()
    (notes / "infra.md").write_text("## Nightly backup\n\nStarts at 03:00.\n\n## Staging bucket\n\nIn Seoul.\n")
    space = live.in_new_space().space
    page = open_page(f"/?space={space}")
    expect(page.locator("#steps-count")).to_have_text("0 of 4 done")
    assert violations(page) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the phone's layout overflows"

    field, options = page.get_by_label("Folder or file"), page.locator("#path-folders [role=option]")
    field.press_sequentially(str(notes)[:-1], delay=5)
    expect(options).to_have_text([f"{notes.name} 1 file"])
    field.press("ArrowDown")
    field.press("Enter")
    expect(field).to_have_value(f"{notes}/")
    expect(page.locator("#path-told")).to_have_text(f"{notes.name}: 1 file.")
    field.press("Escape")
    field.press("Enter")
    expect(page.locator("#step-fill[data-done]")).to_be_visible(timeout=20_000)
    expect(page.locator("#steps-count")).to_have_text("2 of 4 done")

    page.get_by_role("button", name="What about Nightly backup?").click()
    expect(page.locator("#answer")).to_contain_text("Starts at 03:00.")
    expect(page.locator("#mark-ask")).to_contain_text("Done:")
    expect(page.locator("#steps-count")).to_have_text("3 of 4 done")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the phone's layout overflows"

    expect(page.locator("#connect-command")).to_contain_text(f"connect claude-code --space {space}")
    expect(page.locator("#agent-called")).to_have_text("Waiting for the first call …")
    with live.client(space=space) as api:
        asked = {"name": "scout", "role": "writer", "agent": "scout", "space": space}
        key = api.post("/keys", json=asked).raise_for_status().json()
    httpx.get(f"{live.url}/api/v1/spaces", headers={"Authorization": f"Bearer {key['key']}"}).raise_for_status()
    expect(page.locator("#agent-called")).to_have_text("Connected: scout")
    expect(page.locator("#steps-count")).to_have_text("4 of 4 done")
    assert violations(page) == []


def test_the_steps_are_hidden_by_a_press_and_brought_back_by_the_palette(open_page: Open, live: Live) -> None:
    page = open_page(f"/?space={live.in_new_space().space}")
    page.get_by_role("button", name="Hide these steps").click()
    expect(page.locator("#first-steps")).to_have_count(0)
    page.keyboard.press("Control+k")
    page.locator("#palette-q").fill("first steps")
    expect(page.locator("#palette-list [aria-selected=true]")).to_contain_text("Show the first steps")
    page.keyboard.press("Enter")
    expect(page.locator("#first-steps")).to_be_visible()
