"""The ingest page as a person uses it: a folder named, the button pressed, the counts watched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.acceptance.place import Place

pytestmark = pytest.mark.browser
FILES = 300
WAIT = 60_000  # ms


@pytest.fixture
def page(browser: Browser, place: Place) -> Iterator[Page]:
    """A browser that came in by a login link, in the space of the place. A script error fails the test."""
    wrong: list[str] = []
    context = browser.new_context()
    opened = context.new_page()
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    place.live.sign_in_page(opened)
    opened.goto(f"{place.live.url}/ingest/?space={place.name}")
    yield opened
    context.close()
    assert wrong == []


def ingest(page: Page, place: Place, button: str = "Ingest") -> None:
    page.goto(f"{place.live.url}/ingest/")
    page.get_by_label("Folder or file").fill(str(place.folder))
    page.get_by_role("button", name=button, exact=True).click()
    page.wait_for_url("**job=**", timeout=WAIT)  # until then the page shows the last ingest


def counted(page: Page) -> dict[str, str]:
    """The counts of the panel, once the job is done."""
    expect(page.locator("#progress[data-status=done]")).to_be_visible(timeout=WAIT)
    told: dict[str, str] = page.locator(".counts > div").evaluate_all(
        "boxes => Object.fromEntries(boxes.map(box => [box.querySelector('dt').innerText.toLowerCase(),"
        " box.querySelector('dd').innerText]))"
    )
    return told


@pytest.mark.long
def test_a_folder_is_ingested_with_live_progress_and_the_right_counts(page: Page, place: Place) -> None:
    for n in range(FILES):
        place.note(f"{n % 10}/{n}.md", f"# Note {n}\n\n## First\n\nThe {n}th.\n\n## Second\n\nIt says {n * 7}.\n")
    ingest(page, place)
    expect(page.locator("#progress")).to_be_visible(timeout=WAIT)
    seen: list[Any] = page.evaluate(
        """async () => {
            const seen = new Set();
            for (let n = 0; n < 2400; n++) {
                const panel = document.querySelector('#progress');
                seen.add(panel ? panel.dataset.status : 'none');
                if (panel && panel.dataset.status === 'done') break;
                await new Promise(next => setTimeout(next, 25));
            }
            return [...seen];
        }"""
    )
    assert seen[-1] == "done" and {"queued", "running"} & set(seen), seen
    first = counted(page)
    assert (first["files"], first["sections"], first["added"]) == ("300", "600", "600"), first

    ingest(page, place)
    again = counted(page)
    assert (again["added"], again["changed"], again["unchanged"]) == ("0", "0", "600"), again

    place.note("3/3.md", "# Note 3\n\n## First\n\nThe 3rd.\n\n## Second\n\nIt says something else.\n")
    ingest(page, place)
    edited = counted(page)
    assert (edited["added"], edited["changed"]) == ("0", "2"), edited
    assert place.search("something else")["items"][0]["source"]["path"] == "3/3.md"
