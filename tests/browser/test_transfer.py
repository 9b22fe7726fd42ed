"""Moving in a real browser: a file is chosen, tried, taken in and undone; everything comes out as a zip."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import World
from tests.browser.test_accessibility import violations

pytestmark = pytest.mark.browser
Open = Callable[..., Page]
GRAPH = """{"type":"entity","name":"Ada","entityType":"person","observations":["Ada wrote the first program."]}
{"type":"relation","from":"Ada","to":"Analytical Engine","relationType":"works_on"}
"""


def test_a_file_is_tried_taken_in_and_undone(open_page: Open, world: World, tmp_path: Path) -> None:
    (tmp_path / "memory.json").write_text(GRAPH, "utf-8")
    page = open_page("/settings/move/")
    assert violations(page) == []
    expect(page.get_by_role("button", name="Dry run")).to_be_hidden()
    page.locator("#files").set_input_files(tmp_path / "memory.json")
    expect(page.locator("[data-chosen]")).to_contain_text("memory.json")
    page.get_by_role("button", name="Dry run").click()
    expect(page.locator("#imports")).to_contain_text("A dry run: nothing was changed.")
    page.get_by_role("button", name="Import now").click()
    expect(page.locator("#imports .counts")).to_contain_text("new relations")
    expect(page.get_by_role("button", name="Undo this import")).to_be_visible()
    assert violations(page) == []
    held = world.api.get("/memories").json()["total"]
    page.get_by_role("button", name="Undo this import").click()
    expect(page.locator(".toast")).to_contain_text("Undone: ")
    assert world.api.get("/memories").json()["total"] == held - 1


@pytest.mark.long
def test_everything_comes_out_as_one_file(open_page: Open, world: World, tmp_path: Path) -> None:
    page = open_page("/settings/move/")
    with page.expect_download() as coming:
        page.get_by_role("button", name="Export").click()
    coming.value.save_as(tmp_path / "all.zip")
    assert coming.value.suggested_filename.startswith(world.space)
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert "Deploys stop on Friday" in archive.read("memories.jsonl").decode("utf-8")
