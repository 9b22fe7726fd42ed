from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from memoryapp.domain.identity import new_id
from tests.browser.conftest import World
from tests.browser.test_accessibility import violations

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder of notes with a name of its own; one of the files cannot be read."""
    folder = tmp_path / f"notes-{new_id()[:6]}"
    folder.mkdir()
    (folder / "infra.md").write_text("# Infra\n\n## Backup\n\nStarts at 03:00.\n\n## Bucket\n\nIn Seoul.\n")
    (folder / "2026-11-20.md").write_text("## Standup\n\nTalked about `surrealdb` and the freeze.\n")
    (folder / "broken.md").write_bytes(b"## Broken\n\nnot \x80\x81 UTF-8\n")
    return folder


def upload(page: Page, files: list[Path], button: str) -> None:
    page.locator("#files").set_input_files([str(f) for f in files])
    page.locator("form[data-drop]").get_by_role("button", name=button).click()


@pytest.mark.long
def test_a_dry_run_changes_nothing_and_can_then_be_carried_out(open_page: Open, world: World, notes: Path) -> None:
    page = open_page("/ingest/")
    upload(page, [notes / "infra.md"], "Dry run")
    expect(page.locator("#progress")).to_have_attribute("data-status", "done", timeout=20_000)
    expect(page.locator("#progress")).to_contain_text("nothing was changed")
    before = world.api.get("/memories").json()["items"]
    assert len(before) == 5
    with page.expect_navigation():
        page.get_by_role("button", name="Ingest now").click()
    expect(page.locator("#progress[data-status=done]")).to_be_visible(timeout=20_000)
    page.goto(f"{world.url}/memories/?kind=section")
    expect(page.locator("tr[data-item]")).to_have_count(2)


def test_progress_is_followed_to_the_end_and_each_file_is_told(open_page: Open, notes: Path) -> None:
    page = open_page("/ingest/")
    upload(page, [notes / "2026-11-20.md"], "Ingest")
    expect(page.locator("#progress[data-status=done]")).to_be_visible(timeout=20_000)
    expect(page.locator("#files-read")).to_contain_text("2026-11-20.md", timeout=10_000)
    expect(page.locator("#files-read")).to_contain_text("read")
    # What the job made stale is asked again, without a reload.
    expect(page.locator("#sources")).to_contain_text("current", timeout=10_000)
    expect(page.locator(".rail a[href='/memories/'] .n")).to_have_text("6")


def test_a_folder_is_chosen_by_keys_alone(open_page: Open, roots: Path) -> None:
    notes = roots / f"notes-{new_id()[:6]}"
    (notes / "inner").mkdir(parents=True)
    (notes / "infra.md").write_text("## Backup\n\nStarts at 03:00.\n")
    (notes / "inner" / "deep.md").write_text("## Deep\n\nWords.\n")
    page = open_page("/ingest/")
    field, options = page.get_by_label("Folder or file"), page.locator("#path-folders [role=option]")
    field.press_sequentially(str(notes)[:-1], delay=5)
    expect(options).to_have_text([f"{notes.name} 2 files"])
    expect(field).to_have_attribute("aria-expanded", "true")
    field.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", options.first.get_attribute("id") or "")
    assert violations(page) == []
    field.press("Enter")
    expect(field).to_have_value(f"{notes}/")
    expect(options).to_have_text(["inner 1 file"])
    expect(page.locator("#path-told")).to_have_text(f"{notes.name}: 2 files.")
    field.press("Escape")
    expect(page.locator("#path-folders")).to_be_hidden()
    expect(field).to_have_value(f"{notes}/")
    field.press("ArrowUp")
    expect(options.first).to_have_attribute("aria-selected", "true")
    options.first.click()
    expect(field).to_have_value(f"{notes}/inner/")
    expect(field).to_be_focused()
    field.press("Enter")
    expect(page.locator("#progress[data-status=done]")).to_contain_text("A dry run", timeout=20_000)


@pytest.mark.long
def test_a_file_that_cannot_be_read_is_listed_as_needing_a_look(open_page: Open, notes: Path) -> None:
    page = open_page("/ingest/")
    upload(page, [notes / "broken.md"], "Ingest")
    expect(page.locator("#progress:not([data-status=running]):not([data-status=queued])")).to_be_visible(timeout=20_000)
    page.reload()
    page.get_by_role("link", name="Needs attention").click()
    expect(page.locator("#files-read")).to_contain_text("broken.md")
    expect(page.locator("#files-read .tag.caution")).to_have_text("not read")


@pytest.mark.long
def test_a_folder_outside_the_allowed_ones_is_refused_beside_the_field(open_page: Open) -> None:
    page = open_page("/ingest/")
    page.get_by_label("Folder or file").fill("/etc")
    page.get_by_role("button", name="Ingest", exact=True).click()
    expect(page.locator("#folder-said .note")).to_contain_text("outside the folders that may be read")


@pytest.mark.long
def test_chosen_files_are_named_before_they_are_sent(open_page: Open, notes: Path) -> None:
    page = open_page("/ingest/")
    expect(page.locator("form[data-drop] [data-send]")).to_be_hidden()
    page.locator("#files").set_input_files([str(notes / "infra.md"), str(notes / "2026-11-20.md")])
    expect(page.locator("[data-chosen] li")).to_have_count(2)
    expect(page.locator("[data-chosen]")).to_contain_text("infra.md")


def test_what_an_upload_is_refused_for_is_said_beside_the_files_that_stay_chosen(
    open_page: Open, world: World, notes: Path
) -> None:
    (notes / "photo.png").write_bytes(b"\x89PNG")
    (notes / "large.md").write_bytes(b"x" * (64 * 1024 * 1024 + 1))
    page = open_page("/ingest/")
    page.locator("#files").set_input_files([str(notes / "large.md")])
    expect(page.locator("[data-chosen]")).to_contain_text("large.md, 64.0 MB: too large, 64.0 MB is the limit")
    expect(page.locator("form[data-drop] [data-send]")).to_be_hidden()
    upload(page, [notes / "photo.png"], "Ingest")
    expect(page.locator("#upload-said [role=alert]")).to_contain_text("photo.png is none of")
    assert page.url.endswith("/ingest/")
    expect(page.locator("[data-chosen]")).to_contain_text("photo.png")
    upload(page, [notes / "infra.md"], "Dry run")
    expect(page.locator("#progress")).to_have_attribute("data-status", "done", timeout=20_000)
    expect(page.locator("#progress")).to_contain_text("nothing was changed")


@pytest.mark.long
def test_a_phone_has_the_forms_before_what_was_read(open_page: Open, world: World, notes: Path) -> None:
    page = open_page("/ingest/", viewport={"width": 390, "height": 844}, has_touch=True)
    upload(page, [notes / "infra.md"], "Ingest")
    expect(page.locator("#progress")).to_have_attribute("data-status", "done", timeout=20_000)
    expect(page.locator("#files-read")).to_contain_text("infra.md")
    tops = [page.locator(part).bounding_box()["y"] for part in ("#progress", "#path", "#files-read", "#sources")]
    assert tops == sorted(tops)
    page.set_viewport_size({"width": 1440, "height": 900})
    path = page.locator("#path").bounding_box()
    read = page.locator("#files-read").bounding_box()
    assert path["x"] > read["x"] + read["width"], "there is room beside it"
